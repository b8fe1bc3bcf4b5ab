// The most arithmetic that all threads together can do when nothing waits for memory: chains of products into
// accumulators that stay in registers, enough of them to hide the latency of each.
#include "peaks.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "parallel.h"

namespace {

constexpr int kRounds = 7;
constexpr int kChains = 12;
constexpr int64_t kSteps = 400000;
// Keeps a value alive without storing it.
#define KEEP(value) asm volatile("" : "+x"(value))
#define KEEP_WIDE(value) asm volatile("" : "+v"(value))

__attribute__((target("avx2,fma"))) void avx2F32() {
  __m256 sums[kChains] = {};
  __m256 a = _mm256_set1_ps(1e-3f), b = _mm256_set1_ps(1e-3f);
  for (int64_t step = 0; step < kSteps; step++) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; i++) {
      sums[i] = _mm256_fmadd_ps(a, b, sums[i]);
      KEEP(sums[i]);
    }
  }
}

// What a dot product of bytes takes without VNNI: products in pairs, pairs to fours, and the sum.
__attribute__((target("avx2"))) void avx2Int8() {
  __m256i sums[kChains] = {};
  __m256i a = _mm256_set1_epi8(1), b = _mm256_set1_epi8(1);
  const __m256i ones = _mm256_set1_epi16(1);
  for (int64_t step = 0; step < kSteps; step++) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; i++) {
      KEEP(a);
      sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), ones));
      KEEP(sums[i]);
    }
  }
}

__attribute__((target("avx2,avxvnni"))) void avxVnniInt8() {
  __m256i sums[kChains] = {};
  __m256i a = _mm256_set1_epi8(1), b = _mm256_set1_epi8(1);
  for (int64_t step = 0; step < kSteps; step++) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; i++) {
      sums[i] = _mm256_dpbusd_avx_epi32(sums[i], a, b);
      KEEP(sums[i]);
    }
  }
}

__attribute__((target("avx512f"))) void avx512F32() {
  __m512 sums[kChains] = {};
  __m512 a = _mm512_set1_ps(1e-3f), b = _mm512_set1_ps(1e-3f);
  for (int64_t step = 0; step < kSteps; step++) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; i++) {
      sums[i] = _mm512_fmadd_ps(a, b, sums[i]);
      KEEP_WIDE(sums[i]);
    }
  }
}

__attribute__((target("avx512f,avx512bw,avx512vnni"))) void avx512VnniInt8() {
  __m512i sums[kChains] = {};
  __m512i a = _mm512_set1_epi32(0x01010101), b = _mm512_set1_epi32(0x01010101);
  for (int64_t step = 0; step < kSteps; step++) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; i++) {
      sums[i] = _mm512_dpbusd_epi32(sums[i], a, b);
      KEEP_WIDE(sums[i]);
    }
  }
}

struct alignas(64) TileConfig {
  uint8_t palette = 1;
  uint8_t startRow = 0;
  uint8_t reserved[14] = {};
  uint16_t columnBytes[16] = {};
  uint8_t rows[16] = {};
};

// Eight tiles of 16 rows of 64 bytes: four sums, two left and two right operands.
__attribute__((target("amx-tile"))) void loadTiles() {
  TileConfig config;
  for (int tile = 0; tile < 8; tile++) {
    config.columnBytes[tile] = 64;
    config.rows[tile] = 16;
  }
  // gcc 12 believes that the next line reads 8 bytes, and drops the stores of the others without this.
  asm volatile("" : : "r"(&config) : "memory");
  _tile_loadconfig(&config);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  _tile_zero(6);
  _tile_zero(7);
}

constexpr int kTileShare = 32;  // a tile takes far longer than a vector

__attribute__((target("amx-tile,amx-int8"))) void amxInt8() {
  loadTiles();
  for (int64_t step = 0; step < kSteps / kTileShare; step++) {
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
  }
  _tile_release();
}

__attribute__((target("amx-tile,amx-bf16"))) void amxBf16() {
  loadTiles();
  for (int64_t step = 0; step < kSteps / kTileShare; step++) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
}

// Whether the processor has the tiles and the system lets this process, with all threads to come, use them.
bool hasTiles() {
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24, kInt8 = 1u << 25;
  if ((edx & (kBf16 | kTile | kInt8)) != (kBf16 | kTile | kInt8)) return false;
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

struct Kind {
  const char *isa;
  const char *type;
  bool supported;
  void (*work)();
  double operations;
};

}  // namespace

std::vector<Peak> measurePeaks(int threads) {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool wide = __builtin_cpu_supports("avx512f");
  const bool vnni = wide && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni");
  const bool tiles = hasTiles();
  const double vectors = static_cast<double>(kSteps) * kChains;
  const double tileProducts = static_cast<double>(kSteps / kTileShare) * 4;
  const Kind kinds[] = {
      {"avx2", "f32", avx2, avx2F32, vectors * 16},
      {"avx2", "int8", avx2, avx2Int8, vectors * 64},
      {"avxvnni", "int8", avx2 && __builtin_cpu_supports("avxvnni"), avxVnniInt8, vectors * 64},
      {"avx512vnni", "f32", wide, avx512F32, vectors * 32},
      {"avx512vnni", "int8", vnni, avx512VnniInt8, vectors * 128},
      {"amx", "int8", tiles, amxInt8, tileProducts * 2 * 16 * 16 * 64},
      {"amx", "bf16", tiles, amxBf16, tileProducts * 2 * 16 * 16 * 32},
  };
  std::vector<Peak> peaks;
  for (const Kind &kind : kinds) {
    if (!kind.supported) continue;
    double best = 0;
    for (int round = 0; round < kRounds; round++) {
      const double seconds = timed(threads, [&](int) { kind.work(); });
      best = std::max(best, kind.operations * threads / seconds);
    }
    peaks.push_back({kind.isa, kind.type, best});
  }
  return peaks;
}

#else

std::vector<Peak> measurePeaks(int) { return {}; }

#endif
