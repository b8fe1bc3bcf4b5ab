// Threads of the engine without Node, for ThreadSanitizer: meeting, the pool, steps that run, steps that are
// cancelled. Prints a line for each test; the exit status is 0 where all hold. With the argument `planted-race` it
// runs into a data race on purpose, which shows that one would be found.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "../../native/engine/executable.h"
#include "../../native/engine/failure.h"

namespace {

constexpr int kThreads = 4;
constexpr int64_t kElements = 2048;
constexpr int kOps = 32;

/** out[i] = x[i] + 2 * x[i + 1]: reads what other threads wrote in the wave before. */
void addNeighbour(const Call& call, int64_t from, int64_t to) {
  const int32_t* x = static_cast<const int32_t*>(call.in[0]);
  int32_t* out = static_cast<int32_t*>(call.out[0]);
  for (int64_t i = from; i < to; i++) out[i] = static_cast<int32_t>((x[i] + 2u * x[(i + 1) % kElements]) & 0xffffu);
}

KernelEntry neighbour() {
  KernelEntry entry{};
  entry.isa = "scalar";
  entry.op = entry.name = "neighbour";
  entry.range = addNeighbour;
  return entry;
}

const KernelEntry kNeighbour = neighbour();

/** A chain of ops, every fourth of which is one portion and so done by whoever arrives last. */
Plan chain() {
  Plan plan;
  for (int i = 0; i <= kOps; i++) plan.valueOffsets.push_back(i * kElements * 4);
  plan.arenaBytes = (kOps + 1) * kElements * 4;
  for (int i = 0; i < kOps; i++) {
    PlannedOp op{};
    op.kind = OpKind::kRange;
    op.kernel = &kNeighbour;
    op.in[0] = i + 1;
    op.out[0] = i + 2;
    op.leadingUnits = 1;
    op.unitsEach = kElements;
    op.portion = i % 4 == 3 ? kElements : 64;
    op.cacheLayer = -1;
    plan.ops.push_back(op);
  }
  return plan;
}

std::vector<int32_t> inputOf(int step) {
  std::vector<int32_t> x(kElements);
  for (int64_t i = 0; i < kElements; i++) x[static_cast<size_t>(i)] = static_cast<int32_t>((i * 7 + step) % 1000);
  return x;
}

/** Runs a step; `out` is left alone where it was cancelled. */
StepOutcome runStep(Executable& executable, int step, std::vector<int32_t>& out) {
  const std::vector<int32_t> x = inputOf(step);
  memcpy(executable.value(0), x.data(), x.size() * 4);
  StepRequest request;
  request.rows = 1;
  for (int i = 0; i < kOps; i++) {
    request.ops.push_back(i);
    request.startsWave.push_back(1);
  }
  request.results.push_back({kOps, reinterpret_cast<uint8_t*>(out.data()), kElements * 4});
  return executable.run(request);
}

bool meetingPublishesWhatCameBefore() {
  ThreadPool pool(kThreads);
  std::vector<int> written(kThreads);
  int rounds = 0;
  std::atomic<int> wrong{0};
  pool.run([&](int thread) {
    for (int round = 1; round <= 2000; round++) {
      written[static_cast<size_t>(thread)] = round;
      pool.meet([&] { rounds++; });
      for (const int value : written) wrong += value == round ? 0 : 1;
      wrong += rounds == round ? 0 : 1;
      pool.meet([] {});
    }
  });
  return wrong == 0 && rounds == 2000;
}

bool aLateThreadWakesThoseThatSleep() {
  ThreadPool pool(kThreads);
  int meetings = 0;
  pool.run([&](int thread) {
    for (int round = 0; round < 8; round++) {
      if (thread == round % kThreads) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      pool.meet([&] { meetings++; });
    }
  });
  return meetings == 8;
}

bool poolsComeAndGo() {
  int ran = 0;
  for (int i = 0; i < 100; i++) {
    ThreadPool pool(1 + i % kThreads);
    std::atomic<int> threads{0};
    for (int run = 0; run < i % 3; run++) pool.run([&](int) { threads++; });
    ran += threads == (i % 3) * pool.threads() ? 1 : 0;
  }
  return ran == 100;
}

bool aStepIsTheSameOnOneThreadAndOnFour() {
  Executable alone(chain(), std::make_shared<ThreadPool>(1));
  Executable together(chain(), std::make_shared<ThreadPool>(kThreads));
  std::vector<int32_t> expected(kElements);
  std::vector<int32_t> out(kElements);
  for (int step = 0; step < 100; step++) {
    runStep(alone, step, expected);
    if (runStep(together, step, out) != StepOutcome::kDone || out != expected) return false;
  }
  return true;
}

bool aCancelledStepEndsAndTheNextIsRight() {
  Executable executable(chain(), std::make_shared<ThreadPool>(kThreads));
  std::vector<int32_t> first(kElements);
  runStep(executable, 1, first);
  int ended = 0;
  for (int i = 0; i < 100; i++) {
    std::vector<int32_t> out(kElements);
    executable.allow();
    std::thread other([&] {
      if (i % 2 == 1) std::this_thread::sleep_for(std::chrono::microseconds(20 * i));
      executable.cancel();
      executable.scratchBytes();
    });
    ended += runStep(executable, 1, out) == StepOutcome::kCancelled ? 1 : 0;
    other.join();
    executable.allow();
    if (runStep(executable, 1, out) != StepOutcome::kDone || out != first) return false;
  }
  return ended > 0;
}

int plantedRace() {
  ThreadPool pool(kThreads);
  int64_t counted = 0;
  // All have begun before one counts, without an order between them: else a thread that wakes late is behind the others.
  std::atomic<int> begun{0};
  pool.run([&](int) {
    begun.fetch_add(1, std::memory_order_relaxed);
    while (begun.load(std::memory_order_relaxed) < kThreads) std::this_thread::yield();
    counted++;
  });
  printf("%lld\n", static_cast<long long>(counted));
  return 0;
}

}  // namespace

/** The engine's own table would bring in every kernel. */
const KernelEntry* findKernel(const std::string&, const std::string&, int) { return &kNeighbour; }

int main(int count, char** arguments) {
  if (count > 1 && strcmp(arguments[1], "planted-race") == 0) return plantedRace();
  const struct {
    const char* name;
    bool (*holds)();
  } tests[] = {
      {"meeting publishes what came before", meetingPublishesWhatCameBefore},
      {"a late thread wakes those that sleep", aLateThreadWakesThoseThatSleep},
      {"pools come and go", poolsComeAndGo},
      {"a step is the same on one thread and on four", aStepIsTheSameOnOneThreadAndOnFour},
      {"a cancelled step ends, and the next is right", aCancelledStepEndsAndTheNextIsRight},
  };
  int failed = 0;
  for (const auto& test : tests) {
    const bool holds = test.holds();
    failed += holds ? 0 : 1;
    printf("%s  %s\n", holds ? "ok    " : "FAILED", test.name);
  }
  return failed == 0 ? 0 : 1;
}
