// Times every matmul kernel of one instruction set on one core, beside the rate at which this machine reads memory:
//
//   kernels ISA [FORMAT...]
//
// One that this machine lacks is left out, by name.
// For one row of x (an answer): GB/s of weight bytes, on a matrix that no cache holds. For 8 and 16 answers on the same
// matrix, and for 64 and 512 rows of prompts on one that stays in the cache: billions of multiplications and additions
// a second, each counted. Weights are random bytes with the scales of blocks made harmless; best of several runs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../../packages/backend-cpu/native/engine/kernel_table.h"
#include "../../packages/backend-cpu/native/engine/memory.h"
#include "../../packages/backend-cpu/native/engine/processor.h"
#include "../../packages/backend-cpu/native/kernels/matmul/amx/tiled_rows.h"
#include "pocketllm_abi.h"

namespace {

struct Size {
  int weights;
  int bytes;
};

#define POCKET_BLOCK(NAME) case POCKET_FORMAT_##NAME: return {POCKET_##NAME##_WEIGHTS, POCKET_##NAME##_BYTES};

Size blockOf(int format) {
  switch (format) {
    POCKET_BLOCK(Q8_0) POCKET_BLOCK(Q6_K) POCKET_BLOCK(Q5_0) POCKET_BLOCK(Q5_1) POCKET_BLOCK(Q5_K) POCKET_BLOCK(Q4_0)
    POCKET_BLOCK(Q4_1) POCKET_BLOCK(Q4_K) POCKET_BLOCK(IQ4_NL) POCKET_BLOCK(IQ4_XS) POCKET_BLOCK(MXFP4)
    POCKET_BLOCK(NVFP4) POCKET_BLOCK(Q3_K) POCKET_BLOCK(IQ3_S) POCKET_BLOCK(IQ3_XXS) POCKET_BLOCK(Q2_0)
    POCKET_BLOCK(Q2_K) POCKET_BLOCK(IQ2_S) POCKET_BLOCK(IQ2_XS) POCKET_BLOCK(IQ2_XXS) POCKET_BLOCK(TQ2_0)
    POCKET_BLOCK(TQ1_0) POCKET_BLOCK(IQ1_M) POCKET_BLOCK(IQ1_S) POCKET_BLOCK(Q1_0)
    case POCKET_FORMAT_F32: return {1, 4};
    default: return {1, 2};
  }
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/** The shortest of several runs. */
template <class Body>
double timeOf(int runs, Body body) {
  double best = 1e9;
  for (int i = 0; i < runs; i++) {
    const double start = seconds();
    body();
    best = std::min(best, seconds() - start);
  }
  return best;
}

constexpr int64_t kFeatures = 1024;
constexpr int64_t kColdBytes = 64 << 20;
constexpr int64_t kWarmOuts = 256;
constexpr int64_t kManyAnswers = 16;
constexpr int64_t kFewRows = 64;
constexpr int64_t kRows = 512;

/** GB/s of plain reading, by four streams. */
double readRate(const uint8_t* data, int64_t bytes) {
  volatile uint64_t sink = 0;
  const double best = timeOf(5, [&] {
    uint64_t sums[4] = {};
    const uint64_t* words = reinterpret_cast<const uint64_t*>(data);
    const int64_t quarter = bytes / 32;
    for (int64_t i = 0; i < quarter; i++) {
      for (int s = 0; s < 4; s++) sums[s] ^= words[s * quarter + i];
    }
    sink = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
  });
  return static_cast<double>(bytes) / best / 1e9;
}

/** Rows of x as the kernel reads them. */
class Rows {
 public:
  Rows(const std::string& isa, const KernelEntry& kernel, bool decode) : memory_(kRows * 4 * kFeatures, "x") {
    std::vector<float> x(kRows * kFeatures);
    for (size_t i = 0; i < x.size(); i++) x[i] = std::sin(static_cast<float>(i));
    const bool plain = blockOf(kernel.format).weights == 1;
    const KernelEntry* quantize = findKernel(isa, "quantize_rows", plain ? POCKET_FORMAT_BF16 : POCKET_FORMAT_F32);
    if (quantize == nullptr || kernel.format == POCKET_FORMAT_F32) {
      memcpy(memory_.data(), x.data(), x.size() * sizeof(float));
      return;
    }
    rowBytes = plain ? 4 * kFeatures : 3 * kFeatures;
    const std::vector<uint8_t> decodes(kRows, decode);
    Call call{};
    call.in[0] = x.data();
    call.out[0] = memory_.data();
    call.size[0] = kFeatures;
    call.size[1] = rowBytes;
    call.size[2] = 1;
    call.units = kRows;
    call.decodes = decode ? decodes.data() : nullptr;
    quantize->range(call, 0, kRows);
  }
  const uint8_t* data() const { return memory_.data(); }
  int64_t rowBytes = 4 * kFeatures;

 private:
  Memory memory_;
};

void measure(const std::string& isa, const KernelEntry& kernel, uint8_t* weights) {
  const Size block = blockOf(kernel.format);
  const int64_t rowBytes = kFeatures / block.weights * block.bytes;
  const Rows answers(isa, kernel, true);
  const Rows prompts(isa, kernel, false);
  Memory scratch(std::max(kTileScratchPerFeature * kFeatures + kTileScratch, kPanelTileScratch), "scratch");
  const int64_t coldOuts = kColdBytes / rowBytes;
  std::vector<float> out(std::max(kManyAnswers * coldOuts, kRows * kWarmOuts));
  MatmulTile tile{};
  tile.weights = weights;
  tile.rowBytes = rowBytes;
  tile.inFeatures = kFeatures;
  tile.xRowBytes = answers.rowBytes;
  tile.out = out.data();
  tile.scratch = scratch.data();
  tile.x = answers.data();
  tile.fine = true;
  tile.outs = coldOuts;
  tile.outStride = coldOuts;
  const auto timeOfRows = [&](int64_t rows, int runs) {
    tile.rows = rows;
    return timeOf(runs, [&] { kernel.matmul(tile); });
  };
  const auto rate = [&](int64_t rows, int runs) {
    return 2.0 * static_cast<double>(rows * tile.outs * kFeatures) / timeOfRows(rows, runs) / 1e9;
  };
  const double one = timeOfRows(1, 5);
  printf("%-28s %7.1f GB/s %7.1f G weights/s", kernel.name, static_cast<double>(kColdBytes) / one / 1e9,
         static_cast<double>(coldOuts * kFeatures) / one / 1e9);
  const double eight = rate(kManyAnswers / 2, 3);
  printf("   8 answers %7.1f, 16 answers %7.1f", eight, rate(kManyAnswers, 3));
  tile.x = prompts.data();
  tile.fine = false;
  tile.tiledRows = tiledRows(nullptr, kRows, 1);
  tile.outs = kWarmOuts;
  tile.outStride = kWarmOuts;
  const double few = rate(kFewRows, 15);
  printf("   64 rows %7.1f, 512 rows %7.1f GFLOP/s\n", few, rate(kRows, 15));
  fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string isa = count > 1 ? arguments[1] : "avx2";
  const std::vector<std::string> usable = usableIsas();
  if (std::find(usable.begin(), usable.end(), isa) == usable.end()) {
    const std::string reason = reasonAgainst(isa);
    printf("%s is left out: %s\n", isa.c_str(), reason.empty() ? "this machine does not run it" : reason.c_str());
    return 0;
  }
  // Kernels on panels read a little ahead of them.
  Memory weights(kColdBytes + kTouchRoom, "weights");
  uint64_t state = 88172645463325252u;
  for (int64_t i = 0; i < kColdBytes; i += 8) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    // Halves among the bytes stay small: no infinities, which processors may be slow at.
    const uint64_t word = state & 0x3fff3fff3fff3fffu;
    memcpy(weights.data() + i, &word, 8);
  }
  printf("reading memory, one core: %.1f GB/s\n", readRate(weights.data(), kColdBytes));
  for (const KernelEntry& kernel : kernelTable()) {
    if (kernel.matmul == nullptr || isa != kernel.isa) continue;
    const auto asked = [&](const char* format) { return std::string(format) == kernel.formatName; };
    if (count > 2 && std::none_of(arguments + 2, arguments + count, asked)) continue;
    measure(isa, kernel, weights.data());
  }
  return 0;
}
