#ifndef CGRAPHSTORE_SQLITE_SHIMS_H
#define CGRAPHSTORE_SQLITE_SHIMS_H

#include <sqlite3.h>

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

/// Variadic in C: switches a Boolean option of one connection on or off.
static inline int gs_sqlite3_db_config_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

#endif
