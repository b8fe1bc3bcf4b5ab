#include "executable_object.h"

#include <functional>

#include "arguments.h"
#include "cache_object.h"
#include "failures.h"
#include "pool_object.h"

namespace {

/**
 * Runs work of an executable on a thread of libuv, which becomes thread 0 of the pool. `kept` keeps the memory that
 * the work writes to.
 */
class ExecutableWorker : public Napi::AsyncWorker {
 public:
  ExecutableWorker(Napi::Env env, std::function<bool()> work, Napi::Object kept)
      : Napi::AsyncWorker(env),
        work_(std::move(work)),
        kept_(Napi::Persistent(kept)),
        deferred_(Napi::Promise::Deferred::New(env)) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override {
    try {
      result_ = work_();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void OnOK() override {
    if (failure_ == nullptr) {
      deferred_.Resolve(Napi::Boolean::New(Env(), result_));
      return;
    }
    try {
      std::rethrow_exception(failure_);
    } catch (...) {
      deferred_.Reject(errorOfException(Env()).Value());
    }
  }

 private:
  const std::function<bool()> work_;
  const Napi::ObjectReference kept_;
  const Napi::Promise::Deferred deferred_;
  bool result_ = false;
  std::exception_ptr failure_;
};

/** A promise of what `work` gives. */
Napi::Value runLater(Napi::Env env, std::function<bool()> work, Napi::Object kept) {
  ExecutableWorker* worker = new ExecutableWorker(env, std::move(work), kept);
  const Napi::Promise promise = worker->promise();
  worker->Queue();
  return promise;
}

template <class Wrapped>
Wrapped& unwrap(const Napi::Value& value) {
  if (!value.IsObject()) throw Misuse("an argument is not an object");
  Wrapped* wrapped = Wrapped::Unwrap(value.As<Napi::Object>());
  if (wrapped == nullptr) throw Misuse("an argument is an object of another kind");
  return *wrapped;
}

/** Four numbers a sequence: rows, position of the first, whether it decodes, pages. */
void readSequences(const std::vector<double>& numbers, StepRequest& request) {
  size_t page = 0;
  int64_t row = 0;
  for (size_t i = 0; i + 3 < numbers.size(); i += 4) {
    SequenceRows sequence{row, static_cast<int64_t>(numbers[i]), static_cast<int64_t>(numbers[i + 1]),
                          numbers[i + 2] != 0, request.pages.data() + page};
    const size_t pages = static_cast<size_t>(numbers[i + 3]);
    const int64_t positions = sequence.start + sequence.rows;
    if (request.cache != nullptr && positions > static_cast<int64_t>(pages) * kPagePositions) {
      throw Misuse("a sequence has too few pages");
    }
    request.sequences.push_back(sequence);
    row += sequence.rows;
    page += pages;
  }
  if (page > request.pages.size()) throw Misuse("sequences have too few pages");
  if (!request.sequences.empty() && row != request.rows) throw Misuse("sequences have other rows than the step");
  for (const int32_t id : request.pages) {
    if (request.cache != nullptr && (id < 0 || id >= request.cache->pages())) throw Misuse("a page is out of range");
  }
}

}  // namespace

Napi::Function ExecutableObject::define(Napi::Env env) {
  return DefineClass(env, "Executable",
                     {InstanceMethod<&ExecutableObject::writeWeight>("writeWeight"),
                      InstanceMethod<&ExecutableObject::packWeights>("packWeights"),
                      InstanceMethod<&ExecutableObject::setInput>("setInput"),
                      InstanceMethod<&ExecutableObject::run>("run"),
                      InstanceMethod<&ExecutableObject::cancel>("cancel"),
                      InstanceMethod<&ExecutableObject::release>("release"),
                      InstanceAccessor<&ExecutableObject::scratchBytes>("scratchBytes")});
}

ExecutableObject::ExecutableObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<ExecutableObject>(info) {
  guarded(info.Env(), [&] {
    const std::vector<double> records = numbersOf<double>(info[2]);
    std::vector<std::string> opNames;
    const Napi::Array names = info[3].As<Napi::Array>();
    for (uint32_t i = 0; i < names.Length(); i++) opNames.push_back(names.Get(i).ToString().Utf8Value());
    Plan plan = readPlan(textAt(info, 1), records.data(), records.size(), opNames);
    for (const double offset : numbersOf<double>(info[4])) plan.valueOffsets.push_back(static_cast<int64_t>(offset));
    plan.arenaBytes = integerAt(info, 5);
    for (const double bytes : numbersOf<double>(info[6])) plan.weightBytes.push_back(static_cast<int64_t>(bytes));
    executable_ = std::make_shared<Executable>(std::move(plan), unwrap<PoolObject>(info[0]).pool());
  });
}

Executable& ExecutableObject::executable() const {
  if (executable_ == nullptr) throw Misuse("the executable was released");
  return *executable_;
}

/** (weight, offset, bytes) */
void ExecutableObject::writeWeight(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    const size_t weight = static_cast<size_t>(indexAt(info, 0, static_cast<int64_t>(executable().weightCount())));
    const Bytes bytes = bytesOf(info[2]);
    const int64_t room = executable().weightBytes(weight) - static_cast<int64_t>(bytes.length);
    executable().writeWeight(weight, indexAt(info, 1, room + 1), bytes.data, static_cast<int64_t>(bytes.length));
  });
}

