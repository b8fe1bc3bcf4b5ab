#include "memory.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "failure.h"
#include "memory_limits.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace {

#if defined(__SANITIZE_ADDRESS__)

// From the heap to the byte, so that the sanitizer sees what reads past the end.
uint8_t* allocate(int64_t bytes) {
  void* data = nullptr;
  if (posix_memalign(&data, 64, static_cast<size_t>(bytes)) != 0) return nullptr;
  memset(data, 0, static_cast<size_t>(bytes));
  return static_cast<uint8_t*>(data);
}

void giveBack(uint8_t* data, int64_t) { free(data); }

#elif defined(__linux__)

constexpr int64_t kHugePage = 2 << 20;

uint8_t* allocate(int64_t bytes) {
  void* data = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  if (bytes >= kHugePage) madvise(data, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return static_cast<uint8_t*>(data);
}

void giveBack(uint8_t* data, int64_t bytes) { munmap(data, static_cast<size_t>(bytes)); }

#else

uint8_t* allocate(int64_t bytes) {
  const size_t rounded = (static_cast<size_t>(bytes) + 63) / 64 * 64;
  void* data = aligned_alloc(64, rounded);
  if (data != nullptr) memset(data, 0, rounded);
  return static_cast<uint8_t*>(data);
}

void giveBack(uint8_t* data, int64_t) { free(data); }

#endif

}  // namespace

int64_t checkRoom(int64_t bytes, const std::string& what) {
  const int64_t available = availableMemory();
  if (bytes < 0 || bytes > available) throw OutOfMemory(what, bytes, available);
  return available;
}

Memory::Memory(int64_t bytes, const std::string& what) : bytes_(bytes) {
  if (bytes == 0) return;
  const int64_t available = checkRoom(bytes, what);
  data_ = allocate(bytes);
  if (data_ == nullptr) throw OutOfMemory(what, bytes, available);
}

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Memory::~Memory() {
  if (data_ != nullptr) giveBack(data_, bytes_);
}
