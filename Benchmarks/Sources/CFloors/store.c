#include "store.h"

#include <stdlib.h>

int store_execute(floor_store *store, const char *sql) {
  return sqlite3_exec(store->database, sql, NULL, NULL, NULL);
}

int store_begin(floor_store *store) { return store_execute(store, "BEGIN IMMEDIATE"); }

int store_end(floor_store *store, int code) {
  if (code == SQLITE_OK) return store_execute(store, "COMMIT");
  store_execute(store, "ROLLBACK");
  return code;
}

int store_set_last_key(floor_store *store, int entity, int64_t key) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database, "UPDATE Z_PRIMARYKEY SET Z_MAX = ?2 WHERE Z_ENT = ?1", -1,
                                &statement, NULL);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_int(statement, 1, entity);
  sqlite3_bind_int64(statement, 2, key);
  sqlite3_step(statement);
  return sqlite3_finalize(statement);
}

int floor_open(const char *path, floor_store **store) {
  floor_store *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return SQLITE_NOMEM;
  *store = opened;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int code = sqlite3_open_v2(path, &opened->database, flags, NULL);
  if (code != SQLITE_OK) return code;
  return store_execute(opened, "PRAGMA synchronous = FULL");
}

void floor_close(floor_store *store) {
  if (store == NULL) return;
  sqlite3_close(store->database);
  free(store->loaded);
  free(store);
}

const char *floor_message(floor_store *store) {
  return store == NULL ? "out of memory" : sqlite3_errmsg(store->database);
}

int floor_create(const char *path) {
  static const char schema[] =
      "PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL;"
      "BEGIN IMMEDIATE;"
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);"
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);"
      "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Branch', 0, 0), (2, 'Employee', 0, 0), (3, 'Leaf', 0, 0),"
      " (4, 'Mixed', 0, 0), (5, 'Numbers', 0, 0), (6, 'Order', 0, 0), (7, 'Root', 0, 0), (8, 'Team', 0, 0),"
      " (9, 'Word', 0, 0), (10, 'Worker', 0, 0);"
      "CREATE TABLE ZBRANCH ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZROOT INTEGER );"
      "CREATE INDEX ZBRANCH_ZROOT_INDEX ON ZBRANCH (ZROOT);"
      "CREATE TABLE ZEMPLOYEE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBADGE INTEGER,"
      " ZHIRED TIMESTAMP, ZSALARY DECIMAL, ZEMAIL VARCHAR, ZNAME VARCHAR );"
      "CREATE TABLE ZLEAF ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBRANCH INTEGER );"
      "CREATE INDEX ZLEAF_ZBRANCH_INDEX ON ZLEAF (ZBRANCH);"
      "CREATE TABLE ZMIXED ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFLAG INTEGER,"
      " ZBORN TIMESTAMP, ZPRICE DECIMAL, ZRATING FLOAT, ZNAME VARCHAR, ZNOTE VARCHAR );"
      "CREATE TABLE ZNUMBERS ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZI0 INTEGER, ZI1 INTEGER,"
      " ZI2 INTEGER, ZI3 INTEGER, ZI4 INTEGER, ZI5 INTEGER, ZI6 INTEGER, ZI7 INTEGER, ZI8 INTEGER, ZI9 INTEGER );"
      "CREATE TABLE ZORDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZEMPLOYEE INTEGER,"
      " ZNUMBER INTEGER, ZSHIPVIA INTEGER, ZFREIGHT FLOAT, ZORDERED TIMESTAMP, ZREQUIRED TIMESTAMP,"
      " ZSHIPPED TIMESTAMP, ZCUSTOMER VARCHAR, ZSHIPADDRESS VARCHAR, ZSHIPCITY VARCHAR, ZSHIPCOUNTRY VARCHAR,"
      " ZSHIPNAME VARCHAR, ZSHIPPOSTALCODE VARCHAR, ZSHIPREGION VARCHAR );"
      "CREATE TABLE ZROOT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );"
      "CREATE TABLE ZTEAM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );"
      "CREATE TABLE ZWORD ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );"
      "CREATE TABLE ZWORKER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEAM INTEGER,"
      " ZNAME VARCHAR );"
      "CREATE INDEX ZWORKER_ZTEAM_INDEX ON ZWORKER (ZTEAM);"
      "COMMIT;";
  floor_store *store;
  int code = floor_open(path, &store);
  if (code == SQLITE_OK) code = store_execute(store, schema);
  floor_close(store);
  return code;
}

int floor_integer(floor_store *store, const char *sql, int64_t *value) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  if (sqlite3_step(statement) == SQLITE_ROW) *value = sqlite3_column_int64(statement, 0);
  return sqlite3_finalize(statement);
}
