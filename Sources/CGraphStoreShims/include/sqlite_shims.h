#ifndef CGRAPHSTORE_SQLITE_SHIMS_H
#define CGRAPHSTORE_SQLITE_SHIMS_H

#include <sqlite3.h>
#include <stdint.h>

/* SQLite takes a null pointer for NULL; an empty Swift buffer may have one and means the empty text or blob. */

/// SQLITE_STATIC: the caller keeps the memory until the statement is reset or bound anew.
static inline int gs_sqlite3_bind_text_static(sqlite3_stmt *statement, int index, const void *text, long length) {
  return sqlite3_bind_text64(statement, index, text ? (const char *)text : "", (sqlite3_uint64)length,
                             SQLITE_STATIC, SQLITE_UTF8);
}

/// SQLITE_TRANSIENT: SQLite copies the text.
static inline int gs_sqlite3_bind_text_copy(sqlite3_stmt *statement, int index, const void *text, long length) {
  return sqlite3_bind_text64(statement, index, text ? (const char *)text : "", (sqlite3_uint64)length,
                             SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int gs_sqlite3_bind_blob_static(sqlite3_stmt *statement, int index, const void *bytes, long length) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", (sqlite3_uint64)length, SQLITE_STATIC);
}

static inline int gs_sqlite3_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, long length) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", (sqlite3_uint64)length, SQLITE_TRANSIENT);
}

static inline void gs_sqlite3_result_text_copy(sqlite3_context *context, const void *text, long length) {
  sqlite3_result_text64(context, text ? (const char *)text : "", (sqlite3_uint64)length, SQLITE_TRANSIENT,
                        SQLITE_UTF8);
}

static inline void gs_sqlite3_result_blob_copy(sqlite3_context *context, const void *bytes, long length) {
  sqlite3_result_blob64(context, bytes ? bytes : "", (sqlite3_uint64)length, SQLITE_TRANSIENT);
}

/* The clock of statements: it runs only while somebody asks for the time that they take. */

extern uint32_t gs_statement_clock_users;
int gs_timed_statement_step(sqlite3_stmt *statement);
int gs_timed_statement_prepare(sqlite3 *database, const char *text, int length, unsigned flags,
                               sqlite3_stmt **statement, const char **tail);
void gs_start_statement_clock(void);
void gs_stop_statement_clock(void);

/// How long the calling thread has spent in statements while the clock ran.
uint64_t gs_statement_nanoseconds(void);

static inline int gs_statement_clock_runs(void) {
  return __builtin_expect(__atomic_load_n(&gs_statement_clock_users, __ATOMIC_RELAXED) != 0, 0);
}

static inline int gs_statement_step(sqlite3_stmt *statement) {
  return gs_statement_clock_runs() ? gs_timed_statement_step(statement) : sqlite3_step(statement);
}

static inline int gs_statement_prepare(sqlite3 *database, const char *text, int length, unsigned flags,
                                       sqlite3_stmt **statement, const char **tail) {
  return gs_statement_clock_runs() ? gs_timed_statement_prepare(database, text, length, flags, statement, tail)
                                   : sqlite3_prepare_v3(database, text, length, flags, statement, tail);
}

/* The level of the log of statements, for the whole process; 0 is off. */

extern uint32_t gs_statement_log_level_word;
void gs_set_statement_log_level(uint32_t level);

static inline uint32_t gs_statement_log_level(void) {
  return (uint32_t)__builtin_expect(__atomic_load_n(&gs_statement_log_level_word, __ATOMIC_RELAXED), 0);
}

/// Variadic in C: switches a Boolean option of one connection on or off.
static inline int gs_sqlite3_db_config_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/// The name of SQLite's file system without locks, whose connections leave those of others alone.
const char *gs_detached_vfs(void);

/// Takes the lock of a database's file against everybody, beneath the transaction that is open; `SQLITE_BUSY` where another
/// connection has the file open. What the transaction has locked before stays locked.
static inline int gs_sqlite3_lock_file(sqlite3 *database) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods) return SQLITE_MISUSE;
  return file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE);
}

/// Lets others read the file again, whose log the transaction goes on to have locked.
static inline int gs_sqlite3_share_file(sqlite3 *database) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods) return SQLITE_MISUSE;
  return file->pMethods->xUnlock(file, SQLITE_LOCK_SHARED);
}

#endif
