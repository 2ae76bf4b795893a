#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "server_floors.h"

#define COLUMNS "object_id, object_entity, object_version, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9"
enum { int8_array = 1016, piece = 1 << 16, row_size = 2 + 12 + 8 + 12 + 12 * data_number_columns };

struct server_floor {
  PGconn *connection;
};

typedef struct {
  int64_t key;
  int32_t entity;
  int64_t version;
  int64_t values[data_number_columns];
} server_row;

static void ignore(void *context, const char *notice) {
  (void)context;
  (void)notice;
}

int server_open(const char *address, server_floor **out) {
  server_floor *floor = calloc(1, sizeof *floor);
  if (floor == NULL) return -1;
  floor->connection = PQconnectdb(address);
  PQsetNoticeProcessor(floor->connection, ignore, NULL);
  *out = floor;
  return PQstatus(floor->connection) == CONNECTION_OK ? 0 : -1;
}

void server_close(server_floor *floor) {
  PQfinish(floor->connection);
  free(floor);
}

const char *server_message(server_floor *floor) { return PQerrorMessage(floor->connection); }

/// Whether a statement has succeeded.
static int end(PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  PQclear(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? 0 : -1;
}

int server_run(server_floor *floor, const char *sql) { return end(PQexec(floor->connection, sql)); }

int server_integer(server_floor *floor, const char *sql, int64_t *out) {
  PGresult *result = PQexec(floor->connection, sql);
  if (PQntuples(result) == 1) *out = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
  return end(result);
}

// MARK: Reading

static int64_t number(const char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return (int64_t)__builtin_bswap64(word);
}

static void read_row(const PGresult *result, int position, server_row *row) {
  uint32_t entity;
  memcpy(&entity, PQgetvalue(result, position, 1), sizeof entity);
  row->key = number(PQgetvalue(result, position, 0));
  row->entity = (int32_t)__builtin_bswap32(entity);
  row->version = number(PQgetvalue(result, position, 2));
  for (int column = 0; column < data_number_columns; column++)
    row->values[column] = number(PQgetvalue(result, position, 3 + column));
}

static int64_t row_sum(const server_row *row) {
  int64_t sum = 0;
  for (int column = 0; column < data_number_columns; column++) sum += row->values[column];
  return sum;
}

static int send_select(server_floor *floor, const char *table) {
  char sql[512];
  snprintf(sql, sizeof sql, "SELECT " COLUMNS " FROM %s", table);
  return PQsendQueryParams(floor->connection, sql, 0, NULL, NULL, NULL, NULL, 1) ? 0 : -1;
}

int server_fetch(server_floor *floor, const char *table, server_answer *out) {
  if (send_select(floor, table) != 0) return -1;
  PGresult *result = PQgetResult(floor->connection);
  int count = PQntuples(result);
  server_row *rows = malloc((size_t)(count > 0 ? count : 1) * sizeof *rows);
  if (rows == NULL) return -1;
  for (int position = 0; position < count; position++) read_row(result, position, &rows[position]);
  int code = end(result);
  PQclear(PQgetResult(floor->connection));
  *out = (server_answer){.count = count};
  for (int position = 0; position < count; position++) out->sum += row_sum(&rows[position]);
  if (count > 0) {
    out->first = row_sum(&rows[0]);
    out->last = row_sum(&rows[count - 1]);
  }
  free(rows);
  return code;
}

int server_stream(server_floor *floor, const char *table, server_answer *out) {
  if (send_select(floor, table) != 0 || PQsetSingleRowMode(floor->connection) == 0) return -1;
  *out = (server_answer){0};
  int code = 0;
  PGresult *result;
  while ((result = PQgetResult(floor->connection)) != NULL) {
    if (PQresultStatus(result) == PGRES_SINGLE_TUPLE) {
      server_row row;
      read_row(result, 0, &row);
      out->count++;
      out->sum += row_sum(&row);
    } else if (PQresultStatus(result) != PGRES_TUPLES_OK) {
      code = -1;
    }
    PQclear(result);
  }
  return code;
}

// MARK: Writing

static char *put(char *place, uint64_t word, int size) {
  for (int byte = size - 1; byte >= 0; byte--) *place++ = (char)(word >> (8 * byte));
  return place;
}

static char *put_value(char *place, int64_t value) { return put(put(place, 8, 4), (uint64_t)value, 8); }

int server_copy(server_floor *floor, const char *table, int64_t rows, int32_t entity) {
  char sql[512];
  snprintf(sql, sizeof sql, "COPY %s (" COLUMNS ") FROM STDIN (FORMAT binary)", table);
  if (server_run(floor, "BEGIN") != 0) return -1;
  PGresult *result = PQexec(floor->connection, sql);
  int code = PQresultStatus(result) == PGRES_COPY_IN ? 0 : -1;
  PQclear(result);
  char *buffer = malloc(piece + row_size + 32);
  if (buffer == NULL) return -1;
  memcpy(buffer, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  char *place = buffer + 19;
  for (int64_t row = 1; row <= rows && code == 0; row++) {
    place = put(place, 3 + data_number_columns, 2);
    place = put_value(place, row);
    place = put(put(place, 4, 4), (uint64_t)entity, 4);
    place = put_value(place, 1);
    for (int column = 0; column < data_number_columns; column++) place = put_value(place, data_number(row, column));
    if (place - buffer < piece) continue;
    if (PQputCopyData(floor->connection, buffer, (int)(place - buffer)) != 1) code = -1;
    place = buffer;
  }
  place = put(place, 0xffff, 2);
  if (PQputCopyData(floor->connection, buffer, (int)(place - buffer)) != 1) code = -1;
  if (PQputCopyEnd(floor->connection, NULL) != 1) code = -1;
  free(buffer);
  while ((result = PQgetResult(floor->connection)) != NULL) {
    if (end(result) != 0) code = -1;
  }
  if (server_run(floor, code == 0 ? "COMMIT" : "ROLLBACK") != 0) code = -1;
  return code;
}

/// The beginning of an array of one dimension, of numbers.
static char *begin_array(char *place, int64_t count) {
  place = put(put(put(place, 1, 4), 0, 4), 20, 4);
  return put(put(place, (uint64_t)count, 4), 1, 4);
}

int server_update(server_floor *floor, const char *table, int64_t rows) {
  char sql[512];
  snprintf(sql, sizeof sql,
           "UPDATE %s AS stored SET object_version = stored.object_version + 1, i3 = given.v "
           "FROM unnest($1, $2) AS given(k, v) WHERE stored.object_id = given.k",
           table);
  size_t size = 20 + 12 * (size_t)rows;
  char *keys = malloc(size), *values = malloc(size);
  if (keys == NULL || values == NULL) return -1;
  char *key = begin_array(keys, rows), *value = begin_array(values, rows);
  for (int64_t row = 1; row <= rows; row++) {
    key = put_value(key, row);
    value = put_value(value, data_number(row, 3) + 1);
  }
  const Oid types[] = {int8_array, int8_array};
  const char *parameters[] = {keys, values};
  const int lengths[] = {(int)size, (int)size}, formats[] = {1, 1};
  int code = server_run(floor, "BEGIN");
  if (code == 0) code = end(PQexecParams(floor->connection, sql, 2, types, parameters, lengths, formats, 1));
  free(keys);
  free(values);
  if (server_run(floor, code == 0 ? "COMMIT" : "ROLLBACK") != 0) code = -1;
  return code;
}
