// A row of activations for tiles: bf16 numbers.
//
//   weights in blocks:   x[i] ~ scale * high[i]    high[cols], scale; in the row that rounded_row.h describes
//   plain numbers:       x[i] ~ high[i] + low[i]   high[cols'], low[cols'], in 4 * cols' bytes
//
// scale is the largest magnitude of the row, so that the one that matters most is not rounded at all. cols' is cols in
// whole steps of a tile, with zeros behind the row. Rows that decode hold other things (quantize_rows_amx.h).
#pragma once

#include "tiles.h"

namespace {

constexpr int64_t wholeSteps(int64_t cols) { return (cols + kTileNumbers - 1) / kTileNumbers * kTileNumbers; }

/** Where the scale of a row for weights in blocks stands. */
constexpr int64_t scaleAt(int64_t cols) { return 2 * cols; }

/** Bytes from the high part of a row to its low one. */
constexpr int64_t lowPartAt(int64_t cols) { return 2 * wholeSteps(cols); }

}  // namespace
