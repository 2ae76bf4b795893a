// A file system of SQLite that fails at one of its writing calls, for files under one folder; all others pass through.
#include "include/CGraphStoreTestSupport.h"
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

typedef struct {
  sqlite3_file base;
  int is_watched;
  int has_no_locks;
} shim_file;

static sqlite3_vfs shim_vfs;
static sqlite3_vfs *real_vfs;
static char folder[1024];
static char folder_without_locks[1024];
static atomic_long calls;
static atomic_long failing;
static atomic_int goes_on;
static atomic_int is_on;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((shim_file *)file + 1); }

// Whether the call fails that is made now.
static int fails(void) {
  if (!atomic_load(&is_on)) return 0;
  long call = atomic_fetch_add(&calls, 1) + 1;
  long first = atomic_load(&failing);
  return first > 0 && (call == first || (call > first && atomic_load(&goes_on)));
}

static int watched_failure(sqlite3_file *file) { return ((shim_file *)file)->is_watched && fails(); }

static int shim_close(sqlite3_file *f) { return real(f)->pMethods->xClose(real(f)); }
static int shim_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at) {
  return real(f)->pMethods->xRead(real(f), to, n, at);
}
static int shim_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at) {
  if (watched_failure(f)) {
    // Torn: the first half is there.
    if (n > 1) real(f)->pMethods->xWrite(real(f), from, n / 2, at);
    return SQLITE_IOERR_WRITE;
  }
  return real(f)->pMethods->xWrite(real(f), from, n, at);
}
static int shim_truncate(sqlite3_file *f, sqlite3_int64 size) {
  if (watched_failure(f)) return SQLITE_IOERR_TRUNCATE;
  return real(f)->pMethods->xTruncate(real(f), size);
}
static int shim_sync(sqlite3_file *f, int flags) {
  if (watched_failure(f)) return SQLITE_IOERR_FSYNC;
  return real(f)->pMethods->xSync(real(f), flags);
}
static int shim_size(sqlite3_file *f, sqlite3_int64 *size) { return real(f)->pMethods->xFileSize(real(f), size); }
static int shim_lock(sqlite3_file *f, int level) {
  if (((shim_file *)f)->has_no_locks) return level == SQLITE_LOCK_SHARED ? SQLITE_IOERR_RDLOCK : SQLITE_IOERR_LOCK;
  return real(f)->pMethods->xLock(real(f), level);
}
static int shim_unlock(sqlite3_file *f, int level) { return real(f)->pMethods->xUnlock(real(f), level); }
static int shim_reserved(sqlite3_file *f, int *is) { return real(f)->pMethods->xCheckReservedLock(real(f), is); }
static int shim_control(sqlite3_file *f, int what, void *with) {
  return real(f)->pMethods->xFileControl(real(f), what, with);
}
static int shim_sector(sqlite3_file *f) { return real(f)->pMethods->xSectorSize(real(f)); }
static int shim_device(sqlite3_file *f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); }
static int shim_map(sqlite3_file *f, int page, int size, int extends, void volatile **memory) {
  return real(f)->pMethods->xShmMap(real(f), page, size, extends, memory);
}
static int shim_shm_lock(sqlite3_file *f, int offset, int n, int flags) {
  return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}
static void shim_barrier(sqlite3_file *f) { real(f)->pMethods->xShmBarrier(real(f)); }
static int shim_unmap(sqlite3_file *f, int deletes) { return real(f)->pMethods->xShmUnmap(real(f), deletes); }
static int shim_fetch(sqlite3_file *f, sqlite3_int64 at, int n, void **memory) {
  return real(f)->pMethods->xFetch(real(f), at, n, memory);
}
static int shim_unfetch(sqlite3_file *f, sqlite3_int64 at, void *memory) {
  return real(f)->pMethods->xUnfetch(real(f), at, memory);
}

static const sqlite3_io_methods shim_methods = {
  3, shim_close, shim_read, shim_write, shim_truncate, shim_sync, shim_size, shim_lock, shim_unlock,
  shim_reserved, shim_control, shim_sector, shim_device, shim_map, shim_shm_lock, shim_barrier, shim_unmap,
  shim_fetch, shim_unfetch,
};

static int is_under(const char *parent, const char *name) {
  return name && parent[0] && strncmp(name, parent, strlen(parent)) == 0;
}
static int is_under_folder(const char *name) { return is_under(folder, name); }

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out) {
  (void)vfs;
  shim_file *file = (shim_file *)f;
  file->base.pMethods = 0;
  file->is_watched = is_under_folder(name);
  file->has_no_locks = is_under(folder_without_locks, name);
  int code = real_vfs->xOpen(real_vfs, name, real(f), flags, out);
  if (real(f)->pMethods) file->base.pMethods = &shim_methods;
  return code;
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs;
  if (is_under_folder(name) && fails()) return SQLITE_IOERR_DELETE;
  return real_vfs->xDelete(real_vfs, name, syncs);
}

// The file system that connections have by default from then on.
static void register_shim(void) {
  real_vfs = sqlite3_vfs_find(0);
  shim_vfs = *real_vfs;
  shim_vfs.szOsFile = (int)sizeof(shim_file) + real_vfs->szOsFile;
  shim_vfs.zName = "graphstore-test-faults";
  shim_vfs.pNext = 0;
  shim_vfs.xOpen = shim_open;
  shim_vfs.xDelete = shim_delete;
  sqlite3_vfs_register(&shim_vfs, 1);
}

static pthread_once_t registration = PTHREAD_ONCE_INIT;

void gs_test_watch_writes(const char *watched) {
  pthread_once(&registration, register_shim);
  strncpy(folder, watched, sizeof folder - 1);
}

void gs_test_refuse_locks(const char *watched) {
  pthread_once(&registration, register_shim);
  strncpy(folder_without_locks, watched, sizeof folder_without_locks - 1);
}

void gs_test_fail_write(long call, int onwards) {
  atomic_store(&calls, 0);
  atomic_store(&failing, call);
  atomic_store(&goes_on, onwards);
  atomic_store(&is_on, 1);
}

long gs_test_end_failing(void) {
  atomic_store(&is_on, 0);
  return atomic_load(&calls);
}
