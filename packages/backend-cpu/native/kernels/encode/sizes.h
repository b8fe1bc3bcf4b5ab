// Sizes of an encode call. The order stands in src/plan/lowerings.ts too.
#pragma once

struct EncodeSizes {
  enum Size { kCols, kRowBytes };
};

/** The weights of a unit: so many that a unit is whole blocks of any format, but for the last of a row. */
constexpr int kEncodeUnit = 512;
