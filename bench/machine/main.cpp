// What the machine can do at best, as one JSON line: the read rate, and the arithmetic of each instruction set.
#include <cstdio>
#include <cstdlib>

#include "peaks.h"
#include "read-bandwidth.h"

int main(int count, char **arguments) {
  const int threads = count > 1 ? std::atoi(arguments[1]) : 0;
  if (threads < 1 || threads > 4096) {
    std::fprintf(stderr, "give the number of threads\n");
    return 2;
  }
  const ReadBandwidth read = measureReadBandwidth(threads);
  if (read.bytesPerSecond == 0) {
    std::fprintf(stderr, "no memory to read\n");
    return 1;
  }
  std::printf("{\"threads\":%d,\"read\":{\"bytesPerSecond\":%.4g,\"streams\":%d},\"peaks\":[", threads,
              read.bytesPerSecond, read.streams);
  const char *separator = "";
  for (const Peak &peak : measurePeaks(threads)) {
    std::printf("%s{\"isa\":\"%s\",\"type\":\"%s\",\"operationsPerSecond\":%.4g}", separator, peak.isa, peak.type,
                peak.operationsPerSecond);
    separator = ",";
  }
  std::printf("]}\n");
}
