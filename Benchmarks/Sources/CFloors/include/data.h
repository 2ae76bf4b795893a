#ifndef FLOORS_DATA_H
#define FLOORS_DATA_H

#include <stdint.h>

/// The data of every workload, a pure function of row and column: all contenders make and expect the same.
/// Rows are numbered from 1.

static inline uint64_t data_mix(uint64_t seed) {
  seed += 0x9e3779b97f4a7c15u;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
  return seed ^ (seed >> 31);
}

enum { data_number_columns = 10 };

static inline int64_t data_number(int64_t row, int column) {
  return (int64_t)(data_mix((uint64_t)row * 16 + (uint64_t)column) % 1000000u);
}

/// Text, date, decimal and nil columns.
typedef struct {
  char name[64];
  char note[96];
  int has_note;
  int has_rating;
  int flag;
  int64_t born;  // whole seconds since 2001
  int64_t price_cents;
  double rating;  // a multiple of 1/8
} data_mixed_row;

void data_mixed(int64_t row, data_mixed_row *out);

/// One employee of the command's workloads.
typedef struct {
  char name[64];
  char email[64];
  int64_t badge;
  int64_t salary_cents;
  int64_t hired;  // whole seconds since 2001
} data_employee_row;

void data_employee(int64_t row, data_employee_row *out);

/// One order of the Northwind shape: the texts of `data_order_texts`, in the order of the table's columns.
enum { data_order_texts = 7, data_order_region = 6 };

typedef struct {
  char texts[data_order_texts][64];
  int has_region;
  int has_shipped;
  int64_t employee;
  int64_t number;
  int64_t ship_via;
  int64_t ordered;  // whole seconds since 2001
  int64_t required;
  int64_t shipped;
  double freight;  // a multiple of 1/8
} data_order_row;

void data_order(int64_t row, data_order_row *out);

/// A name to search in; without `ascii` three of four have letters outside ASCII.
typedef struct {
  char name[64];
} data_word_row;

void data_word(int64_t row, int ascii, data_word_row *out);

/// The team of a worker, and the names of both.
enum { data_teams = 100 };

static inline int64_t data_team(int64_t worker) {
  return (int64_t)(data_mix((uint64_t)worker * 16 + 13) % data_teams) + 1;
}

void data_team_name(int64_t team, data_word_row *out);

#endif
