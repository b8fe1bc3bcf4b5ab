#include "thread_pool.h"

#include <system_error>

#include "failure.h"

ThreadPool::ThreadPool(int threads) : threads_(threads), barrier_(threads) {
  workers_.reserve(static_cast<size_t>(threads - 1));
  try {
    for (int thread = 1; thread < threads; thread++) {
      workers_.emplace_back([this, thread] {
        for (;;) {
          barrier_.wait([] {});
          if (stopping_) return;
          (*task_)(thread);
          barrier_.wait([] {});
        }
      });
    }
  } catch (const std::system_error&) {
    barrier_.expect(static_cast<int>(workers_.size()) + 1);
    stop();
    throw OutOfMemory("threads", threads);
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  stopping_ = true;
  barrier_.wait([] {});
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(const std::function<void(int)>& task) {
  task_ = &task;
  barrier_.wait([] {});
  task(0);
  barrier_.wait([] {});
}
