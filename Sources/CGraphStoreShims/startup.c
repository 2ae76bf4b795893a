#include "CGraphStoreShims.h"

#include <stdint.h>
#include <sys/mman.h>

/* The bounds of the zero-initialized data (.bss) of what this is linked into, by the linker. */
extern char __bss_start[], _end[];

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

void gs_populate_zeroed_data(void) {
  const uintptr_t page = 4096;
  uintptr_t start = ((uintptr_t)__bss_start + page - 1) & ~(page - 1);
  uintptr_t end = (uintptr_t)_end & ~(page - 1);
  // Kernels before 5.14 refuse it, and fault the pages in one by one as ever.
  if (start < end) madvise((void *)start, end - start, MADV_POPULATE_WRITE);
}
