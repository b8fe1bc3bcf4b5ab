// Failures with what a PocketError needs; addon code turns them into JavaScript errors.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

struct OutOfMemory : std::exception {
  OutOfMemory(std::string what, int64_t wanted) : what_(std::move(what)), wanted(wanted) {}
  const char* what() const noexcept override { return what_.c_str(); }
  std::string what_;
  int64_t wanted;
};

/** A caller's mistake: TypeError. */
struct Misuse : std::exception {
  explicit Misuse(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }
  std::string what_;
};
