#ifndef CGRAPHSTORE_TEST_SUPPORT_H
#define CGRAPHSTORE_TEST_SUPPORT_H

/// How many more pieces of memory the calling thread has allocated than it has freed; 0 where that is not counted.
long gs_test_live_allocations(void);

/// The bytes of these pieces.
long gs_test_live_bytes(void);

/// How many pieces of memory the calling thread has allocated, whatever has become of them; 0 where that is not counted.
long gs_test_all_allocations(void);

/// Has SQLite write through a file system that can fail, for files whose paths begin with `watched`; connections opened from
/// then on use it. Called by one thread at a time.
void gs_test_watch_writes(const char *watched);

/// Begins to count the calls that write, sync, truncate or delete watched files, and lets one of them fail, with half of what
/// it was to write; 0 for none.
///
/// @param onwards Whether all later ones fail too, as if the process had died there.
void gs_test_fail_write(long call, int onwards);

/// Ends it, and tells how many calls there were.
long gs_test_end_failing(void);

/// Has SQLite find no locks for files whose paths begin with `watched`, as on a file system that has none; connections opened
/// from then on see it. Called by one thread at a time.
void gs_test_refuse_locks(const char *watched);

/// Runs a function in a process that is forked from this one, which ends with what it returns.
int gs_run_forked(int (*body)(void *context), void *context);

#endif
