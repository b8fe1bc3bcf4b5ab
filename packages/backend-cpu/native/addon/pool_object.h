#pragma once

#include <napi.h>

#include <memory>

#include "../engine/thread_pool.h"

/** JavaScript's hold on a ThreadPool, shared by the executables of a backend. */
class PoolObject : public Napi::ObjectWrap<PoolObject> {
 public:
  static Napi::Function define(Napi::Env env);

  /** new Pool(threads) */
  explicit PoolObject(const Napi::CallbackInfo& info);

  /** Fails with Misuse after `release`. */
  const std::shared_ptr<ThreadPool>& pool() const;

 private:
  Napi::Value threads(const Napi::CallbackInfo& info);
  void release(const Napi::CallbackInfo& info);

  std::shared_ptr<ThreadPool> pool_;
};
