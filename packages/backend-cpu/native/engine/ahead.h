#pragma once

#include <algorithm>
#include <cstdint>

/** Memory that is read from its beginning on. */
struct Stretch {
  const uint8_t* at;
  int64_t bytes;
};

/**
 * Asks for a stretch of memory, some lines at each call: for a thread that waits for others, so that the memory works
 * meanwhile. What is asked for goes to the second-level cache, which holds much more than kMost.
 */
class Ahead {
 public:
  explicit Ahead(Stretch stretch) : at_(stretch.at), left_(std::min(stretch.bytes, kMost)) {}

  void operator()() {
    for (int i = 0; i < kLines && left_ > 0; i++) {
      __builtin_prefetch(at_, 0, 2);
      at_ += kLine;
      left_ -= kLine;
    }
  }

 private:
  static constexpr int64_t kLine = 64;
  /** As many as the memory brings from one look to the next. */
  static constexpr int kLines = 8;
  static constexpr int64_t kMost = 128 << 10;
  const uint8_t* at_;
  int64_t left_;
};
