#include "text.h"

#include <stdlib.h>
#include <string.h>

struct text_block {
  text_block *next;
  size_t used;
  char bytes[1 << 16];
};

char *text_copy(text_block **blocks, const void *text, int32_t length) {
  text_block *current = *blocks;
  if (current == NULL || current->used + (size_t)length > sizeof current->bytes) {
    current = malloc(sizeof *current);
    if (current == NULL || (size_t)length > sizeof current->bytes) abort();
    current->next = *blocks;
    current->used = 0;
    *blocks = current;
  }
  char *copy = current->bytes + current->used;
  memcpy(copy, text, (size_t)length);
  current->used += (size_t)length;
  return copy;
}

void text_free(text_block *blocks) {
  while (blocks != NULL) {
    text_block *next = blocks->next;
    free(blocks);
    blocks = next;
  }
}
