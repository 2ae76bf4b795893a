#include "CGraphStoreShims.h"

uint32_t gs_statement_log_level_word;

void gs_set_statement_log_level(uint32_t level) {
  __atomic_store_n(&gs_statement_log_level_word, level, __ATOMIC_RELAXED);
}
