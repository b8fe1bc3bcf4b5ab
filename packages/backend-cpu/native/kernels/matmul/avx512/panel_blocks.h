// The blocks of panels with AVX-512: all 16 rows in a register, operands of vpdpbusd.
//
// Codes have their zero at 1 << kZeroBits (none where -1): formats with signed codes get 128 added.
#pragma once

#include "registers.h"
// The blocks are written over the registers.
#include "../small_panel_blocks.h"

namespace {

/** log2 of the code of zero in a panel; -1 where codes are not shifted. */
template <class Format>
constexpr int kZeroBits = Format::kSigned       ? 7
                          : Format::kZero == 0  ? -1
                          : Format::kZero == 1  ? 0
                          : Format::kZero == 4  ? 2
                          : Format::kZero == 8  ? 3
                          : Format::kZero == 16 ? 4
                                                : 5;

}  // namespace
