// Linked into prebuilt Linux files alone, so that they load where Node 20 does (glibc 2.28) wherever they were built.
//
// A linker takes the newest version of each symbol of the glibc at hand, also for what libstdc++ calls. With
// -Wl,--wrap=NAME each call of NAME comes here, and goes on to the oldest version, which every glibc keeps.
// scripts/build-prebuilt.mjs reads the names that are wrapped from this file, and refuses a result that asks for more.
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OLDEST "GLIBC_2.17"
#endif

#define HIDDEN __attribute__((visibility("hidden")))
#define WRAP(returns, name, parameters, arguments)                 \
  __asm__(".symver oldest_" #name "," #name "@" OLDEST);           \
  extern returns oldest_##name parameters;                         \
  HIDDEN returns __wrap_##name parameters { return oldest_##name arguments; }

WRAP(int, pthread_create, (pthread_t * thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument),
     (thread, attributes, start, argument))
WRAP(int, pthread_join, (pthread_t thread, void** result), (thread, result))
WRAP(int, pthread_detach, (pthread_t thread), (thread))
WRAP(int, pthread_once, (pthread_once_t * once, void (*routine)(void)), (once, routine))
WRAP(int, pthread_key_create, (pthread_key_t * key, void (*destroy)(void*)), (key, destroy))
WRAP(int, __pthread_key_create, (pthread_key_t * key, void (*destroy)(void*)), (key, destroy))
WRAP(int, pthread_key_delete, (pthread_key_t key), (key))
WRAP(void*, pthread_getspecific, (pthread_key_t key), (key))
WRAP(int, pthread_setspecific, (pthread_key_t key, const void* value), (key, value))
WRAP(double, exp, (double x), (x))
WRAP(double, pow, (double x, double y), (x, y))

/** What std::random_device would read; nothing here makes one. */
HIDDEN uint32_t __wrap_arc4random(void) {
  uint32_t bits = 0;
  return getentropy(&bits, sizeof bits) == 0 ? bits : 0;
}

/** Counts of shared_ptr are changed atomically where this is 0, as they were before glibc 2.32. */
HIDDEN char __wrap___libc_single_threaded = 0;
