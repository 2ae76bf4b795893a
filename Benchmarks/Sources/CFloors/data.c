#include "data.h"

#include <stdio.h>

static const char *const first_names[] = {"Ada", "Grace", "Alan", "Zo\u00eb", "Jos\u00e9", "Mary", "Edsger", "Aiko"};
static const char *const last_names[] = {"Hopper", "Lovelace", "O'Brien", "Pe\u00f1a", "Turing",
                                         "Parker", "Dijkstra", "Tanaka", "Petrov"};

void data_mixed(int64_t row, data_mixed_row *out) {
  uint64_t bits = data_mix((uint64_t)row * 16 + 11);
  snprintf(out->name, sizeof out->name, "%s %s %lld", first_names[bits % 8], last_names[bits / 8 % 9],
           (long long)row);
  out->has_note = row % 2 == 0;
  snprintf(out->note, sizeof out->note, "a note of middling length about number %lld, no more", (long long)row);
  out->has_rating = row % 3 != 0;
  out->rating = (double)(bits % 41) / 8;
  out->flag = (int)(bits / 64 % 2);
  out->born = (int64_t)(bits / 128 % 700000000u);
  out->price_cents = (int64_t)(bits / 1024 % 10000000u);
}

void data_employee(int64_t row, data_employee_row *out) {
  uint64_t bits = data_mix((uint64_t)row * 16 + 12);
  snprintf(out->name, sizeof out->name, "%s %s", first_names[bits % 8], last_names[bits / 8 % 9]);
  snprintf(out->email, sizeof out->email, "person%lld@company.example", (long long)row);
  out->badge = row;
  out->salary_cents = 3000000 + (int64_t)(bits / 128 % 6000000u);
  out->hired = (int64_t)(bits / 1024 % 700000000u);
}
