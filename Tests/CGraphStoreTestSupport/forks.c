#include "CGraphStoreTestSupport.h"

#include <sys/wait.h>
#include <unistd.h>

int gs_run_forked(int (*body)(void *), void *context) {
  pid_t process = fork();
  if (process < 0) return -1;
  if (process == 0) {
    // Another thread may have held a lock.
    alarm(20);
    _exit(body(context));
  }
  int status = 0;
  if (waitpid(process, &status, 0) != process || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}
