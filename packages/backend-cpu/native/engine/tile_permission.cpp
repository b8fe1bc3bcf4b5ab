#include "tile_permission.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace {

struct Leaf {
  unsigned a, b, c, d;
};

Leaf leafOf(unsigned number, unsigned part) {
  Leaf leaf{};
  __get_cpuid_count(number, part, &leaf.a, &leaf.b, &leaf.c, &leaf.d);
  return leaf;
}

constexpr bool has(unsigned word, int bit) { return (word >> bit & 1) != 0; }

/** The parts of the registers that the system saves (XCR0). Needs OSXSAVE. */
uint64_t savedState() {
  uint32_t low = 0;
  uint32_t high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

/** Eight tiles of 16 rows of 64 bytes, and products of whole ones. */
bool tilesAreOfFullSize() {
  if (leafOf(0x1d, 0).a < 1) return false;
  const Leaf palette = leafOf(0x1d, 1);
  const Leaf product = leafOf(0x1e, 0);
  return palette.a >> 16 == 1024 && (palette.b & 0xffff) == 64 && palette.b >> 16 >= 8 &&
         (palette.c & 0xffff) == 16 && (product.b & 0xff) >= 16 && (product.b >> 8 & 0xffff) >= 64;
}

// As in the kernel's asm/prctl.h, which headers older than 5.16 lack.
constexpr long kGetPermission = 0x1022;
constexpr long kRequestPermission = 0x1023;
constexpr int kTileConfiguration = 17;
constexpr int kTileData = 18;

}  // namespace

std::string whatTilesLack() {
  const Leaf features = leafOf(7, 0);
  constexpr int kBf16 = 22;
  constexpr int kTile = 24;
  if (!has(features.d, kBf16) || !has(features.d, kTile) || !tilesAreOfFullSize()) return "the processor has no AMX";
  constexpr int kOsxsave = 27;
  constexpr uint64_t kBoth = 1ull << kTileConfiguration | 1ull << kTileData;
  if (!has(leafOf(1, 0).c, kOsxsave) || (savedState() & kBoth) != kBoth) return "the system does not save tiles";
  if (syscall(SYS_arch_prctl, kRequestPermission, kTileData) != 0) {
    return std::string("the system gives no permission for tiles: ") + strerror(errno);
  }
  uint64_t permitted = 0;
  if (syscall(SYS_arch_prctl, kGetPermission, &permitted) != 0 || (permitted & kBoth) != kBoth) {
    return "the system gives no permission for tiles";
  }
  return "";
}
#else
std::string whatTilesLack() { return "needs Linux on x86-64"; }
#endif
