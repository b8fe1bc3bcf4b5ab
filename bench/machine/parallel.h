// Runs one function on several threads that start together, and times it.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

// Seconds from the common start until the last thread is done. `work` gets the number of its thread.
template <typename Work>
double timed(int threads, const Work &work) {
  std::atomic<int> ready{0};
  std::atomic<bool> go{false};
  std::vector<std::thread> others;
  const auto body = [&](int thread) {
    ready.fetch_add(1);
    while (!go.load()) std::this_thread::yield();
    work(thread);
  };
  for (int thread = 1; thread < threads; thread++) others.emplace_back(body, thread);
  while (ready.load() < threads - 1) std::this_thread::yield();
  const auto start = std::chrono::steady_clock::now();
  go.store(true);
  work(0);
  for (auto &other : others) other.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
