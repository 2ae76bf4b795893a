#include <stddef.h>

#include "store.h"

static int fill(floor_store *store, const char *insert, const char *name, int64_t rows) {
  sqlite3_stmt *statement = NULL;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(store->database, insert, -1, &statement, NULL);
  if (code == SQLITE_OK) {
    sqlite3_bind_int64(statement, 1, rows);
    sqlite3_step(statement);
    code = sqlite3_finalize(statement);
  }
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_NAME = ?2", -1, &statement,
                              NULL);
  if (code == SQLITE_OK) {
    sqlite3_bind_int64(statement, 1, rows);
    sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
    sqlite3_step(statement);
    code = sqlite3_finalize(statement);
  }
  return store_end(store, code);
}

int floor_fill_places(floor_store *store, int64_t rows) {
  return fill(store,
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1),"
              " named(i, text) AS (SELECT i, char(97 + i % 26, 97 + i / 26 % 26) || 'nt-' || i FROM n)"
              " INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNORMALIZEDNAME)"
              " SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Place'), 1, upper(text), text FROM named",
              "Place", rows);
}

int floor_fill_staff(floor_store *store, int64_t rows) {
  return fill(store,
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)"
              " INSERT INTO ZSTAFF (Z_PK, Z_ENT, Z_OPT, ZBOSS, ZSALARY)"
              " SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Staff'), 1, nullif(i / 6, 0), i * 7919 % 200"
              " FROM n",
              "Staff", rows);
}
