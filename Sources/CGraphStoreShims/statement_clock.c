#include "CGraphStoreShims.h"

#include <time.h>

uint32_t gs_statement_clock_users;
static _Thread_local uint64_t spent;

void gs_start_statement_clock(void) { __atomic_add_fetch(&gs_statement_clock_users, 1, __ATOMIC_RELAXED); }

void gs_stop_statement_clock(void) { __atomic_sub_fetch(&gs_statement_clock_users, 1, __ATOMIC_RELAXED); }

uint64_t gs_statement_nanoseconds(void) { return spent; }

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int gs_timed_statement_step(sqlite3_stmt *statement) {
  uint64_t start = now();
  int code = sqlite3_step(statement);
  spent += now() - start;
  return code;
}

int gs_timed_statement_prepare(sqlite3 *database, const char *text, int length, unsigned flags,
                               sqlite3_stmt **statement, const char **tail) {
  uint64_t start = now();
  int code = sqlite3_prepare_v3(database, text, length, flags, statement, tail);
  spent += now() - start;
  return code;
}
