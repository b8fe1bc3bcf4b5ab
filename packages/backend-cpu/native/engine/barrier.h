#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

struct Nothing {
  void operator()() const {}
};

/**
 * A place where a fixed number of threads wait for each other. A thread looks for a short while, since most waits
 * within a step are short, then sleeps: waiting costs nothing, and never holds up another process.
 */
class Barrier {
 public:
  explicit Barrier(int threads) : threads_(threads) {}

  /** Changes how many are waited for; only while fewer than that wait. */
  void expect(int threads) { threads_.store(threads, std::memory_order_relaxed); }

  /** The last to arrive runs `last` before any goes on; the others call `meanwhile`, which is short, between looks. */
  template <class Last, class Meanwhile = Nothing>
  void wait(Last last, Meanwhile meanwhile = {}) {
    const unsigned generation = generation_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == threads_.load(std::memory_order_relaxed) - 1) {
      last();
      arrived_.store(0, std::memory_order_relaxed);
      {
        std::lock_guard<std::mutex> lock(mutex_);
        generation_.store(generation + 1, std::memory_order_release);
      }
      wake_.notify_all();
      return;
    }
    for (int i = 0; i < kLooks; i++) {
      if (generation_.load(std::memory_order_acquire) != generation) return;
      meanwhile();
      pause();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [&] { return generation_.load(std::memory_order_acquire) != generation; });
  }

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

 private:
  /** Some tens of microseconds. */
  static constexpr int kLooks = 2000;
  std::atomic<int> threads_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> generation_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
};
