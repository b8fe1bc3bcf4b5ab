// Which rows of activations stand as tiles (prompt_row.h): the first ones, in whole sixteens, as far as all belong to
// prompts. Who writes them and who reads them count alike.
#pragma once

#include <cstdint>
#include <cstring>

/** Rows of a tile. */
constexpr int64_t kTileRows = 16;

/** Of `units` rows, `unitsOfRow` for each row of the step; `decodes` as in a Call. */
inline int64_t tiledRows(const uint8_t* decodes, int64_t units, int64_t unitsOfRow) {
  int64_t prompts = units;
  if (decodes != nullptr) {
    const void* first = memchr(decodes, 1, static_cast<size_t>(units / unitsOfRow));
    if (first != nullptr) prompts = (static_cast<const uint8_t*>(first) - decodes) * unitsOfRow;
  }
  return prompts / kTileRows * kTileRows;
}
