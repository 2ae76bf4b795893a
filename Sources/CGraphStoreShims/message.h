#ifndef GRAPHSTORE_MESSAGE_H
#define GRAPHSTORE_MESSAGE_H

#include <stddef.h>

/* Text that is put together and written to standard error inside of signal handlers. */

struct gs_message {
  size_t length;
  char text[1024];
};

void gs_append(struct gs_message *message, const char *text);
void gs_append_number(struct gs_message *message, int number);
void gs_write(const struct gs_message *message);

#endif
