#include <stdlib.h>

#include "store.h"
#include "text.h"

#define ORDER_COLUMNS                                                                                              \
  "ZEMPLOYEE, ZNUMBER, ZSHIPVIA, ZFREIGHT, ZORDERED, ZREQUIRED, ZSHIPPED, ZCUSTOMER, ZSHIPADDRESS, ZSHIPCITY,"     \
  " ZSHIPCOUNTRY, ZSHIPNAME, ZSHIPPOSTALCODE, ZSHIPREGION"

typedef struct {
  int64_t key;
  int64_t entity;
  int64_t version;
  int64_t employee;
  int64_t number;
  int64_t ship_via;
  double freight;
  double ordered;
  double required;
  double shipped;
  char *texts[data_order_texts];
  int32_t lengths[data_order_texts];
  uint32_t nulls;  // a bit a column, from the fourth on
} order_row;

int floor_fill_orders(floor_store *store, int64_t rows) {
  sqlite3_stmt *statement = NULL;
  int code = store_begin(store);
  if (code != SQLITE_OK) return code;
  code = sqlite3_prepare_v2(store->database,
                            "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, " ORDER_COLUMNS
                            ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            -1, &statement, NULL);
  for (int64_t row = 1; row <= rows && code == SQLITE_OK; row++) {
    data_order_row data;
    data_order(row, &data);
    sqlite3_bind_int64(statement, 1, row);
    sqlite3_bind_int64(statement, 2, entity_order);
    sqlite3_bind_int64(statement, 3, 1);
    sqlite3_bind_int64(statement, 4, data.employee);
    sqlite3_bind_int64(statement, 5, data.number);
    sqlite3_bind_int64(statement, 6, data.ship_via);
    sqlite3_bind_double(statement, 7, data.freight);
    sqlite3_bind_double(statement, 8, (double)data.ordered);
    sqlite3_bind_double(statement, 9, (double)data.required);
    if (data.has_shipped) {
      sqlite3_bind_double(statement, 10, (double)data.shipped);
    } else {
      sqlite3_bind_null(statement, 10);
    }
    for (int text = 0; text < data_order_texts; text++) {
      if (text == data_order_region && !data.has_region) {
        sqlite3_bind_null(statement, 11 + text);
      } else {
        sqlite3_bind_text(statement, 11 + text, data.texts[text], -1, SQLITE_STATIC);
      }
    }
    sqlite3_step(statement);
    code = sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_OK) code = store_set_last_key(store, entity_order, rows);
  return store_end(store, code);
}

static int64_t order_digest(const order_row *row) {
  int64_t sum = row->employee + row->number + row->ship_via + (int64_t)(row->freight * 8);
  sum += (int64_t)row->ordered + (int64_t)row->required;
  sum += row->nulls & 64 ? 1 : (int64_t)row->shipped;
  for (int text = 0; text < data_order_texts; text++)
    sum += row->nulls & (128u << text) ? 1 : text_digest(row->texts[text], row->lengths[text]);
  return sum;
}

int floor_fetch_orders(floor_store *store, floor_answer *answer) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database, "SELECT Z_PK, Z_ENT, Z_OPT, " ORDER_COLUMNS " FROM ZORDER", -1,
                                &statement, NULL);
  if (code != SQLITE_OK) return code;
  text_block *blocks = NULL;
  int64_t count = 0, capacity = 1024;
  order_row *rows = malloc((size_t)capacity * sizeof *rows);
  while (rows != NULL && sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) {
      capacity *= 2;
      order_row *grown = realloc(rows, (size_t)capacity * sizeof *rows);
      if (grown == NULL) break;
      rows = grown;
    }
    order_row *row = &rows[count++];
    row->nulls = 0;
    for (int column = 3; column < 17; column++)
      if (sqlite3_column_type(statement, column) == SQLITE_NULL) row->nulls |= 1u << (column - 3);
    row->key = sqlite3_column_int64(statement, 0);
    row->entity = sqlite3_column_int64(statement, 1);
    row->version = sqlite3_column_int64(statement, 2);
    row->employee = sqlite3_column_int64(statement, 3);
    row->number = sqlite3_column_int64(statement, 4);
    row->ship_via = sqlite3_column_int64(statement, 5);
    row->freight = sqlite3_column_double(statement, 6);
    row->ordered = sqlite3_column_double(statement, 7);
    row->required = sqlite3_column_double(statement, 8);
    if (!(row->nulls & 64)) row->shipped = sqlite3_column_double(statement, 9);
    for (int text = 0; text < data_order_texts; text++) {
      if (row->nulls & (128u << text)) continue;
      const void *bytes = sqlite3_column_text(statement, 10 + text);
      row->lengths[text] = sqlite3_column_bytes(statement, 10 + text);
      row->texts[text] = text_copy(&blocks, bytes, row->lengths[text]);
    }
  }
  code = sqlite3_finalize(statement);
  answer->count = count;
  answer->sum = 0;
  if (count > 0) {
    answer->first = order_digest(&rows[0]);
    answer->last = order_digest(&rows[count - 1]);
    for (int64_t index = 0; index < count; index++) answer->sum += order_digest(&rows[index]);
  }
  free(rows);
  text_free(blocks);
  return code;
}
