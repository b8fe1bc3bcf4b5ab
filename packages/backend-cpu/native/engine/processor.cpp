#include "processor.h"

#include <cstdio>
#include <cstring>
#include <thread>

#include "tile_permission.h"

#ifdef __linux__
#include <sched.h>
#endif
#ifndef _WIN32
#include <unistd.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(POCKET_HAS_NEON) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(POCKET_HAS_NEON)
#include <sys/sysctl.h>
#endif

namespace {

struct Isa {
  const char* name;
  bool (*usable)();
};

// Each demands all that binding.gyp compiles its library for. The builtins also ask whether the system keeps the wide
// registers.
#ifdef POCKET_HAS_AVX2
bool hasAvx2() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}
#endif

#if defined(POCKET_HAS_AVXVNNI) && !defined(POCKET_EMULATED)
bool hasAvxVnni() {
  unsigned int a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned int kAvxVnni = 1 << 4;
  return hasAvx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & kAvxVnni) != 0;
}
#endif

#ifdef POCKET_HAS_AVX512VNNI
bool hasAvx512Vnni() {
  return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
}
#endif

#if defined(POCKET_HAS_NEON) && defined(__linux__)
bool hasDotProducts() { return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }
bool hasI8mm() { return hasDotProducts() && (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0; }
#elif defined(POCKET_HAS_NEON)
bool hasFeature(const char* name) {
  int value = 0;
  size_t size = sizeof value;
  return sysctlbyname(name, &value, &size, nullptr, 0) == 0 && value != 0;
}
bool hasDotProducts() { return hasFeature("hw.optional.arm.FEAT_DotProd"); }
bool hasI8mm() { return hasDotProducts() && hasFeature("hw.optional.arm.FEAT_I8MM"); }
#endif

#if defined(POCKET_HAS_AMX) && !defined(POCKET_EMULATED)
/** Empty where nothing is. Asked once: to ask may change what the process is allowed. */
const std::string& missingOfTiles() {
  static const std::string missing = whatTilesLack();
  return missing;
}

bool hasAmx() { return hasAvx512Vnni() && missingOfTiles().empty(); }
#endif

[[maybe_unused]] bool always() { return true; }

/** Fastest first. */
constexpr Isa kIsas[] = {
#ifdef POCKET_EMULATED
    // In place of the processor's own: what these are emulated with.
    {"amx", hasAvx512Vnni},
    {"avxvnni", hasAvx2},
#else
#ifdef POCKET_HAS_AMX
    {"amx", hasAmx},
#endif
#ifdef POCKET_HAS_AVX512VNNI
    {"avx512vnni", hasAvx512Vnni},
#endif
#ifdef POCKET_HAS_AVXVNNI
    {"avxvnni", hasAvxVnni},
#endif
#ifdef POCKET_HAS_AVX2
    {"avx2", hasAvx2},
#endif
#ifdef POCKET_HAS_NEON
    {"neoni8mm", hasI8mm},
    {"neondot", hasDotProducts},
#endif
    {"scalar", always},
#endif
};

/** The quota of this control group in whole cores; 0 where there is none. */
int quotaOfControlGroup() {
  char own[512] = "";
  if (FILE* file = fopen("/proc/self/cgroup", "r")) {
    char line[512];
    while (fgets(line, sizeof line, file) != nullptr) {
      if (strncmp(line, "0::", 3) == 0) snprintf(own, sizeof own, "%.*s", static_cast<int>(strcspn(line + 3, "\n")), line + 3);
    }
    fclose(file);
  }
  char path[600];
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", own);
  FILE* file = fopen(path, "r");
  if (file == nullptr) file = fopen("/sys/fs/cgroup/cpu.max", "r");
  if (file == nullptr) return 0;
  long long quota = 0;
  long long period = 0;
  const int found = fscanf(file, "%lld %lld", &quota, &period);
  fclose(file);
  if (found != 2 || quota <= 0 || period <= 0) return 0;
  return static_cast<int>((quota + period - 1) / period);
}

}  // namespace

std::vector<std::string> builtIsas() {
  std::vector<std::string> names;
  for (const Isa& isa : kIsas) names.push_back(isa.name);
  return names;
}

std::vector<std::string> usableIsas() {
  std::vector<std::string> names;
  for (const Isa& isa : kIsas) {
    if (isa.usable()) names.push_back(isa.name);
  }
  return names;
}

std::string reasonAgainst([[maybe_unused]] const std::string& isa) {
#if defined(POCKET_HAS_AMX) && !defined(POCKET_EMULATED)
  if (isa == "amx") return missingOfTiles();
#endif
  return "";
}

std::string processorName() {
#if defined(__x86_64__)
  unsigned int words[12] = {};
  if (__get_cpuid_max(0x80000000, nullptr) >= 0x80000004) {
    for (unsigned int i = 0; i < 3; i++) {
      __get_cpuid(0x80000002 + i, words + 4 * i, words + 4 * i + 1, words + 4 * i + 2, words + 4 * i + 3);
    }
  }
  char text[sizeof words + 1] = "";
  memcpy(text, words, sizeof words);
  std::string name(text);
  while (!name.empty() && name.back() == ' ') name.pop_back();
  if (!name.empty()) return name.substr(name.find_first_not_of(' '));
#endif
  return "processor";
}

int usableCores() {
  int cores = static_cast<int>(std::thread::hardware_concurrency());
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) cores = CPU_COUNT(&set);
  const int quota = quotaOfControlGroup();
  if (quota > 0 && quota < cores) cores = quota;
#endif
  return cores > 0 ? cores : 1;
}
