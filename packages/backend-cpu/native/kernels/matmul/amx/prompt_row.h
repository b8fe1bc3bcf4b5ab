// A row of activations for tiles: bf16 numbers, and behind them, for weights in plain numbers, what they round off.
//
//   weights in blocks:   high[cols]                  in the row that rounded_row.h describes for rows that decode
//   plain numbers:       high[cols'], low[cols']     in 4 * cols' bytes; rows that decode hold floats
//
// cols' is cols in whole steps of a tile, with zeros behind the row.
#pragma once

#include "tiles.h"

namespace {

constexpr int64_t wholeSteps(int64_t cols) { return (cols + kTileNumbers - 1) / kTileNumbers * kTileNumbers; }

/** Bytes from the high part of a row to its low one. */
constexpr int64_t lowPartAt(int64_t cols) { return 2 * wholeSteps(cols); }

}  // namespace
