#pragma once

#include <napi.h>

#include <memory>

#include "../engine/executable.h"

/** JavaScript's hold on an Executable. A step that runs keeps it alive beyond `release`. */
class ExecutableObject : public Napi::ObjectWrap<ExecutableObject> {
 public:
  static Napi::Function define(Napi::Env env);

  /** new Executable(pool, isa, records, opNames, valueOffsets, arenaBytes, weightBytes) */
  explicit ExecutableObject(const Napi::CallbackInfo& info);

 private:
  Executable& executable() const;
  void writeWeight(const Napi::CallbackInfo& info);
  Napi::Value packWeights(const Napi::CallbackInfo& info);
  void setInput(const Napi::CallbackInfo& info);
  Napi::Value run(const Napi::CallbackInfo& info);
  void cancel(const Napi::CallbackInfo& info);
  void release(const Napi::CallbackInfo& info);
  Napi::Value scratchBytes(const Napi::CallbackInfo& info);
  StepRequest requestOf(const Napi::CallbackInfo& info) const;

  std::shared_ptr<Executable> executable_;
};
