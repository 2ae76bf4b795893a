#include "CGraphStoreShims.h"

#include <pthread.h>

/* SQLite's file system without its locks. The own one of that kind, unix-none, closes a descriptor beside other
   connections of the process to the same file, which loses their locks; that with locks keeps it for them. */

static const char *const name = "graphstore-detached";
static sqlite3_vfs detached;
static sqlite3_io_methods methods;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int lock(sqlite3_file *file, int level) { return SQLITE_OK; }

static int check_reserved_lock(sqlite3_file *file, int *is_reserved) {
  *is_reserved = 0;
  return SQLITE_OK;
}

static void forget_locks(sqlite3_file *file) {
  pthread_mutex_lock(&mutex);
  if (!methods.xClose) {
    methods = *file->pMethods;
    methods.xLock = lock;
    methods.xUnlock = lock;
    methods.xCheckReservedLock = check_reserved_lock;
  }
  pthread_mutex_unlock(&mutex);
  file->pMethods = &methods;
}

static int open_without_locks(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
  sqlite3_vfs *locking = sqlite3_vfs_find("unix");
  int code = locking->xOpen(locking, path, file, flags, out_flags);
  if (code == SQLITE_OK && (flags & SQLITE_OPEN_MAIN_DB)) forget_locks(file);
  return code;
}

static void make(void) {
  sqlite3_vfs *locking = sqlite3_vfs_find("unix");
  if (!locking) return;
  detached = *locking;
  detached.pNext = 0;
  detached.zName = name;
  detached.xOpen = open_without_locks;
  sqlite3_vfs_register(&detached, 0);
}

const char *gs_detached_vfs(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make);
  return name;
}
