#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "barrier.h"

/**
 * Threads that run one task together: the caller is thread 0, the others are kept asleep in between. One run at a
 * time.
 */
class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();

  int threads() const { return threads_; }

  /** Runs task(thread) on every thread and returns when all are done. The task must not throw. */
  void run(const std::function<void(int)>& task);

  /** For the threads of a running task: as Barrier::wait. */
  template <class Last, class Meanwhile = Nothing>
  void meet(Last last, Meanwhile meanwhile = {}) {
    barrier_.wait(last, meanwhile);
  }

 private:
  void stop();

  const int threads_;
  Barrier barrier_;
  const std::function<void(int)>* task_ = nullptr;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};
