// The address sanitizer's defaults, which a child process has too that gets no environment: memory that is there at the end
// goes with the process, and is no leak.

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
const char *__asan_default_options(void);

const char *__asan_default_options(void) { return "detect_leaks=0"; }
#endif
#endif
