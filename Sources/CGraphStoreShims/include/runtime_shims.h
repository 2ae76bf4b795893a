#ifndef CGRAPHSTORE_RUNTIME_SHIMS_H
#define CGRAPHSTORE_RUNTIME_SHIMS_H

void *swift_tryRetain(void *object);

/// Retains a Swift object unless its deallocation has begun; null then.
static inline void *gs_try_retain(void *object) { return swift_tryRetain(object); }

/// A word of the calling thread's own, null at first: where releases that would recurse are put off to.
void **gs_thread_drop_list(void);

#endif
