// Where C++ exceptions end: each becomes a JavaScript error that src/native/failure.ts understands.
#pragma once

#include <napi.h>

#include <exception>
#include <new>

#include "../engine/failure.h"

/** The JavaScript error of the exception that is being handled. */
inline Napi::Error errorOfException(Napi::Env env) {
  try {
    throw;
  } catch (const OutOfMemory& failure) {
    Napi::Error error = Napi::Error::New(env, "out of memory");
    error.Set("code", Napi::String::New(env, "OUT_OF_MEMORY"));
    error.Set("what", Napi::String::New(env, failure.what_));
    error.Set("wanted", Napi::Number::New(env, static_cast<double>(failure.wanted)));
    if (failure.available >= 0) {
      error.Set("available", Napi::Number::New(env, static_cast<double>(failure.available)));
    }
    return error;
  } catch (const RefusedNumber& failure) {
    Napi::Error error = Napi::Error::New(env, "a number is refused");
    error.Set("code", Napi::String::New(env, "NUMBER_REFUSED"));
    error.Set("op", Napi::String::New(env, failure.op));
    error.Set("column", Napi::Number::New(env, static_cast<double>(failure.column)));
    error.Set("value", Napi::Number::New(env, failure.value));
    return error;
  } catch (const std::bad_alloc&) {
    Napi::Error error = Napi::Error::New(env, "out of memory");
    error.Set("code", Napi::String::New(env, "OUT_OF_MEMORY"));
    return error;
  } catch (const Napi::Error& error) {
    return error;
  } catch (const std::exception& failure) {
    return Napi::TypeError::New(env, failure.what());
  } catch (...) {
    return Napi::Error::New(env, "unknown failure in native code");
  }
}

/** Runs `body`, and throws in JavaScript what it throws. */
template <class Body>
auto guarded(Napi::Env env, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    throw errorOfException(env);
  }
}
