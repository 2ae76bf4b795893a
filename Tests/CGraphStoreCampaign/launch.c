#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static void limit(int what, uint64_t value) {
  struct rlimit bound = {value, value};
  if (value) setrlimit(what, &bound);
}

void gs_campaign_become(const gs_campaign_program *program, int (*prepare)(void)) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
  setsid();
  if (program->has_terminal) ioctl(program->input, TIOCSCTTY, 0);
  if (chdir(program->folder) != 0) _exit(126);
  // Apart from each other first: one may have the number of another.
  int input = fcntl(program->input, F_DUPFD_CLOEXEC, 10);
  int output = fcntl(program->output, F_DUPFD_CLOEXEC, 10);
  int errors = fcntl(program->errors, F_DUPFD_CLOEXEC, 10);
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) _exit(126);
  limit(RLIMIT_AS, program->address_space);
  limit(RLIMIT_CPU, program->processor_seconds);
  limit(RLIMIT_FSIZE, program->file_size);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (prepare && prepare() != 0) _exit(126);
  execve(program->program, program->arguments, program->environment);
  _exit(127);
}

pid_t gs_campaign_start(const gs_campaign_program *program) {
  pid_t process = fork();
  if (process == 0) gs_campaign_become(program, 0);
  return process;
}

void gs_campaign_note(gs_campaign_ending *ending, int status, const struct rusage *usage) {
  ending->status = status;
  ending->processor_milliseconds = (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000 +
                                   (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000;
  ending->memory_kilobytes = (uint64_t)usage->ru_maxrss;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int gs_campaign_wait(
  pid_t process, int milliseconds, int terminal, void *context,
  void (*take)(void *context, const void *bytes, size_t count), gs_campaign_ending *ending) {
  memset(ending, 0, sizeof *ending);
  int handle = (int)syscall(SYS_pidfd_open, process, 0);
  if (handle < 0) return -1;
  int64_t deadline = now() + milliseconds;
  char bytes[16384];
  for (int has_ended = 0; !has_ended;) {
    struct pollfd waiting[2] = {{handle, POLLIN, 0}, {terminal, POLLIN, 0}};
    int64_t left = deadline - now();
    int found = left > 0 ? poll(waiting, terminal >= 0 ? 2 : 1, (int)left) : 0;
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) {
      ending->timed_out = 1;
      kill(process, SIGKILL);
    }
    has_ended = found <= 0 || waiting[0].revents != 0;
    for (ssize_t count; terminal >= 0 && (count = read(terminal, bytes, sizeof bytes)) > 0;)
      take(context, bytes, (size_t)count);
  }
  close(handle);
  int status = 0;
  struct rusage usage;
  while (wait4(process, &status, 0, &usage) < 0)
    if (errno != EINTR) return -1;
  gs_campaign_note(ending, status, &usage);
  return 0;
}

int gs_campaign_memory_file(void) { return memfd_create("stream", MFD_CLOEXEC); }

int gs_campaign_open_terminal(int columns, int rows, int *user, int *program) {
  *user = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (*user < 0) return -1;
  char name[64];
  if (grantpt(*user) != 0 || unlockpt(*user) != 0 || ptsname_r(*user, name, sizeof name) != 0) return -1;
  *program = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*program < 0) return -1;
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  ioctl(*program, TIOCSWINSZ, &size);
  struct termios settings;
  tcgetattr(*program, &settings);
  // No echo and no changes of line ends: what arrives is what the program wrote.
  settings.c_oflag &= ~(tcflag_t)OPOST;
  settings.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ECHOCTL);
  return tcsetattr(*program, TCSANOW, &settings);
}
