#include <malloc.h>

#include "floors.h"

void floor_trim_heap(void) { malloc_trim(0); }
