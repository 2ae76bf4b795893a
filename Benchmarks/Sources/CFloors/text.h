#ifndef FLOORS_TEXT_H
#define FLOORS_TEXT_H

#include <stddef.h>
#include <stdint.h>

/// Text is copied into blocks that are freed together.
typedef struct text_block text_block;

char *text_copy(text_block **blocks, const void *text, int32_t length);
void text_free(text_block *blocks);

static inline int64_t text_digest(const char *text, int32_t length) {
  return length + (unsigned char)text[0] + (unsigned char)text[length - 1];
}

#endif
