// Arguments of native functions. What does not fit is a mistake of src/native, and ends as a TypeError.
#pragma once

#include <napi.h>

#include <cmath>
#include <vector>

#include "../engine/failure.h"

inline double numberAt(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsNumber()) throw Misuse("argument " + std::to_string(index) + " is not a number");
  return info[index].As<Napi::Number>().DoubleValue();
}

inline int64_t integerAt(const Napi::CallbackInfo& info, size_t index) {
  const double number = numberAt(info, index);
  if (std::fabs(number) > 9007199254740991.0 || number != std::floor(number)) {
    throw Misuse("argument " + std::to_string(index) + " is not an integer");
  }
  return static_cast<int64_t>(number);
}

/** A count or index below `end`. */
inline int64_t indexAt(const Napi::CallbackInfo& info, size_t index, int64_t end) {
  const int64_t value = integerAt(info, index);
  if (value < 0 || value >= end) throw Misuse("argument " + std::to_string(index) + " is out of range");
  return value;
}

inline std::string textAt(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsString()) throw Misuse("argument " + std::to_string(index) + " is not a string");
  return info[index].As<Napi::String>().Utf8Value();
}

/** The bytes of any typed array. */
struct Bytes {
  uint8_t* data;
  size_t length;
};

inline Bytes bytesOf(const Napi::Value& value) {
  if (!value.IsTypedArray()) throw Misuse("an argument is not a typed array");
  Napi::TypedArray array = value.As<Napi::TypedArray>();
  return {static_cast<uint8_t*>(array.ArrayBuffer().Data()) + array.ByteOffset(), array.ByteLength()};
}

/** A copy of the numbers of a typed array whose elements are of type Number. */
template <class Number>
std::vector<Number> numbersOf(const Napi::Value& value) {
  const Bytes bytes = bytesOf(value);
  if (value.As<Napi::TypedArray>().ElementSize() != sizeof(Number)) throw Misuse("a typed array of the wrong type");
  const Number* numbers = reinterpret_cast<const Number*>(bytes.data);
  return std::vector<Number>(numbers, numbers + bytes.length / sizeof(Number));
}
