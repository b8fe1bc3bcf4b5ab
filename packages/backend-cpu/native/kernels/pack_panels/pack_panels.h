// pack_panels, one unit 16 rows of a weight in blocks: stores them as a panel (formats/panels.h).
//
//   rows: [16 * units, kRowBytes] bytes   out: as many; out may be rows
//
// threadScratch: 16 * kRowBytes. Done once, when weights are loaded. Bound by memory.
#pragma once

#include "../../formats/panels.h"
#include "../call.h"

namespace {

struct PackPanels {
  /** kRows are those of all units: the last may be fewer than 16, the rest of its panel is zeros then. */
  enum Size { kRowBytes, kRows };
};

template <class Format>
POCKET_INLINE void pack_panels(const Call& call, int64_t from, int64_t to) {
  const int64_t rowBytes = call.size[PackPanels::kRowBytes];
  for (int64_t unit = from; unit < to; unit++) {
    const uint8_t* rows = static_cast<const uint8_t*>(call.in[0]) + unit * kPanelRows * rowBytes;
    const int64_t left = call.size[PackPanels::kRows] - unit * kPanelRows;
    const int64_t count = left < kPanelRows ? left : kPanelRows;
    memcpy(call.threadScratch, rows, static_cast<size_t>(count * rowBytes));
    uint8_t* out = static_cast<uint8_t*>(call.out[0]) + unit * kPanelRows * rowBytes;
    packPanel<Format>(call.threadScratch, rowBytes, count, out);
  }
}

}  // namespace
