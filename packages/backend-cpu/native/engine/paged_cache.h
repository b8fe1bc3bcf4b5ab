#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../kernels/attention/unit.h"
#include "../kernels/call.h"
#include "memory.h"

/** Sizes of one layer, in numbers. */
struct CacheLayerShape {
  int64_t kvHeads;
  int64_t keySize;
  int64_t valueSize;
};

/** Keys and values of all layers in pages of 32 positions. Fails with OutOfMemory. */
class PagedCache {
 public:
  PagedCache(std::vector<CacheLayerShape> shapes, int64_t pages, const std::string& isa, int32_t format);

  int64_t pages() const { return pages_; }
  int64_t bytes() const;
  /** Bytes of one page in all layers. */
  int64_t pageBytes() const;

  const AttentionKernels& kernels() const { return *kernels_; }
  const std::vector<CacheLayer>& layers() const { return layers_; }
  const std::vector<CacheLayerShape>& shapes() const { return shapes_; }

  void copyPage(int64_t from, int64_t to);
  void readPage(int64_t page, uint8_t* out) const;
  void writePage(int64_t page, const uint8_t* bytes);

 private:
  /** Keys or values of one layer: its pages one after another. */
  struct Plane {
    uint8_t* data;
    int64_t pageBytes;
  };

  const std::vector<CacheLayerShape> shapes_;
  const int64_t pages_;
  const AttentionKernels* kernels_;
  /** All planes in one block, which gets huge pages where a plane by itself is too small for them. */
  Memory memory_;
  std::vector<Plane> planes_;
  std::vector<CacheLayer> layers_;
};
