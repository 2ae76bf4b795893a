#ifndef CGRAPHSTORE_TEST_SUPPORT_H
#define CGRAPHSTORE_TEST_SUPPORT_H

/// How many more pieces of memory the calling thread has allocated with malloc than it has freed; 0 where that is not
/// counted.
long gs_test_live_allocations(void);

#endif
