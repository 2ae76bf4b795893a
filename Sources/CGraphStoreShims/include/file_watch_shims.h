#ifndef CGRAPHSTORE_FILE_WATCH_SHIMS_H
#define CGRAPHSTORE_FILE_WATCH_SHIMS_H

#include <stdbool.h>

/* What a watch over files needs and Swift's view of the system lacks. */

/// A counter that wakes who polls it (eventfd), or -1.
int gs_make_signal(void);

/// Adds one to a counter.
void gs_send_signal(int signal);

/// Whether a file is on a file system that does not tell what other machines write: NFS, SMB, FUSE and their like.
bool gs_is_on_network(const char *path);

#endif
