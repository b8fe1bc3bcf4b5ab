// The tile registers of AMX, configured for the length of one use.
//
// POCKET_TILE_LOAD(tile, from, stride) and its kind take the number of a tile as a literal. They are assembly of our own:
// gcc's intrinsics do not say that they read and write memory, so that the compiler might leave out or move the stores
// that fill a tile's memory, and tell it of 8 of the 64 bytes of a configuration.
#pragma once

#include "tiled_rows.h"

#ifdef POCKET_EMULATED_TILES
#include "emulated_tiles.h"
#else
#define POCKET_TILE_CONFIGURE(configuration) asm volatile("ldtilecfg %0" ::"m"(*(configuration)) : "memory")
#define POCKET_TILE_RELEASE() asm volatile("tilerelease" ::: "memory")
#define POCKET_TILE_ZERO(tile) asm volatile("tilezero %%tmm" #tile ::)
#define POCKET_TILE_LOAD(tile, from, stride) \
  asm volatile("tileloadd (%0,%1,1), %%tmm" #tile ::"r"(from), "r"(static_cast<int64_t>(stride)) : "memory")
#define POCKET_TILE_STORE(tile, to, stride) \
  asm volatile("tilestored %%tmm" #tile ", (%0,%1,1)" ::"r"(to), "r"(static_cast<int64_t>(stride)) : "memory")
#define POCKET_TILE_DOT_BF16(c, a, b) asm volatile("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #c ::)
#endif

namespace {

/** Bytes of a row of a tile, and of all. */
constexpr int64_t kTileRowBytes = 64;
constexpr int64_t kTileBytes = kTileRows * kTileRowBytes;
/** Numbers of bf16 in a row: what one step sums. */
constexpr int64_t kTileNumbers = 32;

/** What LDTILECFG reads: the layout is the processor's. */
struct alignas(64) TileConfiguration {
  uint8_t palette = 1;
  uint8_t startRow = 0;
  uint8_t reserved[14] = {};
  uint16_t rowBytes[16] = {};
  uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfiguration) == 64, "the layout of LDTILECFG");

/** Makes all eight tiles of full size usable, until they are released: with zeros, by this thread. */
inline void configureTiles() {
  TileConfiguration configuration;
  for (int i = 0; i < 8; i++) {
    configuration.rowBytes[i] = kTileRowBytes;
    configuration.rows[i] = kTileRows;
  }
  POCKET_TILE_CONFIGURE(&configuration);
}

/** Tiles that are in use the system has to save whenever it changes threads: 8 KB. */
inline void releaseTiles() { POCKET_TILE_RELEASE(); }

}  // namespace
