#ifndef FLOORS_STORE_H
#define FLOORS_STORE_H

#include <sqlite3.h>

#include "floors.h"

typedef struct {
  int64_t key;
  int64_t entity;
  int64_t version;
  int64_t values[data_number_columns];
} number_row;

struct floor_store {
  sqlite3 *database;
  number_row *loaded;
  int64_t loaded_count;
};

#define NUMBER_COLUMNS "ZI0, ZI1, ZI2, ZI3, ZI4, ZI5, ZI6, ZI7, ZI8, ZI9"

/// The numbers of the entities in `models/benchmarks.json`, sorted by name as stores number them.
enum { entity_branch = 1, entity_employee, entity_leaf, entity_mixed, entity_numbers, entity_order, entity_root,
       entity_team, entity_word, entity_worker };

int store_execute(floor_store *store, const char *sql);
int store_begin(floor_store *store);
/// Writes the last key that an entity handed out, as every save that inserts does.
int store_set_last_key(floor_store *store, int entity, int64_t key);
/// Ends a transaction: commits after success, else rolls back and keeps the first code.
int store_end(floor_store *store, int code);

#endif
