// What of a weight format the arithmetic of a group depends on: formats of one kind share their kernels.
#pragma once

#include "../../../formats/decode_row.h"

namespace {

/** The largest magnitude among a format's codes; 63, or 128 of signed ones, where nothing less is known. */
template <class Format>
constexpr int kLargestCode = Format::kSigned ? 128 : 63;

#define POCKET_LARGEST_CODE(format, largest) \
  template <>                                \
  constexpr int kLargestCode<format_##format> = largest;
POCKET_LARGEST_CODE(q5_0, 31)
POCKET_LARGEST_CODE(q5_1, 31)
POCKET_LARGEST_CODE(q5_k, 31)
POCKET_LARGEST_CODE(q4_0, 15)
POCKET_LARGEST_CODE(q4_1, 15)
POCKET_LARGEST_CODE(q4_k, 15)
POCKET_LARGEST_CODE(mxfp4, 12)
POCKET_LARGEST_CODE(nvfp4, 12)
POCKET_LARGEST_CODE(q3_k, 7)
POCKET_LARGEST_CODE(iq3_s, 15)
POCKET_LARGEST_CODE(iq3_xxs, 62)
POCKET_LARGEST_CODE(q2_0, 3)
POCKET_LARGEST_CODE(q2_k, 3)
POCKET_LARGEST_CODE(iq2_s, 43)
POCKET_LARGEST_CODE(iq2_xs, 43)
POCKET_LARGEST_CODE(iq2_xxs, 43)
POCKET_LARGEST_CODE(tq2_0, 3)
POCKET_LARGEST_CODE(tq1_0, 2)
POCKET_LARGEST_CODE(iq1_m, 9)
POCKET_LARGEST_CODE(iq1_s, 9)
POCKET_LARGEST_CODE(q1_0, 2)
#undef POCKET_LARGEST_CODE

/**
 * Lines of four weights whose products with codes of eight bits can be summed in 16 bits: `lines`, or half as many, and so
 * on. A line adds two products to each sum.
 */
constexpr int linesIn16Bits(int largest, int lines) {
  return 2 * 127 * largest * lines <= INT16_MAX ? lines : linesIn16Bits(largest, lines / 2);
}

template <int group, int zero, bool isSigned, bool affine, int run>
struct GroupKind {
  static constexpr int kGroup = group;
  static constexpr int kLines = group / 4;
  /** Lines of four weights whose products are summed in 16 bits. */
  static constexpr int kRun = run;
  static constexpr int kZero = zero;
  static constexpr bool kSigned = isSigned;
  static constexpr bool kAffine = affine;
  static_assert((zero & (zero - 1)) == 0, "a shift");
};

template <class Format>
using KindOf = GroupKind<Format::kGroup, Format::kZero, Format::kSigned, Format::kAffine,
                         linesIn16Bits(kLargestCode<Format>, Format::kGroup / 4)>;

}  // namespace
