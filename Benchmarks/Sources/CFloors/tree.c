#include <stddef.h>

#include "store.h"

static int insert_node(floor_store *store, sqlite3_stmt *statement, int64_t key, int entity, int64_t parent) {
  sqlite3_bind_int64(statement, 1, key);
  sqlite3_bind_int64(statement, 2, entity);
  sqlite3_bind_int64(statement, 3, 1);
  if (parent != 0) sqlite3_bind_int64(statement, 4, parent);
  sqlite3_step(statement);
  return sqlite3_reset(statement);
}

int floor_fill_tree(floor_store *store, int64_t root, int64_t branches, int64_t leaves) {
  sqlite3_stmt *root_insert = NULL, *branch_insert = NULL, *leaf_insert = NULL;
  int64_t branch_key = 0, leaf_key = 0;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = floor_integer(store, "SELECT coalesce(max(Z_PK), 0) FROM ZBRANCH", &branch_key);
  if (code == SQLITE_OK) code = floor_integer(store, "SELECT coalesce(max(Z_PK), 0) FROM ZLEAF", &leaf_key);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "INSERT INTO ZROOT VALUES (?, ?, ?)", -1, &root_insert, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "INSERT INTO ZBRANCH VALUES (?, ?, ?, ?)", -1, &branch_insert, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "INSERT INTO ZLEAF VALUES (?, ?, ?, ?)", -1, &leaf_insert, NULL);
  if (code == SQLITE_OK) code = insert_node(store, root_insert, root, entity_root, 0);
  for (int64_t branch = 0; branch < branches && code == SQLITE_OK; branch++) {
    code = insert_node(store, branch_insert, ++branch_key, entity_branch, root);
    for (int64_t leaf = 0; leaf < leaves && code == SQLITE_OK; leaf++)
      code = insert_node(store, leaf_insert, ++leaf_key, entity_leaf, branch_key);
  }
  sqlite3_finalize(root_insert);
  sqlite3_finalize(branch_insert);
  sqlite3_finalize(leaf_insert);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_root, root);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_branch, branch_key);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_leaf, leaf_key);
  return store_end(store, code);
}

static int delete_by(floor_store *store, const char *sql, int64_t root) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_int64(statement, 1, root);
  sqlite3_step(statement);
  return sqlite3_finalize(statement);
}

int floor_delete_tree(floor_store *store, int64_t root) {
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = delete_by(store, "DELETE FROM ZLEAF WHERE ZBRANCH IN (SELECT Z_PK FROM ZBRANCH WHERE ZROOT = ?)", root);
  if (code == SQLITE_OK) code = delete_by(store, "DELETE FROM ZBRANCH WHERE ZROOT = ?", root);
  if (code == SQLITE_OK) code = delete_by(store, "DELETE FROM ZROOT WHERE Z_PK = ?", root);
  return store_end(store, code);
}

/// The root in a transaction of its own, then one for each branch with its leaves.
int floor_grow_tree(floor_store *store, int64_t branches, int64_t leaves) {
  sqlite3_stmt *root_insert = NULL, *branch_insert = NULL, *leaf_insert = NULL;
  int64_t leaf_key = 0;
  int code = sqlite3_prepare_v2(store->database, "INSERT INTO ZROOT VALUES (?, ?, ?)", -1, &root_insert, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "INSERT INTO ZBRANCH VALUES (?, ?, ?, ?)", -1, &branch_insert, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(store->database, "INSERT INTO ZLEAF VALUES (?, ?, ?, ?)", -1, &leaf_insert, NULL);
  for (int64_t branch = 0; branch <= branches && code == SQLITE_OK; branch++) {
    code = store_begin(store);
    if (code != SQLITE_OK) break;
    if (branch == 0) {
      code = insert_node(store, root_insert, 1, entity_root, 0);
      if (code == SQLITE_OK) code = store_set_last_key(store, entity_root, 1);
    } else {
      code = insert_node(store, branch_insert, branch, entity_branch, 1);
      for (int64_t leaf = 0; leaf < leaves && code == SQLITE_OK; leaf++)
        code = insert_node(store, leaf_insert, ++leaf_key, entity_leaf, branch);
      if (code == SQLITE_OK) code = store_set_last_key(store, entity_branch, branch);
      if (code == SQLITE_OK) code = store_set_last_key(store, entity_leaf, leaf_key);
    }
    code = store_end(store, code);
  }
  sqlite3_finalize(root_insert);
  sqlite3_finalize(branch_insert);
  sqlite3_finalize(leaf_insert);
  return code;
}
