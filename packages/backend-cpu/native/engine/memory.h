#pragma once

#include <cstdint>
#include <string>

/** Fails with OutOfMemory where so much cannot be filled now: for what is allocated in several pieces. Gives what can. */
int64_t checkRoom(int64_t bytes, const std::string& what);

/**
 * Zeroed memory, aligned to 64 bytes and given back on destruction. Large blocks ask for huge pages, which decoding
 * needs to keep up with the memory. Fails with OutOfMemory.
 */
class Memory {
 public:
  Memory() = default;
  Memory(int64_t bytes, const std::string& what);
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  ~Memory();

  uint8_t* data() const { return data_; }
  int64_t bytes() const { return bytes_; }

 private:
  uint8_t* data_ = nullptr;
  int64_t bytes_ = 0;
};
