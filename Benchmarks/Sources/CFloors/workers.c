#include <stdlib.h>

#include "store.h"
#include "text.h"

typedef struct {
  int64_t key;
  int64_t entity;
  int64_t version;
  int64_t team;
  char *name;
  char *team_name;
  int32_t name_length;
  int32_t team_name_length;
} worker_row;

int floor_fill_workers(floor_store *store, int64_t rows) {
  sqlite3_stmt *team_insert = NULL, *worker_insert = NULL;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(store->database, "INSERT INTO ZTEAM VALUES (?, ?, 1, ?)", -1, &team_insert, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database,
                              "INSERT INTO ZWORKER (Z_PK, Z_ENT, Z_OPT, ZTEAM, ZNAME) VALUES (?, ?, 1, ?, ?)", -1,
                              &worker_insert, NULL);
  for (int64_t team = 1; team <= data_teams && code == SQLITE_OK; team++) {
    data_word_row data;
    data_team_name(team, &data);
    sqlite3_bind_int64(team_insert, 1, team);
    sqlite3_bind_int64(team_insert, 2, entity_team);
    sqlite3_bind_text(team_insert, 3, data.name, -1, SQLITE_STATIC);
    sqlite3_step(team_insert);
    code = sqlite3_reset(team_insert);
  }
  for (int64_t row = 1; row <= rows && code == SQLITE_OK; row++) {
    data_word_row data;
    data_word(row, 1, &data);
    sqlite3_bind_int64(worker_insert, 1, row);
    sqlite3_bind_int64(worker_insert, 2, entity_worker);
    sqlite3_bind_int64(worker_insert, 3, data_team(row));
    sqlite3_bind_text(worker_insert, 4, data.name, -1, SQLITE_STATIC);
    sqlite3_step(worker_insert);
    code = sqlite3_reset(worker_insert);
  }
  sqlite3_finalize(team_insert);
  sqlite3_finalize(worker_insert);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_team, data_teams);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_worker, rows);
  return store_end(store, code);
}

int floor_join_workers(floor_store *store, floor_answer *answer) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database,
                                "SELECT worker.Z_PK, worker.Z_ENT, worker.Z_OPT, worker.ZTEAM, worker.ZNAME, team.ZNAME"
                                " FROM ZWORKER AS worker LEFT JOIN ZTEAM AS team ON team.Z_PK = worker.ZTEAM",
                                -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  text_block *blocks = NULL;
  int64_t count = 0, capacity = 1024;
  worker_row *rows = malloc((size_t)capacity * sizeof *rows);
  while (rows != NULL && sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) {
      capacity *= 2;
      worker_row *grown = realloc(rows, (size_t)capacity * sizeof *rows);
      if (grown == NULL) break;
      rows = grown;
    }
    worker_row *row = &rows[count++];
    row->key = sqlite3_column_int64(statement, 0);
    row->entity = sqlite3_column_int64(statement, 1);
    row->version = sqlite3_column_int64(statement, 2);
    row->team = sqlite3_column_int64(statement, 3);
    const void *name = sqlite3_column_text(statement, 4);
    row->name_length = sqlite3_column_bytes(statement, 4);
    row->name = text_copy(&blocks, name, row->name_length);
    const void *team_name = sqlite3_column_text(statement, 5);
    row->team_name_length = sqlite3_column_bytes(statement, 5);
    row->team_name = text_copy(&blocks, team_name, row->team_name_length);
  }
  code = sqlite3_finalize(statement);
  answer->count = count;
  answer->sum = 0;
  if (count > 0) {
    answer->first = text_digest(rows[0].team_name, rows[0].team_name_length);
    answer->last = text_digest(rows[count - 1].team_name, rows[count - 1].team_name_length);
    for (int64_t index = 0; index < count; index++)
      answer->sum += text_digest(rows[index].team_name, rows[index].team_name_length);
  }
  free(rows);
  text_free(blocks);
  return code;
}
