#include "CGraphStoreShims.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int foreground_count;

int gs_foreground_processes(void) { return atomic_load(&foreground_count); }

int gs_start_in_foreground(const char *command, int input) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  // What this process ignores, or holds back, would stay so.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t set;
  sigfillset(&set);
  posix_spawnattr_setsigdefault(&attributes, &set);
  sigemptyset(&set);
  posix_spawnattr_setsigmask(&attributes, &set);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  char *words[] = {"sh", "-c", (char *)command, 0};
  atomic_fetch_add(&foreground_count, 1);
  pid_t process;
  int code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, gs_environment());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (code == 0) return process;
  atomic_fetch_sub(&foreground_count, 1);
  return -code;
}

int gs_wait_in_foreground(int process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  atomic_fetch_sub(&foreground_count, 1);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