/** Stores the weights as kernels read them; resolves when it is done. */
Napi::Value ExecutableObject::packWeights(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    executable();
    const auto work = [executable = executable_] {
      executable->packWeights();
      return true;
    };
    return runLater(info.Env(), work, info.This().As<Napi::Object>());
  });
}

/** (value, numbers): copies an input of the next step to its place. */
void ExecutableObject::setInput(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    const size_t value = static_cast<size_t>(integerAt(info, 0));
    const Bytes bytes = bytesOf(info[1]);
    if (static_cast<int64_t>(bytes.length) > executable().roomOfValue(value)) throw Misuse("an input is too large");
    memcpy(executable().value(value), bytes.data, bytes.length);
  });
}

StepRequest ExecutableObject::requestOf(const Napi::CallbackInfo& info) const {
  StepRequest request;
  request.rows = integerAt(info, 0);
  request.outputs = integerAt(info, 1);
  request.pages = numbersOf<int32_t>(info[3]);
  if (info[4].IsObject()) request.cache = unwrap<CacheObject>(info[4]).cache();
  request.cacheLayers = numbersOf<int32_t>(info[5]);
  request.ops = numbersOf<int32_t>(info[6]);
  request.startsWave = numbersOf<uint8_t>(info[7]);
  if (request.startsWave.size() != request.ops.size()) throw Misuse("ops and waves differ in number");
  readSequences(numbersOf<double>(info[2]), request);
  const std::vector<int32_t> values = numbersOf<int32_t>(info[8]);
  const Napi::Array results = info[9].As<Napi::Array>();
  for (uint32_t i = 0; i < results.Length(); i++) {
    const Bytes bytes = bytesOf(results.Get(i));
    if (static_cast<int64_t>(bytes.length) > executable().roomOfValue(static_cast<size_t>(values.at(i)))) {
      throw Misuse("a result is too large");
    }
    request.results.push_back({values[i], bytes.data, static_cast<int64_t>(bytes.length)});
  }
  return request;
}

/**
 * (rows, outputs, sequences, pages, cache, cacheLayers, ops, startsWave, resultValues, results)
 * Resolves to false where it was cancelled.
 */
Napi::Value ExecutableObject::run(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    executable().allow();
    // A copy of a request would still point into the first one's pages.
    const auto work = [executable = executable_, request = std::make_shared<const StepRequest>(requestOf(info))] {
      return executable->run(*request) == StepOutcome::kDone;
    };
    return runLater(info.Env(), work, info[9].As<Napi::Object>());
  });
}

void ExecutableObject::cancel(const Napi::CallbackInfo&) {
  if (executable_ != nullptr) executable_->cancel();
}

void ExecutableObject::release(const Napi::CallbackInfo&) { executable_.reset(); }

Napi::Value ExecutableObject::scratchBytes(const Napi::CallbackInfo& info) {
  const int64_t bytes = executable_ == nullptr ? 0 : executable_->scratchBytes();
  return Napi::Number::New(info.Env(), static_cast<double>(bytes));
}
