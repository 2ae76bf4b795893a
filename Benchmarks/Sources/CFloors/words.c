#include <stddef.h>

#include "store.h"

int floor_fill_words(floor_store *store, int64_t rows, int ascii) {
  sqlite3_stmt *statement = NULL;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(store->database, "INSERT INTO ZWORD VALUES (?, ?, 1, ?)", -1, &statement, NULL);
  for (int64_t row = 1; row <= rows && code == SQLITE_OK; row++) {
    data_word_row data;
    data_word(row, ascii, &data);
    sqlite3_bind_int64(statement, 1, row);
    sqlite3_bind_int64(statement, 2, entity_word);
    sqlite3_bind_text(statement, 3, data.name, -1, SQLITE_STATIC);
    sqlite3_step(statement);
    code = sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_word, rows);
  return store_end(store, code);
}

static void say_yes(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  (void)values;
  sqlite3_result_int(context, 1);
}

int floor_call_words(floor_store *store, floor_answer *answer) {
  int code = sqlite3_create_function_v2(store->database, "say_yes", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                        say_yes, NULL, NULL, NULL);
  if (code != SQLITE_OK) return code;
  *answer = (floor_answer){0};
  return floor_integer(store, "SELECT count(*) FROM ZWORD WHERE say_yes(ZNAME)", &answer->count);
}
