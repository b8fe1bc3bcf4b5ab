#include "pool_object.h"

#include "arguments.h"
#include "failures.h"

Napi::Function PoolObject::define(Napi::Env env) {
  return DefineClass(
      env, "Pool",
      {InstanceAccessor<&PoolObject::threads>("threads"), InstanceMethod<&PoolObject::release>("release")});
}

PoolObject::PoolObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<PoolObject>(info) {
  guarded(info.Env(), [&] {
    const int64_t threads = integerAt(info, 0);
    if (threads < 1 || threads > 1024) throw Misuse("threads are between 1 and 1024");
    pool_ = std::make_shared<ThreadPool>(static_cast<int>(threads));
  });
}

const std::shared_ptr<ThreadPool>& PoolObject::pool() const {
  if (pool_ == nullptr) throw Misuse("the pool was released");
  return pool_;
}

Napi::Value PoolObject::threads(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return Napi::Number::New(info.Env(), pool()->threads()); });
}

void PoolObject::release(const Napi::CallbackInfo&) { pool_.reset(); }
