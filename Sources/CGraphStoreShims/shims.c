#include "CGraphStoreShims.h"

void **gs_thread_drop_list(void) {
  static _Thread_local void *list;
  return &list;
}
