#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "store.h"

#define SELECT_NUMBERS "SELECT Z_PK, Z_ENT, Z_OPT, " NUMBER_COLUMNS " FROM ZNUMBERS"

/// Adds one transaction with the insertion of every row to a history, by one statement over the rows.
static int add_insertions(floor_store *store, int64_t rows) {
  char sql[1024];
  snprintf(sql, sizeof sql,
           "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 1);"
           "INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
           "SELECT 16001, 0, Z_ENT, Z_PK, 1 FROM ZNUMBERS ORDER BY Z_PK;"
           "INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (16001, 'CHANGE', 0, %lld), "
           "(16002, 'TRANSACTION', 0, 1)",
           (long long)rows);
  return sqlite3_exec(store->database, sql, NULL, NULL, NULL);
}

static int fill_numbers(floor_store *store, int64_t rows, bool has_history) {
  sqlite3_stmt *statement = NULL;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(store->database,
                            "INSERT INTO ZNUMBERS (Z_PK, Z_ENT, Z_OPT, " NUMBER_COLUMNS
                            ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            -1, &statement, NULL);
  for (int64_t row = 1; row <= rows && code == SQLITE_OK; row++) {
    sqlite3_bind_int64(statement, 1, row);
    sqlite3_bind_int64(statement, 2, entity_numbers);
    sqlite3_bind_int64(statement, 3, 1);
    for (int column = 0; column < data_number_columns; column++)
      sqlite3_bind_int64(statement, 4 + column, data_number(row, column));
    sqlite3_step(statement);
    code = sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_numbers, rows);
  if (code == SQLITE_OK && has_history) code = add_insertions(store, rows);
  return store_end(store, code);
}

int floor_fill_numbers(floor_store *store, int64_t rows) { return fill_numbers(store, rows, false); }

int floor_fill_tracked_numbers(floor_store *store, int64_t rows) { return fill_numbers(store, rows, true); }

/// Reads the whole table into an array that grows by doubling: the caller frees it.
static int read_numbers(floor_store *store, number_row **out, int64_t *out_count) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database, SELECT_NUMBERS, -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  int64_t count = 0, capacity = 1024;
  number_row *rows = malloc((size_t)capacity * sizeof *rows);
  while (rows != NULL && sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) {
      capacity *= 2;
      number_row *grown = realloc(rows, (size_t)capacity * sizeof *rows);
      if (grown == NULL) break;
      rows = grown;
    }
    number_row *row = &rows[count++];
    row->key = sqlite3_column_int64(statement, 0);
    row->entity = sqlite3_column_int64(statement, 1);
    row->version = sqlite3_column_int64(statement, 2);
    for (int column = 0; column < data_number_columns; column++)
      row->values[column] = sqlite3_column_int64(statement, 3 + column);
  }
  *out = rows;
  *out_count = count;
  return sqlite3_finalize(statement);
}

static int64_t row_sum(const number_row *row) {
  int64_t sum = 0;
  for (int column = 0; column < data_number_columns; column++) sum += row->values[column];
  return sum;
}

int floor_fetch_numbers(floor_store *store, floor_answer *answer) {
  number_row *rows = NULL;
  int code = read_numbers(store, &rows, &answer->count);
  if (code == SQLITE_OK && answer->count > 0) {
    answer->first = row_sum(&rows[0]);
    answer->last = row_sum(&rows[answer->count - 1]);
    answer->sum = 0;
    for (int64_t row = 0; row < answer->count; row++) answer->sum += row_sum(&rows[row]);
  }
  free(rows);
  return code;
}

int floor_step_numbers(floor_store *store, floor_answer *answer) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database, SELECT_NUMBERS, -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  answer->count = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) answer->count++;
  return sqlite3_finalize(statement);
}

int floor_step_changes(floor_store *store, floor_answer *answer) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database,
                                "SELECT ZTRANSACTIONID, Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS FROM ACHANGE "
                                "ORDER BY ZTRANSACTIONID, Z_PK",
                                -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  *answer = (floor_answer){0};
  while (sqlite3_step(statement) == SQLITE_ROW) {
    int64_t values = 0;
    for (int column = 2; column < 5; column++) values += sqlite3_column_int64(statement, column);
    values += sqlite3_column_bytes(statement, 5);
    int64_t number = sqlite3_column_int64(statement, 1);
    if (answer->count == 0) answer->first = number;
    answer->count += values > 0;
    answer->last = number;
    answer->sum += number;
  }
  return sqlite3_finalize(statement);
}

