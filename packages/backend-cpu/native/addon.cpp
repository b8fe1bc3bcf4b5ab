// The module that src/native/addon.ts loads. No exception leaves it, and nothing is printed.
#include <napi.h>

#include "addon/cache_object.h"
#include "addon/executable_object.h"
#include "addon/pool_object.h"
#include "engine/kernel_table.h"
#include "engine/memory_limits.h"
#include "engine/processor.h"
#include "pocketllm_abi.h"

namespace {

Napi::Array textsOf(Napi::Env env, const std::vector<std::string>& texts) {
  Napi::Array array = Napi::Array::New(env);
  for (const std::string& text : texts) array.Set(array.Length(), Napi::String::New(env, text));
  return array;
}

/** What each instruction set of this build runs: { isa, op, format, name }. Some kernels are those of its base. */
Napi::Array kernelsOf(Napi::Env env) {
  Napi::Array array = Napi::Array::New(env);
  for (const std::string& isa : builtIsas()) {
    for (const KernelEntry& entry : kernelTable()) {
      if (findKernel(isa, entry.op, entry.format) != &entry) continue;
      Napi::Object kernel = Napi::Object::New(env);
      kernel.Set("isa", Napi::String::New(env, isa));
      kernel.Set("op", Napi::String::New(env, entry.op));
      kernel.Set("format", Napi::String::New(env, entry.formatName));
      kernel.Set("name", Napi::String::New(env, entry.name));
      array.Set(array.Length(), kernel);
    }
  }
  return array;
}

Napi::Object reasonsAgainst(Napi::Env env) {
  Napi::Object reasons = Napi::Object::New(env);
  for (const std::string& isa : builtIsas()) {
    const std::string reason = reasonAgainst(isa);
    if (!reason.empty()) reasons.Set(isa, Napi::String::New(env, reason));
  }
  return reasons;
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  exports.Set("abi", Napi::Number::New(env, POCKET_ABI_VERSION));
  exports.Set("builtIsas", textsOf(env, builtIsas()));
  exports.Set("usableIsas", textsOf(env, usableIsas()));
  exports.Set("reasonsAgainst", reasonsAgainst(env));
  exports.Set("processor", Napi::String::New(env, processorName()));
  exports.Set("cores", Napi::Number::New(env, usableCores()));
  exports.Set("memoryBytes", Napi::Number::New(env, static_cast<double>(memoryOfMachine())));
  exports.Set("kernels", kernelsOf(env));
  exports.Set("Pool", PoolObject::define(env));
  exports.Set("Executable", ExecutableObject::define(env));
  exports.Set("Cache", CacheObject::define(env));
  return exports;
}

}  // namespace

NODE_API_MODULE(pocketllm_cpu, initialize)
