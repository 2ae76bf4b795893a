#ifndef CLIBPQ_SHIMS_H
#define CLIBPQ_SHIMS_H

#include <libpq-fe.h>

#endif
