#include "CGraphStoreTestSupport.h"

#include <stddef.h>

static _Thread_local long live_allocations;

long gs_test_live_allocations(void) { return live_allocations; }

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

void *__libc_malloc(size_t size);
void __libc_free(void *memory);

// Both stand before those of the C library for the whole test process.

void *malloc(size_t size) {
  live_allocations++;
  return __libc_malloc(size);
}

void free(void *memory) {
  if (memory) live_allocations--;
  __libc_free(memory);
}

#endif
