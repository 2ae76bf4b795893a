#ifndef CGRAPHSTORE_SQLITE_SHIMS_H
#define CGRAPHSTORE_SQLITE_SHIMS_H

#include <sqlite3.h>

/// SQLITE_STATIC: the caller keeps the memory until the statement has been stepped.
static inline int gs_sqlite3_bind_text_static(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_STATIC);
}

/// SQLITE_TRANSIENT: SQLite copies the text.
static inline int gs_sqlite3_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

static inline int gs_sqlite3_bind_blob_static(sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_STATIC);
}

static inline int gs_sqlite3_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

static inline void gs_sqlite3_result_text_copy(sqlite3_context *context, const char *text, int length) {
  sqlite3_result_text(context, text, length, SQLITE_TRANSIENT);
}

static inline void gs_sqlite3_result_blob_copy(sqlite3_context *context, const void *bytes, int length) {
  sqlite3_result_blob(context, bytes, length, SQLITE_TRANSIENT);
}

/// Variadic in C: switches a Boolean option of one connection on or off.
static inline int gs_sqlite3_db_config_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

#endif
