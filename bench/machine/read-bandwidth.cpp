// The best rate at which all threads together read memory that no cache holds.
//
// Each thread reads its own part of one buffer, from 1, 2, 4 or 8 places at once: which is fastest depends on the
// machine. The buffer has huge pages where the system gives them, as a backend's weights would.
#include "read-bandwidth.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

#include "parallel.h"

namespace {

typedef int64_t Lane __attribute__((vector_size(32)));

constexpr size_t kBytes = size_t{1} << 29;
constexpr int kPasses = 6;

// Wide loads where the processor has them; the sum keeps the loads from being dropped.
#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
int64_t sum(const Lane *data, size_t lanes, int streams) {
  const size_t length = lanes / streams;
  Lane total[4] = {};
  for (size_t i = 0; i + 4 <= length; i += 4) {
    for (int stream = 0; stream < streams; stream++) {
      const Lane *at = data + stream * length + i;
      for (int k = 0; k < 4; k++) total[k] += at[k];
    }
  }
  const Lane all = total[0] + total[1] + total[2] + total[3];
  return all[0] + all[1] + all[2] + all[3];
}

}  // namespace

ReadBandwidth measureReadBandwidth(int threads) {
  void *memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
#ifdef MADV_HUGEPAGE
  madvise(memory, kBytes, MADV_HUGEPAGE);
#endif
  auto *lanes = static_cast<Lane *>(memory);
  const size_t share = kBytes / sizeof(Lane) / threads;
  timed(threads, [&](int thread) {
    for (size_t i = 0; i < share; i++) lanes[thread * share + i] = Lane{1, 1, 1, 1};
  });
  ReadBandwidth best;
  for (const int streams : {1, 2, 4, 8}) {
    for (int pass = 0; pass < kPasses; pass++) {
      const double seconds = timed(threads, [&](int thread) {
        volatile int64_t keep = sum(lanes + thread * share, share, streams);
        (void)keep;
      });
      const double rate = static_cast<double>(share * threads * sizeof(Lane)) / seconds;
      if (rate > best.bytesPerSecond) best = {rate, streams};
    }
  }
  munmap(memory, kBytes);
  return best;
}
