#pragma once

#include <napi.h>

#include <memory>

#include "../engine/paged_cache.h"

/** JavaScript's hold on a PagedCache. A step that runs keeps it alive beyond `release`. */
class CacheObject : public Napi::ObjectWrap<CacheObject> {
 public:
  static Napi::Function define(Napi::Env env);

  /** new Cache(isa, layers, pages, format): three numbers a layer. */
  explicit CacheObject(const Napi::CallbackInfo& info);

  /** Fails with Misuse after `release`. */
  const std::shared_ptr<PagedCache>& cache() const;

 private:
  Napi::Value bytes(const Napi::CallbackInfo& info);
  Napi::Value pageBytes(const Napi::CallbackInfo& info);
  void copyPage(const Napi::CallbackInfo& info);
  void readPage(const Napi::CallbackInfo& info);
  void writePage(const Napi::CallbackInfo& info);
  void release(const Napi::CallbackInfo& info);

  std::shared_ptr<PagedCache> cache_;
};
