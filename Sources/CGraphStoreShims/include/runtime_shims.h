#ifndef CGRAPHSTORE_RUNTIME_SHIMS_H
#define CGRAPHSTORE_RUNTIME_SHIMS_H

#include <stddef.h>
#include <stdint.h>

void *swift_tryRetain(void *object);
_Bool swift_isDeallocating(void *object);
void *swift_retain_n(void *object, uint32_t count);
void swift_release_n(void *object, uint32_t count);

/// Retains a Swift object unless its deallocation has begun; null then.
static inline void *gs_try_retain(void *object) { return swift_tryRetain(object); }

/// Whether the deallocation of a Swift object has begun: it must not be kept any more.
static inline _Bool gs_is_deallocating(void *object) { return swift_isDeallocating(object); }

/// Retains a Swift object several times at the cost of one.
static inline void gs_retain_n(void *object, uint32_t count) { swift_retain_n(object, count); }

/// Releases a Swift object several times at the cost of one.
static inline void gs_release_n(void *object, uint32_t count) { swift_release_n(object, count); }

/// A word of the calling thread's own, null at first: where releases that would recurse are put off to.
void **gs_thread_drop_list(void);

const char *dispatch_queue_get_label(void *queue);

/// The label of the dispatch queue that the calling thread works for; its interface in Swift does not have it.
static inline const char *gs_current_queue_label(void) { return dispatch_queue_get_label(0); }

/// Maps the pages of the executable's zero-initialized data at once. Swift keeps its caches of types there, and each page
/// would else fault twice, for a read and for a write, which is a twentieth of the time of a short command.
void gs_populate_zeroed_data(void);

/* A word that threads read and write without order among other words. */

static inline uint64_t gs_load_relaxed(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

static inline void gs_store_relaxed(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// How often the process has been forked from one that called this: another number means that its connections and locks
/// are another process's.
uint32_t gs_fork_count(void);

/// The time since some moment, on a clock that never runs backwards and is a few milliseconds behind.
int64_t gs_coarse_nanoseconds(void);

/* A lock in one word: 0 is free, 1 held, 2 held with threads that may be waiting. */

void gs_lock_slow(uint32_t *lock);
void gs_wake_one(uint32_t *lock);

static inline void gs_lock(uint32_t *lock) {
  uint32_t expected = 0;
  if (!__atomic_compare_exchange_n(lock, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) gs_lock_slow(lock);
}

static inline void gs_unlock(uint32_t *lock) {
  if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2) gs_wake_one(lock);
}

/// Exchanges two files or folders in one step; -1 with errno where that cannot be done.
int gs_exchange(const char *first, const char *second);

/// Renames a file unless the new name is taken; -1 with errno then, and where that cannot be done.
int gs_rename_to_free(const char *from, const char *to);
/// Locks a file as SQLite does a database of which it is the only user, until the descriptor is closed.
///
/// Returns 0, or -1 with errno: EAGAIN where another descriptor has a lock.
int gs_lock_database(int file);

/// The names of a file's extended attributes, each with its NUL; how many bytes they need, or -1.
long gs_listxattr(const char *path, char *names, size_t size);

/// The value of an extended attribute; how many bytes it needs, or -1.
long gs_getxattr(const char *path, const char *name, void *value, size_t size);

/// Sets an extended attribute; -1 where that cannot be done.
int gs_fsetxattr(int file, const char *name, const void *value, size_t size);

/// The variables of the process's environment, `NAME=value` each, null behind the last.
char **gs_environment(void);

#endif
