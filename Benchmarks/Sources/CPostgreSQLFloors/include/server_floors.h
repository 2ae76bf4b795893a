#ifndef SERVER_FLOORS_H
#define SERVER_FLOORS_H

#include <stdint.h>

/// The least work that gives each workload's answer, written by hand against libpq, with binary values. Tables
/// have the columns of a store's table of ten integers. Functions return 0, and -1 where the server refuses;
/// `server_message` says more.

typedef struct server_floor server_floor;

typedef struct {
  int64_t count;
  int64_t first;
  int64_t last;
  int64_t sum;
} server_answer;

int server_open(const char *address, server_floor **floor);
void server_close(server_floor *floor);
const char *server_message(server_floor *floor);

/// Runs statements that return nothing.
int server_run(server_floor *floor, const char *sql);
/// The one whole number that a statement returns.
int server_integer(server_floor *floor, const char *sql, int64_t *out);

/// Reads a table as one result into an array of rows.
int server_fetch(server_floor *floor, const char *table, server_answer *out);
/// Reads a table row by row.
int server_stream(server_floor *floor, const char *table, server_answer *out);
/// Fills a table by COPY in one transaction; keys begin with 1.
int server_copy(server_floor *floor, const char *table, int64_t rows, int32_t entity);
/// Raises one value in each row of a table by one statement with two arrays.
int server_update(server_floor *floor, const char *table, int64_t rows);

#endif
