#include "CGraphStoreTestSupport.h"

#include <malloc.h>
#include <stddef.h>

static _Thread_local long live_allocations;
static _Thread_local long live_bytes;
static _Thread_local long all_allocations;

long gs_test_live_allocations(void) { return live_allocations; }

long gs_test_live_bytes(void) { return live_bytes; }

long gs_test_all_allocations(void) { return all_allocations; }

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static void *counted(void *memory) {
  if (memory) {
    live_allocations++;
    all_allocations++;
    live_bytes += (long)malloc_usable_size(memory);
  }
  return memory;
}

static void discount(void *memory) {
  if (memory) {
    live_allocations--;
    live_bytes -= (long)malloc_usable_size(memory);
  }
}

// All stand before those of the C library for the whole test process.

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) {
  long former = memory ? (long)malloc_usable_size(memory) : 0;
  void *moved = __libc_realloc(memory, size);
  if (moved) {
    if (!memory) live_allocations++;
    all_allocations++;
    live_bytes += (long)malloc_usable_size(moved) - former;
  } else if (memory && size == 0) {
    live_allocations--;
    live_bytes -= former;
  }
  return moved;
}

void free(void *memory) {
  discount(memory);
  __libc_free(memory);
}

#endif
