#ifndef CGRAPHSTORE_CAMPAIGN_H
#define CGRAPHSTORE_CAMPAIGN_H

#include <stdint.h>
#include <sys/types.h>

/// A program to be started, with bounds on what it may take.
typedef struct {
  const char *program;
  char *const *arguments;
  char *const *environment;
  /// The folder in which it runs; calls are counted by ``gs_campaign_trace`` where they concern it or what is in it.
  const char *folder;
  int input, output, errors;
  /// Not 0: `input` is a terminal, which is to control the program.
  int has_terminal;
  uint64_t address_space;
  uint64_t processor_seconds;
  /// The longest file that it may write.
  uint64_t file_size;
} gs_campaign_program;

/// How a program ended.
typedef struct {
  /// What `wait` says of it.
  int status;
  int timed_out;
  uint64_t processor_milliseconds;
  uint64_t memory_kilobytes;
} gs_campaign_ending;

/// What is done to a system call.
enum {
  gs_campaign_count = 0,
  /// The process is killed in place of the call.
  gs_campaign_kill,
  /// The call fails.
  gs_campaign_fail,
  /// The call writes half of what it was to write, and the next call kills the process.
  gs_campaign_tear,
  /// The call fails, and with it all later ones that need room, as on a disk that has become full.
  gs_campaign_fill,
};

/// The call of a program that is interfered with.
typedef struct {
  /// Which of the calls that count, from 1.
  uint64_t number;
  int deed;
  int error;
  /// Not 0: calls that only read count too.
  int counts_reading;
  /// Afterwards: how many calls were made, whether the one was reached, which it was and what it was about.
  uint64_t made;
  int is_done;
  char name[16];
  char subject[256];
} gs_campaign_injection;

/// Starts a program; -1 with `errno` if that fails.
pid_t gs_campaign_start(const gs_campaign_program *program);

/// Waits for a program that was started, up to a number of milliseconds, then kills it. While it waits it takes what is
/// written to `terminal`, if that is a descriptor, and hands it over.
int gs_campaign_wait(
  pid_t process, int milliseconds, int terminal, void *context,
  void (*take)(void *context, const void *bytes, size_t count), gs_campaign_ending *ending);

/// Runs a program and interferes with one of its system calls.
int gs_campaign_trace(
  const gs_campaign_program *program, int milliseconds, gs_campaign_injection *injection, gs_campaign_ending *ending);

/// Makes a file without a name; -1 with `errno` if that fails.
int gs_campaign_memory_file(void);

/// Opens a terminal that passes bytes on as they are: the side of its user and the side of its program.
int gs_campaign_open_terminal(int columns, int rows, int *user, int *program);

#endif
