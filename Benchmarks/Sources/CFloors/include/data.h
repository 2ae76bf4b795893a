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

#endif
