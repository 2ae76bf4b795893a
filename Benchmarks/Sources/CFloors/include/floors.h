#ifndef FLOORS_H
#define FLOORS_H

#include <stdint.h>

#include "data.h"

/// The least work that gives each workload's answer, written straight against SQLite: the same schema,
/// indexes, pragmas, columns and number of commits as a store of GraphStore. Functions return SQLite's
/// result code; `floor_message` says more.

typedef struct floor_store floor_store;

typedef struct {
  int64_t count;
  int64_t first;
  int64_t last;
  int64_t sum;
} floor_answer;

int floor_open(const char *path, floor_store **store);
void floor_close(floor_store *store);
const char *floor_message(floor_store *store);

/// Makes a new file with the system tables and the tables of `models/benchmarks.json`, without rows.
int floor_create(const char *path);

int floor_fill_numbers(floor_store *store, int64_t rows);
/// As `floor_fill_numbers`, with the insertions in the history that the file has.
int floor_fill_tracked_numbers(floor_store *store, int64_t rows);
int floor_fill_mixed(floor_store *store, int64_t rows);
/// A root with `branches` branches of `leaves` leaves each; its key is `root`.
int floor_fill_tree(floor_store *store, int64_t root, int64_t branches, int64_t leaves);

int floor_fill_orders(floor_store *store, int64_t rows);
/// Workers of `data_teams` teams.
int floor_fill_workers(floor_store *store, int64_t rows);
int floor_fill_words(floor_store *store, int64_t rows, int ascii);
/// Places with a normalised copy of their names, in a store of `models/searches.json`.
int floor_fill_places(floor_store *store, int64_t rows);
/// Staff of six to a boss, in a store of `models/searches.json`.
int floor_fill_staff(floor_store *store, int64_t rows);

int floor_fetch_numbers(floor_store *store, floor_answer *answer);
int floor_fetch_mixed(floor_store *store, floor_answer *answer);
int floor_step_numbers(floor_store *store, floor_answer *answer);
int floor_step_changes(floor_store *store, floor_answer *answer);
/// Fills a history with transactions of so many changes each.
int floor_fill_changes(floor_store *store, int64_t transactions, int64_t each);

/// Loads the rows that `floor_update_loaded` then changes, as an object context would hold them.
int floor_load_numbers(floor_store *store);
int floor_update_loaded(floor_store *store);

/// Has the first integer say which half a row is of: 0 or 1, in turn.
int floor_halve_numbers(floor_store *store);
/// The half of the rows whose first integer is 1: another value, one more than the old, or no row any more.
int floor_set_half(floor_store *store, int64_t value);
int floor_raise_half(floor_store *store);
int floor_delete_half(floor_store *store);

/// Reads rows 1 to `rows` one by one, by their key.
int floor_select_numbers(floor_store *store, int64_t rows, floor_answer *answer);

/// The bytes that are allocated at the moment.
int64_t floor_heap_bytes(void);

/// Reads every order into memory and digests it.
int floor_fetch_orders(floor_store *store, floor_answer *answer);
/// Reads every worker with the name of its team.
int floor_join_workers(floor_store *store, floor_answer *answer);
/// Calls a function that does nothing on every word; counts its calls.
int floor_call_words(floor_store *store, floor_answer *answer);

/// Inserts a tree as `floor_fill_tree` does, one transaction for the root and one for each branch with its leaves.
int floor_grow_tree(floor_store *store, int64_t branches, int64_t leaves);

int floor_delete_tree(floor_store *store, int64_t root);

/// Gives memory that was freed back to the system, so that what is taken next shows as resident.
void floor_trim_heap(void);

/// One integer from a query, for checking answers outside the measured time.
int floor_integer(floor_store *store, const char *sql, int64_t *value);

#endif