int floor_fill_changes(floor_store *store, int64_t transactions, int64_t each) {
  char sql[1024];
  snprintf(sql, sizeof sql,
           "BEGIN;"
           "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
           "FROM n WHERE i < %1$lld) SELECT i, 16002, i FROM n;"
           "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) WITH RECURSIVE n(i) AS "
           "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1$lld * %2$lld) "
           "SELECT i, 16001, 1, %3$d, i, (i - 1) / %2$lld + 1 FROM n;"
           "INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (16001, 'CHANGE', 0, %1$lld * "
           "%2$lld), (16002, 'TRANSACTION', 0, %1$lld);"
           "COMMIT",
           (long long)transactions, (long long)each, (int)entity_numbers);
  return sqlite3_exec(store->database, sql, NULL, NULL, NULL);
}

int floor_load_numbers(floor_store *store) {
  free(store->loaded);
  store->loaded = NULL;
  return read_numbers(store, &store->loaded, &store->loaded_count);
}

int floor_update_loaded(floor_store *store) {
  sqlite3_stmt *statement = NULL;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(store->database,
                            "UPDATE ZNUMBERS SET Z_OPT = ?, ZI3 = ? WHERE Z_PK = ? AND Z_OPT = ?", -1, &statement,
                            NULL);
  for (int64_t index = 0; index < store->loaded_count && code == SQLITE_OK; index++) {
    number_row *row = &store->loaded[index];
    row->values[3] += 1;
    sqlite3_bind_int64(statement, 1, row->version + 1);
    sqlite3_bind_int64(statement, 2, row->values[3]);
    sqlite3_bind_int64(statement, 3, row->key);
    sqlite3_bind_int64(statement, 4, row->version);
    sqlite3_step(statement);
    code = sqlite3_reset(statement);
    // A row that somebody else changed meanwhile has another version: a conflict.
    if (code == SQLITE_OK && sqlite3_changes(store->database) != 1) code = SQLITE_BUSY_SNAPSHOT;
    row->version += 1;
  }
  sqlite3_finalize(statement);
  return store_end(store, code);
}

/// Runs a statement over a half, with its parameters, in a transaction.
static int write_half(floor_store *store, const char *sql, int64_t value) {
  sqlite3_stmt *statement = NULL;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) {
    sqlite3_bind_int64(statement, 1, 1);
    if (sqlite3_bind_parameter_count(statement) > 1) sqlite3_bind_int64(statement, 2, value);
    sqlite3_step(statement);
    code = sqlite3_finalize(statement);
  }
  return store_end(store, code);
}

int floor_halve_numbers(floor_store *store) { return store_execute(store, "UPDATE ZNUMBERS SET ZI0 = Z_PK % 2"); }

int floor_set_half(floor_store *store, int64_t value) {
  return write_half(store, "UPDATE ZNUMBERS SET Z_OPT = Z_OPT + 1, ZI3 = ?2 WHERE ZI0 = ?1", value);
}

int floor_raise_half(floor_store *store) {
  return write_half(store, "UPDATE ZNUMBERS SET Z_OPT = Z_OPT + 1, ZI3 = ZI3 + 1 WHERE ZI0 = ?1", 0);
}

int floor_delete_half(floor_store *store) { return write_half(store, "DELETE FROM ZNUMBERS WHERE ZI0 = ?1", 0); }

int floor_select_numbers(floor_store *store, int64_t rows, floor_answer *answer) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database, SELECT_NUMBERS " WHERE Z_PK = ?", -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  answer->count = rows;
  answer->sum = 0;
  for (int64_t key = 1; key <= rows; key++) {
    number_row row;
    sqlite3_bind_int64(statement, 1, key);
    if (sqlite3_step(statement) != SQLITE_ROW) break;
    row.key = sqlite3_column_int64(statement, 0);
    row.entity = sqlite3_column_int64(statement, 1);
    row.version = sqlite3_column_int64(statement, 2);
    for (int column = 0; column < data_number_columns; column++)
      row.values[column] = sqlite3_column_int64(statement, 3 + column);
    answer->sum += row_sum(&row);
    sqlite3_reset(statement);
  }
  return sqlite3_finalize(statement);
}

int64_t floor_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
