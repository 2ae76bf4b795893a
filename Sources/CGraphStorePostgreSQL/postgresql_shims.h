#ifndef CGRAPHSTORE_POSTGRESQL_SHIMS_H
#define CGRAPHSTORE_POSTGRESQL_SHIMS_H

#include <libpq-fe.h>

#endif
