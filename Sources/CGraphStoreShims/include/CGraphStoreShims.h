#ifndef CGRAPHSTORE_SHIMS_H
#define CGRAPHSTORE_SHIMS_H

#include "sqlite_shims.h"
#include "runtime_shims.h"
#include "signal_shims.h"
#include "file_watch_shims.h"

#endif
