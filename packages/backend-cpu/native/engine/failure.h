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

/** A number that an op cannot take. */
struct RefusedNumber : std::exception {
  RefusedNumber(std::string op, int64_t column, double value) : op(std::move(op)), column(column), value(value) {}
  const char* what() const noexcept override { return op.c_str(); }
  std::string op;
  int64_t column;
  double value;
};

/** A caller's mistake: TypeError. */
struct Misuse : std::exception {
  explicit Misuse(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }
  std::string what_;
};
