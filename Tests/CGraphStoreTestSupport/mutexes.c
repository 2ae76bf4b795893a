// `Mutex` for the thread sanitizer. The standard library's code for a mutex that is waited for is not built for the sanitizer,
// which therefore does not see that the one who waited comes after the one who let go, and reports what the mutex guards as
// a race. (What happens without waiting is inlined into the caller, where the sanitizer sees it.) These stand before the
// library's functions for the whole test process, call them, and tell the sanitizer of that order and of nothing else.

#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Methods of `_MutexHandle`, by their mangled names and in Swift's calling convention.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define HANDLE __attribute__((swift_context)) void *handle

SWIFT void gs_test_lock_slow(uint32_t thread, HANDLE) __asm__(LOCK_SLOW);
SWIFT bool gs_test_try_lock_slow(HANDLE) __asm__(TRY_LOCK_SLOW);
SWIFT void gs_test_unlock_slow(HANDLE) __asm__(UNLOCK_SLOW);

void __tsan_acquire(void *address);
void __tsan_release(void *address);

static SWIFT void (*lock_slow)(uint32_t thread, HANDLE);
static SWIFT bool (*try_lock_slow)(HANDLE);
static SWIFT void (*unlock_slow)(HANDLE);

__attribute__((constructor)) static void find_functions(void) {
  lock_slow = dlsym(RTLD_NEXT, LOCK_SLOW);
  try_lock_slow = dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  unlock_slow = dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

SWIFT void gs_test_lock_slow(uint32_t thread, HANDLE) {
  lock_slow(thread, handle);
  __tsan_acquire(handle);
}

SWIFT bool gs_test_try_lock_slow(HANDLE) {
  if (!try_lock_slow(handle)) return false;
  __tsan_acquire(handle);
  return true;
}

SWIFT void gs_test_unlock_slow(HANDLE) {
  __tsan_release(handle);
  unlock_slow(handle);
}

#endif
