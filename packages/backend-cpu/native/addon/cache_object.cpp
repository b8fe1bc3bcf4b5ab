#include "cache_object.h"

#include "arguments.h"
#include "failures.h"

Napi::Function CacheObject::define(Napi::Env env) {
  return DefineClass(env, "Cache",
                     {InstanceAccessor<&CacheObject::bytes>("bytes"),
                      InstanceAccessor<&CacheObject::pageBytes>("pageBytes"),
                      InstanceMethod<&CacheObject::copyPage>("copyPage"),
                      InstanceMethod<&CacheObject::readPage>("readPage"),
                      InstanceMethod<&CacheObject::writePage>("writePage"),
                      InstanceMethod<&CacheObject::release>("release")});
}

CacheObject::CacheObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<CacheObject>(info) {
  guarded(info.Env(), [&] {
    const std::vector<double> numbers = numbersOf<double>(info[1]);
    std::vector<CacheLayerShape> shapes;
    for (size_t i = 0; i + 2 < numbers.size(); i += 3) {
      shapes.push_back({static_cast<int64_t>(numbers[i]), static_cast<int64_t>(numbers[i + 1]),
                        static_cast<int64_t>(numbers[i + 2])});
    }
    cache_ = std::make_shared<PagedCache>(std::move(shapes), integerAt(info, 2), textAt(info, 0),
                                          static_cast<int32_t>(integerAt(info, 3)));
  });
}

const std::shared_ptr<PagedCache>& CacheObject::cache() const {
  if (cache_ == nullptr) throw Misuse("the cache was released");
  return cache_;
}

Napi::Value CacheObject::bytes(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return Napi::Number::New(info.Env(), static_cast<double>(cache()->bytes())); });
}

Napi::Value CacheObject::pageBytes(const Napi::CallbackInfo& info) {
  return guarded(info.Env(),
                 [&] { return Napi::Number::New(info.Env(), static_cast<double>(cache()->pageBytes())); });
}

void CacheObject::copyPage(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    const int64_t pages = cache()->pages();
    cache_->copyPage(indexAt(info, 0, pages), indexAt(info, 1, pages));
  });
}

void CacheObject::readPage(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    const Bytes to = bytesOf(info[1]);
    if (static_cast<int64_t>(to.length) != cache()->pageBytes()) throw Misuse("a page of another size");
    cache_->readPage(indexAt(info, 0, cache_->pages()), to.data);
  });
}

void CacheObject::writePage(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    const Bytes from = bytesOf(info[1]);
    if (static_cast<int64_t>(from.length) != cache()->pageBytes()) throw Misuse("a page of another size");
    cache_->writePage(indexAt(info, 0, cache_->pages()), from.data);
  });
}

void CacheObject::release(const Napi::CallbackInfo&) { cache_.reset(); }
