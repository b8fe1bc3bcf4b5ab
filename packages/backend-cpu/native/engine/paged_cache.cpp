#include "paged_cache.h"

#include <cstring>

#include "failure.h"
#include "kernel_table.h"

PagedCache::PagedCache(std::vector<CacheLayerShape> shapes, int64_t pages, const std::string& isa, int32_t format)
    : shapes_(std::move(shapes)), pages_(pages) {
  const KernelEntry* entry = findKernel(isa, "attention", format);
  if (entry == nullptr) throw Misuse("no cache of this format on " + isa);
  kernels_ = entry->attention;
  // In doubles first: sizes of a hostile program may not fit 64 bits together.
  double total = 0;
  for (const CacheLayerShape& shape : shapes_) {
    for (const int64_t size : {shape.keySize, shape.valueSize}) {
      total += static_cast<double>(kernels_->rowBytes(size)) * static_cast<double>(shape.kvHeads) * kPagePositions *
               static_cast<double>(pages);
    }
  }
  memory_ = Memory(total > 9e15 ? INT64_MAX : static_cast<int64_t>(total), "cache pages");
  uint8_t* data = memory_.data();
  for (const CacheLayerShape& shape : shapes_) {
    for (const int64_t size : {shape.keySize, shape.valueSize}) {
      const int64_t pageBytes = kernels_->rowBytes(size) * shape.kvHeads * kPagePositions;
      planes_.push_back({data, pageBytes});
      data += pageBytes * pages;
    }
  }
  for (size_t i = 0; i < planes_.size(); i += 2) layers_.push_back({planes_[i].data, planes_[i + 1].data, format});
}

int64_t PagedCache::bytes() const { return pageBytes() * pages_; }

int64_t PagedCache::pageBytes() const {
  int64_t sum = 0;
  for (const Plane& plane : planes_) sum += plane.pageBytes;
  return sum;
}

void PagedCache::copyPage(int64_t from, int64_t to) {
  for (const Plane& plane : planes_) {
    memmove(plane.data + to * plane.pageBytes, plane.data + from * plane.pageBytes,
            static_cast<size_t>(plane.pageBytes));
  }
}

void PagedCache::readPage(int64_t page, uint8_t* out) const {
  for (const Plane& plane : planes_) {
    memcpy(out, plane.data + page * plane.pageBytes, static_cast<size_t>(plane.pageBytes));
    out += plane.pageBytes;
  }
}

void PagedCache::writePage(int64_t page, const uint8_t* bytes) {
  for (const Plane& plane : planes_) {
    memcpy(plane.data + page * plane.pageBytes, bytes, static_cast<size_t>(plane.pageBytes));
    bytes += plane.pageBytes;
  }
}
