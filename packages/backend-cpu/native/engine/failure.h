// Failures with what a PocketError needs; addon code turns them into JavaScript errors.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

struct OutOfMemory : std::exception {
  OutOfMemory(std::string what, int64_t wanted, int64_t available = -1)
      : what_(std::move(what)), wanted(wanted), available(available) {}
  const char* what() const noexcept override { return what_.c_str(); }
  std::string what_;
  int64_t wanted;
  /** -1 where it is not known. */
  int64_t available;
};

/** A caller's mistake: TypeError. */
struct Misuse : std::exception {
  explicit Misuse(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }
  std::string what_;
};
