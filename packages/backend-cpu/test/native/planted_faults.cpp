// Runs into one fault on purpose, named by the argument: shows that the sanitizers would find it in native code.
#include <cstdio>
#include <cstring>

#include "../../native/engine/memory.h"

namespace {

int readPastTheEnd() {
  const Memory memory(100, "a planted fault");
  const volatile uint8_t* bytes = memory.data();
  return bytes[memory.bytes()];
}

int overflow() {
  volatile int most = 0x7fffffff;
  return most + 1;
}

int misaligned() {
  alignas(4) const char bytes[8] = {};
  const char* volatile at = bytes + 1;
  return *reinterpret_cast<const int*>(at);
}

}  // namespace

int main(int count, char** arguments) {
  const char* fault = count > 1 ? arguments[1] : "";
  int result = 0;
  if (strcmp(fault, "past-the-end") == 0) result = readPastTheEnd();
  if (strcmp(fault, "overflow") == 0) result = overflow();
  if (strcmp(fault, "misaligned") == 0) result = misaligned();
  printf("%d\n", result);
  return 0;
}
