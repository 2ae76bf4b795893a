#include "message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void gs_append(struct gs_message *message, const char *text) {
  size_t length = strlen(text);
  size_t room = sizeof message->text - message->length;
  if (length > room) length = room;
  memcpy(message->text + message->length, text, length);
  message->length += length;
}

void gs_append_number(struct gs_message *message, int number) {
  char digits[12];
  int position = sizeof digits - 1;
  digits[position] = 0;
  do digits[--position] = '0' + number % 10; while ((number /= 10) > 0);
  gs_append(message, digits + position);
}

void gs_write(const struct gs_message *message) {
  size_t written = 0;
  while (written < message->length) {
    ssize_t count = write(STDERR_FILENO, message->text + written, message->length - written);
    if (count < 0 && errno == EINTR) continue;
    // There is nowhere else to say it.
    if (count <= 0) return;
    written += count;
  }
}
