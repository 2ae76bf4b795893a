#define _GNU_SOURCE
#include "launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// A filter of the kernel stops the program at the calls below and at no others, so that it runs at nearly its own speed.

/// What tells whether a call concerns the folder.
enum subject { by_descriptor, by_path, by_path_at, by_mapped_descriptor };

struct call {
  int number;
  const char *name;
  enum subject subject;
  int is_writing;
};

static const struct call calls[] = {
  {SYS_write, "write", by_descriptor, 1},
  {SYS_writev, "writev", by_descriptor, 1},
  {SYS_pwrite64, "pwrite64", by_descriptor, 1},
  {SYS_fsync, "fsync", by_descriptor, 1},
  {SYS_fdatasync, "fdatasync", by_descriptor, 1},
  {SYS_ftruncate, "ftruncate", by_descriptor, 1},
  {SYS_fallocate, "fallocate", by_descriptor, 1},
  {SYS_fchmod, "fchmod", by_descriptor, 1},
  {SYS_close, "close", by_descriptor, 1},
  {SYS_openat, "openat", by_path_at, 1},
  {SYS_unlinkat, "unlinkat", by_path_at, 1},
  {SYS_linkat, "linkat", by_path_at, 1},
  {SYS_renameat2, "renameat2", by_path_at, 1},
  {SYS_mkdirat, "mkdirat", by_path_at, 1},
#ifdef SYS_open
  {SYS_open, "open", by_path, 1},
  {SYS_unlink, "unlink", by_path, 1},
  {SYS_link, "link", by_path, 1},
  {SYS_rename, "rename", by_path, 1},
  {SYS_mkdir, "mkdir", by_path, 1},
#endif
#ifdef SYS_renameat
  {SYS_renameat, "renameat", by_path_at, 1},
#endif
  {SYS_read, "read", by_descriptor, 0},
  {SYS_pread64, "pread64", by_descriptor, 0},
  {SYS_fcntl, "fcntl", by_descriptor, 0},
  {SYS_mmap, "mmap", by_mapped_descriptor, 0},
};

enum { call_count = sizeof calls / sizeof *calls };

static int stop_and_filter(void) {
  struct sock_filter program[call_count + 3];
  int length = 0;
  program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < call_count; i++)
    program[length++] = (struct sock_filter)BPF_JUMP(
      BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, (unsigned char)(call_count - i), 0);
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  struct sock_fprog filter = {(unsigned short)length, program};
  if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) return -1;
  raise(SIGSTOP);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

struct arguments {
  uint64_t number, values[6];
};

#if defined(__x86_64__)
static int read_call(pid_t thread, struct arguments *arguments) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, thread, 0, &registers) != 0) return -1;
  *arguments = (struct arguments){
    registers.orig_rax,
    {registers.rdi, registers.rsi, registers.rdx, registers.r10, registers.r8, registers.r9}};
  return 0;
}

static void skip_call(pid_t thread, int error) {
  struct user_regs_struct registers;
  ptrace(PTRACE_GETREGS, thread, 0, &registers);
  registers.orig_rax = (unsigned long long)-1;
  registers.rax = (unsigned long long)-(long long)error;
  ptrace(PTRACE_SETREGS, thread, 0, &registers);
}

static void set_third_argument(pid_t thread, uint64_t value) {
  struct user_regs_struct registers;
  ptrace(PTRACE_GETREGS, thread, 0, &registers);
  registers.rdx = value;
  ptrace(PTRACE_SETREGS, thread, 0, &registers);
}
#elif defined(__aarch64__)
static void move_registers(pid_t thread, int request, struct user_regs_struct *registers) {
  struct iovec piece = {registers, sizeof *registers};
  ptrace(request, thread, (void *)NT_PRSTATUS, &piece);
}

static int read_call(pid_t thread, struct arguments *arguments) {
  struct user_regs_struct registers = {0};
  move_registers(thread, PTRACE_GETREGSET, &registers);
  arguments->number = registers.regs[8];
  for (int i = 0; i < 6; i++) arguments->values[i] = registers.regs[i];
  return 0;
}

static void skip_call(pid_t thread, int error) {
  int none = -1;
  struct iovec piece = {&none, sizeof none};
  ptrace(PTRACE_SETREGSET, thread, (void *)NT_ARM_SYSTEM_CALL, &piece);
  struct user_regs_struct registers = {0};
  move_registers(thread, PTRACE_GETREGSET, &registers);
  registers.regs[0] = (uint64_t)-(int64_t)error;
  move_registers(thread, PTRACE_SETREGSET, &registers);
}

static void set_third_argument(pid_t thread, uint64_t value) {
  struct user_regs_struct registers = {0};
  move_registers(thread, PTRACE_GETREGSET, &registers);
  registers.regs[2] = value;
  move_registers(thread, PTRACE_SETREGSET, &registers);
}
#else
#error "the registers of this processor are not known here"
#endif

/// Finds the file that a call is about; empty if there is none.
static void find_subject(
  pid_t thread, const struct call *call, const struct arguments *arguments, char *text, size_t size) {
  text[0] = 0;
  if (call->subject == by_descriptor || call->subject == by_mapped_descriptor) {
    int descriptor = (int)arguments->values[call->subject == by_descriptor ? 0 : 4];
    if (descriptor < 0) return;
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)thread, descriptor);
    ssize_t length = readlink(link, text, size - 1);
    text[length < 0 ? 0 : length] = 0;
    return;
  }
  uint64_t address = arguments->values[call->subject == by_path ? 0 : 1];
  // Byte for byte up to the end of a page: what follows it need not be there.
  for (size_t i = 0; i + 1 < size; i++) {
    struct iovec here = {text + i, 1}, there = {(void *)(address + i), 1};
    if (process_vm_readv(thread, &here, 1, &there, 1, 0) != 1) return;
    text[i + 1] = 0;
    if (text[i] == 0) return;
  }
}

