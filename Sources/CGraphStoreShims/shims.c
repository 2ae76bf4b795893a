// For locks of open file descriptions.
#define _GNU_SOURCE
#include "CGraphStoreShims.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

void **gs_thread_drop_list(void) {
  static _Thread_local void *list;
  return &list;
}

static uint32_t fork_count;

static void count_fork(void) { __atomic_add_fetch(&fork_count, 1, __ATOMIC_RELAXED); }

static void watch_forks(void) { pthread_atfork((void (*)(void))0, (void (*)(void))0, count_fork); }

uint32_t gs_fork_count(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  return __atomic_load_n(&fork_count, __ATOMIC_RELAXED);
}

int64_t gs_coarse_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void gs_lock_slow(uint32_t *lock) {
  // What the lock guards is short: the holder is often done before a call of the system would be.
  for (int attempt = 0; attempt < 64; attempt++) {
    uint32_t expected = 0;
    // Read first: only who finds it free takes the cache line from the holder.
    if (__atomic_load_n(lock, __ATOMIC_RELAXED) == 0 &&
        __atomic_compare_exchange_n(lock, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0)
    syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, 2, (void *)0, (void *)0, 0);
}

void gs_wake_one(uint32_t *lock) { syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1, (void *)0, (void *)0, 0); }

extern char **environ;

char **gs_environment(void) { return environ; }

int gs_exchange(const char *first, const char *second) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

int gs_rename_to_free(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int gs_lock_database(int file) {
  // The bytes that SQLite locks: pending, reserved, and those of readers.
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000000, .l_len = 512};
  return fcntl(file, F_OFD_SETLK, &lock);
}

long gs_listxattr(const char *path, char *names, size_t size) { return listxattr(path, names, size); }

long gs_getxattr(const char *path, const char *name, void *value, size_t size) {
  return getxattr(path, name, value, size);
}

int gs_fsetxattr(int file, const char *name, const void *value, size_t size) {
  return fsetxattr(file, name, value, size, 0);
}
