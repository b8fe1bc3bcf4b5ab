#include "memory_limits.h"

#include <algorithm>

#ifndef _WIN32
#include <unistd.h>
#endif

#ifdef __linux__
#include <sys/resource.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

/** The number behind `name` in lines like `MemAvailable: 12 kB` or `inactive_file 12`; 0 where there is none. */
int64_t numberIn(const std::string& path, const char* name) {
  int64_t found = 0;
  if (FILE* file = fopen(path.c_str(), "r")) {
    char line[256];
    while (fgets(line, sizeof line, file) != nullptr) {
      const size_t length = strlen(name);
      long long number = 0;
      if (strncmp(line, name, length) == 0 && sscanf(line + length, "%lld", &number) == 1) found = number;
    }
    fclose(file);
  }
  return found;
}

/** A file that holds a number; `none` where it does not, as with `max`. */
int64_t numberOf(const std::string& path, int64_t none) {
  long long number = 0;
  FILE* file = fopen(path.c_str(), "r");
  if (file == nullptr) return none;
  const bool found = fscanf(file, "%lld", &number) == 1;
  fclose(file);
  return found ? number : none;
}

/** One of the two generations of control groups. */
struct Groups {
  /** What stands before the group's path in its line of /proc/self/cgroup. */
  const char* line;
  const char* mount;
  const char* limit;
  const char* usage;
};

constexpr Groups kGroups[] = {
    {"0::", "/sys/fs/cgroup", "/memory.max", "/memory.current"},
    {":memory:", "/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes"},
};

/** The folder of this process's group; within a container, whose group is its root, the mount itself. */
std::string folderOf(const Groups& groups) {
  std::string folder = groups.mount;
  if (FILE* file = fopen("/proc/self/cgroup", "r")) {
    char line[512];
    while (fgets(line, sizeof line, file) != nullptr) {
      const char* at = strstr(line, groups.line);
      // The second generation's line begins with its mark.
      if (at == nullptr || (groups.line[0] == '0' && at != line)) continue;
      std::string path(at + strlen(groups.line));
      while (!path.empty() && path.back() == '\n') path.pop_back();
      if (access((groups.mount + path + groups.limit).c_str(), R_OK) == 0) folder = groups.mount + path;
    }
    fclose(file);
  }
  return folder;
}

int64_t limitOfGroup() {
  int64_t limit = INT64_MAX;
  for (const Groups& groups : kGroups) limit = std::min(limit, numberOf(folderOf(groups) + groups.limit, INT64_MAX));
  return limit;
}

/** What the group's limit leaves; pages of files are given up before a process is ended. */
int64_t roomInGroup() {
  int64_t room = INT64_MAX;
  for (const Groups& groups : kGroups) {
    const std::string folder = folderOf(groups);
    const int64_t limit = numberOf(folder + groups.limit, INT64_MAX);
    if (limit == INT64_MAX) continue;
    const std::string stat = folder + "/memory.stat";
    const int64_t files = numberIn(stat, "inactive_file ") + numberIn(stat, "active_file ");
    room = std::min(room, limit - numberOf(folder + groups.usage, 0) + files);
  }
  return room;
}

/** What `ulimit -v` leaves. */
int64_t roomInAddresses() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INT64_MAX;
  return static_cast<int64_t>(limit.rlim_cur) - 1024 * numberIn("/proc/self/status", "VmSize:");
}

}  // namespace

int64_t memoryOfMachine() {
  const int64_t physical = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return std::min(physical, limitOfGroup());
}

int64_t availableMemory() {
  const int64_t free = 1024 * (numberIn("/proc/meminfo", "MemAvailable:") + numberIn("/proc/meminfo", "SwapFree:"));
  const int64_t machine = free > 0 ? free : memoryOfMachine();
  return std::max<int64_t>(0, std::min({machine, roomInGroup(), roomInAddresses()}));
}

#else

int64_t memoryOfMachine() {
#ifdef _SC_PHYS_PAGES
  return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
#else
  return INT64_MAX;
#endif
}

int64_t availableMemory() { return memoryOfMachine(); }

#endif
