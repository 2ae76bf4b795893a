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

void data_order(int64_t row, data_order_row *out) {
  static const char *const cities[] = {"M\u00e9xico D.F.", "London", "S\u00e3o Paulo", "Graz", "Reims", "Boise"};
  static const char *const countries[] = {"Mexico", "UK", "Brazil", "Austria", "France", "USA"};
  uint64_t bits = data_mix((uint64_t)row * 16 + 14);
  int place = (int)(bits % 6);
  snprintf(out->texts[0], sizeof out->texts[0], "CU%03d", (int)(bits / 8 % 91));
  snprintf(out->texts[1], sizeof out->texts[1], "%d, Avenue of the %s", (int)(bits / 1024 % 900),
           last_names[bits / 64 % 9]);
  snprintf(out->texts[2], sizeof out->texts[2], "%s", cities[place]);
  snprintf(out->texts[3], sizeof out->texts[3], "%s", countries[place]);
  snprintf(out->texts[4], sizeof out->texts[4], "%s %s Trading Co.", first_names[bits / 512 % 8],
           last_names[bits / 64 % 9]);
  snprintf(out->texts[5], sizeof out->texts[5], "%05d", (int)(bits / 4096 % 100000));
  snprintf(out->texts[data_order_region], sizeof out->texts[6], "Region %d", place);
  out->has_region = row % 3 == 0;
  out->has_shipped = row % 20 != 0;
  out->employee = (int64_t)(bits / 32 % 9) + 1;
  out->number = 10247 + row;
  out->ship_via = (int64_t)(bits / 16 % 3) + 1;
  out->ordered = (int64_t)(bits / 128 % 700000000u);
  out->required = out->ordered + 28 * 86400;
  out->shipped = out->ordered + 9 * 86400;
  out->freight = (double)(bits / 2048 % 8000) / 8;
}

void data_word(int64_t row, int ascii, data_word_row *out) {
  static const char *const plain[] = {"Alder", "Birch", "Compass", "Domino", "Forest", "Granit", "Harbour", "Orbit"};
  static const char *const marked[] = {"\u00c9clair", "Stra\u00dfburg", "\u041c\u043e\u0441\u043a\u0432\u0430",
                                       "Cafe\u0301", "\u0391\u03b8\u03ae\u03bd\u03b1", "Smorg\u00e5s"};
  uint64_t bits = data_mix((uint64_t)row * 16 + 15);
  const char *first = ascii || bits % 4 == 0 ? plain[bits / 4 % 8] : marked[bits / 4 % 6];
  snprintf(out->name, sizeof out->name, "%s %s %lld", first, plain[bits / 64 % 8], (long long)row);
}

void data_team_name(int64_t team, data_word_row *out) {
  snprintf(out->name, sizeof out->name, "%s %lld", last_names[team % 9], (long long)team);
}
