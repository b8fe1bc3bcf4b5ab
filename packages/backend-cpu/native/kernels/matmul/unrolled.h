// Loops written out, whose counter is a constant to the compiler: instructions have such numbers in them.
#pragma once

#include <utility>

#include "../../vector/f32x8.h"

#define POCKET_METHOD inline __attribute__((always_inline))

namespace {

template <int value>
struct Constant {
  static constexpr int kValue = value;
};

template <int... i, class Body>
POCKET_INLINE void callEach(std::integer_sequence<int, i...>, Body&& body) {
  (body(Constant<i>{}), ...);
}

/** body(Constant<0>) to body(Constant<count - 1>). */
template <int count, class Body>
POCKET_INLINE void unrolled(Body&& body) {
  callEach(std::make_integer_sequence<int, count>{}, body);
}

}  // namespace
