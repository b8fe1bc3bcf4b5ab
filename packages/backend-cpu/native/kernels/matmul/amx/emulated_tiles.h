// The tile instructions that kernels here use, in AVX-512 and plain C++: for tests on machines that lack them.
//
// What the manual of the processor states, bit for bit: a step of TDPBF16PS sums the even and the odd members of the
// pairs of a row in two chains of fused products from zero, adds the two, then adds that to C; each sum is rounded to
// nearest even; numbers below the normal range count as zeros, and come out as zeros. What ends a process on hardware
// (a tile that is not configured, shapes that do not fit) ends it here.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace {

constexpr int kEmulatedTiles = 8;

struct EmulatedTiles {
  bool configured;
  int rows[kEmulatedTiles];
  int rowBytes[kEmulatedTiles];
  alignas(64) uint8_t data[kEmulatedTiles][16][64];
};

thread_local EmulatedTiles emulatedTiles;

inline void demand(bool holds) {
  if (!holds) __builtin_trap();
}

inline void demandTile(int tile) {
  const EmulatedTiles& tiles = emulatedTiles;
  demand(tiles.configured && tile >= 0 && tile < kEmulatedTiles && tiles.rows[tile] > 0 &&
         tiles.rowBytes[tile] % 4 == 0);
}

/** 64 bytes: palette, start row, 14 that are zero, bytes of a row of 16 tiles (two each), rows of 16 tiles. */
inline void emulateConfigure(const void* configuration) {
  EmulatedTiles& tiles = emulatedTiles;
  const uint8_t* bytes = static_cast<const uint8_t*>(configuration);
  tiles = EmulatedTiles{};
  if (bytes[0] == 0) return;
  demand(bytes[0] == 1 && bytes[1] == 0);
  for (int i = 2; i < 16; i++) demand(bytes[i] == 0);
  for (int i = 0; i < 16; i++) {
    const int rowBytes = bytes[16 + 2 * i] + 256 * bytes[17 + 2 * i];
    const int rows = bytes[48 + i];
    demand(rowBytes <= 64 && rows <= 16 && (rowBytes == 0) == (rows == 0) && (i < kEmulatedTiles || rows == 0));
    if (i >= kEmulatedTiles) continue;
    tiles.rows[i] = rows;
    tiles.rowBytes[i] = rowBytes;
  }
  tiles.configured = true;
}

inline void emulateRelease() { emulatedTiles = EmulatedTiles{}; }

inline void emulateZero(int tile) {
  demandTile(tile);
  memset(emulatedTiles.data[tile], 0, sizeof emulatedTiles.data[tile]);
}

inline void emulateLoad(int tile, const void* from, int64_t stride) {
  emulateZero(tile);
  for (int r = 0; r < emulatedTiles.rows[tile]; r++) {
    memcpy(emulatedTiles.data[tile][r], static_cast<const uint8_t*>(from) + r * stride,
           static_cast<size_t>(emulatedTiles.rowBytes[tile]));
  }
}

inline void emulateStore(int tile, void* to, int64_t stride) {
  demandTile(tile);
  for (int r = 0; r < emulatedTiles.rows[tile]; r++) {
    memcpy(static_cast<uint8_t*>(to) + r * stride, emulatedTiles.data[tile][r],
           static_cast<size_t>(emulatedTiles.rowBytes[tile]));
  }
}

/** The sums themselves, under the mode of rounding that the caller has set: not inlined, so that none leaves it. */
__attribute__((noinline)) void emulateDots(int c, int a, int b) {
  EmulatedTiles& tiles = emulatedTiles;
  const int pairs = tiles.rowBytes[a] / 4;
  __m512 even[16];
  __m512 odd[16];
  for (int k = 0; k < pairs; k++) {
    const __m512i both = _mm512_load_si512(tiles.data[b][k]);
    even[k] = _mm512_castsi512_ps(_mm512_slli_epi32(both, 16));
    odd[k] = _mm512_castsi512_ps(_mm512_and_si512(both, _mm512_set1_epi32(static_cast<int>(0xffff0000))));
  }
  for (int m = 0; m < tiles.rows[c]; m++) {
    __m512 sums[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
    for (int k = 0; k < pairs; k++) {
      uint32_t both;
      memcpy(&both, tiles.data[a][m] + 4 * k, sizeof both);
      const __m512i pair = _mm512_set1_epi32(static_cast<int>(both));
      const __m512i high = _mm512_and_si512(pair, _mm512_set1_epi32(static_cast<int>(0xffff0000)));
      sums[0] = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_slli_epi32(pair, 16)), even[k], sums[0]);
      sums[1] = _mm512_fmadd_ps(_mm512_castsi512_ps(high), odd[k], sums[1]);
    }
    float* row = reinterpret_cast<float*>(tiles.data[c][m]);
    const __mmask16 columns = static_cast<__mmask16>((1u << (tiles.rowBytes[c] / 4)) - 1);
    const __m512 total = _mm512_add_ps(_mm512_load_ps(row), _mm512_add_ps(sums[0], sums[1]));
    _mm512_store_ps(row, _mm512_maskz_mov_ps(columns, total));
  }
}

/** C += A * B of pairs of bf16. */
inline void emulateDotBf16(int c, int a, int b) {
  demandTile(c);
  demandTile(a);
  demandTile(b);
  const EmulatedTiles& tiles = emulatedTiles;
  demand(c != a && c != b && a != b);
  demand(tiles.rows[c] == tiles.rows[a] && tiles.rowBytes[c] == tiles.rowBytes[b]);
  demand(tiles.rowBytes[a] / 4 == tiles.rows[b]);
  constexpr unsigned kNearestEven = 0x1f80;
  constexpr unsigned kZerosForDenormals = 0x8040;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(kNearestEven | kZerosForDenormals);
  emulateDots(c, a, b);
  _mm_setcsr(before);
}

}  // namespace

#define POCKET_TILE_CONFIGURE(configuration) emulateConfigure(configuration)
#define POCKET_TILE_RELEASE() emulateRelease()
#define POCKET_TILE_ZERO(tile) emulateZero(tile)
#define POCKET_TILE_LOAD(tile, from, stride) emulateLoad(tile, from, stride)
#define POCKET_TILE_STORE(tile, to, stride) emulateStore(tile, to, stride)
#define POCKET_TILE_DOT_BF16(c, a, b) emulateDotBf16(c, a, b)
