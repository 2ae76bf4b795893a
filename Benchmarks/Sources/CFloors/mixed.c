#include <stdlib.h>

#include "store.h"
#include "text.h"

typedef struct {
  int64_t key;
  int64_t entity;
  int64_t version;
  int64_t flag;
  double born;
  double price;
  double rating;
  char *name;
  char *note;
  int32_t name_length;
  int32_t note_length;
  uint32_t nulls;  // a bit a column, from the fourth on
} mixed_row;

int floor_fill_mixed(floor_store *store, int64_t rows) {
  sqlite3_stmt *statement = NULL;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(store->database,
                            "INSERT INTO ZMIXED (Z_PK, Z_ENT, Z_OPT, ZFLAG, ZBORN, ZPRICE, ZRATING, ZNAME, ZNOTE)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            -1, &statement, NULL);
  for (int64_t row = 1; row <= rows && code == SQLITE_OK; row++) {
    data_mixed_row data;
    data_mixed(row, &data);
    sqlite3_bind_int64(statement, 1, row);
    sqlite3_bind_int64(statement, 2, entity_mixed);
    sqlite3_bind_int64(statement, 3, 1);
    sqlite3_bind_int64(statement, 4, data.flag);
    sqlite3_bind_double(statement, 5, (double)data.born);
    sqlite3_bind_double(statement, 6, (double)data.price_cents / 100);
    if (data.has_rating) {
      sqlite3_bind_double(statement, 7, data.rating);
    } else {
      sqlite3_bind_null(statement, 7);
    }
    sqlite3_bind_text(statement, 8, data.name, -1, SQLITE_STATIC);
    if (data.has_note) {
      sqlite3_bind_text(statement, 9, data.note, -1, SQLITE_STATIC);
    } else {
      sqlite3_bind_null(statement, 9);
    }
    sqlite3_step(statement);
    code = sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_mixed, rows);
  return store_end(store, code);
}

static int64_t row_digest(const mixed_row *row) {
  int64_t sum = row->flag + (int64_t)row->born + (int64_t)(row->price * 100 + 0.5);
  sum += row->nulls & 8 ? 1 : (int64_t)(row->rating * 8);
  sum += text_digest(row->name, row->name_length);
  sum += row->nulls & 32 ? 1 : text_digest(row->note, row->note_length);
  return sum;
}

int floor_fetch_mixed(floor_store *store, floor_answer *answer) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database,
                                "SELECT Z_PK, Z_ENT, Z_OPT, ZFLAG, ZBORN, ZPRICE, ZRATING, ZNAME, ZNOTE FROM ZMIXED",
                                -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  text_block *blocks = NULL;
  int64_t count = 0, capacity = 1024;
  mixed_row *rows = malloc((size_t)capacity * sizeof *rows);
  while (rows != NULL && sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) {
      capacity *= 2;
      mixed_row *grown = realloc(rows, (size_t)capacity * sizeof *rows);
      if (grown == NULL) break;
      rows = grown;
    }
    mixed_row *row = &rows[count++];
    row->nulls = 0;
    for (int column = 3; column < 9; column++)
      if (sqlite3_column_type(statement, column) == SQLITE_NULL) row->nulls |= 1u << (column - 3);
    row->key = sqlite3_column_int64(statement, 0);
    row->entity = sqlite3_column_int64(statement, 1);
    row->version = sqlite3_column_int64(statement, 2);
    row->flag = sqlite3_column_int64(statement, 3);
    row->born = sqlite3_column_double(statement, 4);
    row->price = sqlite3_column_double(statement, 5);
    if (!(row->nulls & 8)) row->rating = sqlite3_column_double(statement, 6);
    const void *name = sqlite3_column_text(statement, 7);
    row->name_length = sqlite3_column_bytes(statement, 7);
    row->name = text_copy(&blocks, name, row->name_length);
    if (!(row->nulls & 32)) {
      const void *note = sqlite3_column_text(statement, 8);
      row->note_length = sqlite3_column_bytes(statement, 8);
      row->note = text_copy(&blocks, note, row->note_length);
    }
  }
  code = sqlite3_finalize(statement);
  answer->count = count;
  answer->sum = 0;
  if (count > 0) {
    answer->first = row_digest(&rows[0]);
    answer->last = row_digest(&rows[count - 1]);
    for (int64_t index = 0; index < count; index++) answer->sum += row_digest(&rows[index]);
  }
  free(rows);
  text_free(blocks);
  return code;
}