static int counts(
  const gs_campaign_program *program, const gs_campaign_injection *injection, const struct call *call,
  const struct arguments *arguments, const char *subject) {
  int is_writing = call->is_writing;
  if (call->number == SYS_openat) is_writing = (arguments->values[2] & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
  if (!is_writing && !injection->counts_reading) return 0;
  // What is told to people cannot be missed: it says what happened.
  if (call->subject == by_descriptor && arguments->values[0] == 2) return 0;
  if (call->subject == by_descriptor && arguments->values[0] == 1 && is_writing && call->number != SYS_close)
    return 1;
  if (!subject[0]) return 0;
  if (subject[0] != '/') return call->subject == by_path || call->subject == by_path_at;
  return strncmp(subject, program->folder, strlen(program->folder)) == 0;
}

/// Whether a call needs room on the disk on which the folder lies.
static int needs_room(const gs_campaign_program *program, int number, const char *subject) {
  switch (number) {
  case SYS_write:
  case SYS_writev:
  case SYS_pwrite64:
  case SYS_fallocate:
  case SYS_mkdirat: return strncmp(subject, program->folder, strlen(program->folder)) == 0;
#ifdef SYS_mkdir
  case SYS_mkdir: return 1;
#endif
  default: return 0;
  }
}

/// Looks at a call before it is made, and interferes with it where it is the one.
static void examine(
  pid_t process, pid_t thread, const gs_campaign_program *program, gs_campaign_injection *injection, int *is_torn) {
  struct arguments arguments;
  if (read_call(thread, &arguments) != 0) return;
  const struct call *call = 0;
  for (int i = 0; i < call_count; i++)
    if ((uint64_t)calls[i].number == arguments.number) call = &calls[i];
  if (!call) return;
  char subject[sizeof injection->subject];
  find_subject(thread, call, &arguments, subject, sizeof subject);
  if (!counts(program, injection, call, &arguments, subject)) return;
  injection->made++;
  if (*is_torn) {
    kill(process, SIGKILL);
    return;
  }
  int is_full = injection->deed == gs_campaign_fill && injection->made > injection->number;
  if (is_full && needs_room(program, call->number, subject)) skip_call(thread, injection->error);
  if (injection->deed == gs_campaign_count || injection->made != injection->number) return;
  injection->is_done = 1;
  snprintf(injection->name, sizeof injection->name, "%s", call->name);
  memcpy(injection->subject, subject, sizeof subject);
  int can_be_torn = call->number == SYS_write || call->number == SYS_pwrite64;
  if (injection->deed == gs_campaign_fail || injection->deed == gs_campaign_fill) {
    skip_call(thread, injection->error);
  } else if (injection->deed == gs_campaign_tear && can_be_torn) {
    set_third_argument(thread, arguments.values[2] / 2);
    *is_torn = 1;
  } else {
    kill(process, SIGKILL);
  }
}

struct watch {
  int handle, milliseconds, timed_out;
};

static void *watch(void *argument) {
  struct watch *watch = argument;
  struct pollfd waiting = {watch->handle, POLLIN, 0};
  if (poll(&waiting, 1, watch->milliseconds) == 0) {
    watch->timed_out = 1;
    syscall(SYS_pidfd_send_signal, watch->handle, SIGKILL, 0, 0);
  }
  return 0;
}

int gs_campaign_trace(
  const gs_campaign_program *program, int milliseconds, gs_campaign_injection *injection, gs_campaign_ending *ending) {
  memset(ending, 0, sizeof *ending);
  injection->made = 0;
  injection->is_done = 0;
  pid_t process = fork();
  if (process == 0) gs_campaign_become(program, stop_and_filter);
  if (process < 0) return -1;
  int status = 0;
  struct rusage usage;
  if (wait4(process, &status, __WALL, &usage) != process || !WIFSTOPPED(status)) return -1;
  ptrace(
    PTRACE_SETOPTIONS, process, 0,
    PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
      PTRACE_O_EXITKILL);
  struct watch bound = {(int)syscall(SYS_pidfd_open, process, 0), milliseconds, 0};
  pthread_t watcher;
  int is_watched = bound.handle >= 0 && pthread_create(&watcher, 0, watch, &bound) == 0;
  ptrace(PTRACE_CONT, process, 0, 0);
  int is_torn = 0, result = -1;
  for (;;) {
    pid_t thread = wait4(-1, &status, __WALL | __WNOTHREAD, &usage);
    if (thread < 0 && errno == EINTR) continue;
    if (thread < 0) break;
    if (!WIFSTOPPED(status)) {
      if (thread != process) continue;
      result = 0;
      break;
    }
    int signal = WSTOPSIG(status), event = status >> 16;
    if (event == PTRACE_EVENT_SECCOMP) examine(process, thread, program, injection, &is_torn);
    ptrace(PTRACE_CONT, thread, 0, (long)(event || signal == SIGSTOP || signal == SIGTRAP ? 0 : signal));
  }
  if (is_watched) pthread_join(watcher, 0);
  if (bound.handle >= 0) close(bound.handle);
  if (result == 0) gs_campaign_note(ending, status, &usage);
  ending->timed_out = bound.timed_out;
  return result;
}
