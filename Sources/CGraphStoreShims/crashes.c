#include "CGraphStoreShims.h"
#include "message.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

// A crash has left the process in a state that nobody knows: only calls that are safe in a handler are made, and the
// process ends without running anything of its own.

enum { exit_code = 70, file_limit = 64, folder_depth = 8 };

static char program[64];
static _Atomic(char *) files[file_limit];
static atomic_int terminal = -1;
static struct termios cooked;
static atomic_int takes_pastes;

static const struct {
  int number;
  const char *name;
} crashes[] = {
  {SIGILL, "SIGILL"}, {SIGTRAP, "SIGTRAP"}, {SIGSEGV, "SIGSEGV"},
  {SIGBUS, "SIGBUS"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},
};

static const char *name(int number) {
  for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++)
    if (crashes[i].number == number) return crashes[i].name;
  return "a signal";
}

static const char *outcome(void) {
  if (gs_is_ending_held()) return "the change that was being saved is saved as a whole or not at all";
  switch (gs_progress()) {
  case 2: return "the change is saved";
  case 3: return "what was saved before stays saved, nothing else was written";
  default: return "the store is as it was before";
  }
}

static void restore_terminal(struct gs_message *message) {
  int descriptor = atomic_load(&terminal);
  if (descriptor < 0) return;
  if (atomic_load(&takes_pastes)) gs_append(message, "\033[?2004l\n");
  tcsetattr(descriptor, TCSANOW, &cooked);
}

static int remove_at(int parent, const char *path, int depth);

/// Removes what a folder holds. `readdir` takes memory, so the kernel is asked for the names itself.
static void empty_folder(int folder, int depth) {
  struct entry {
    unsigned long long inode;
    long long offset;
    unsigned short length;
    unsigned char type;
    char name[];
  };
  _Alignas(struct entry) char block[2048];
  // What is removed moves the rest, so that each round begins anew; one that removes nothing is the last.
  for (;;) {
    lseek(folder, 0, SEEK_SET);
    int removed = 0;
    long count;
    while (!removed && (count = syscall(SYS_getdents64, folder, block, sizeof block)) > 0) {
      for (long place = 0; place < count;) {
        const struct entry *entry = (const struct entry *)(block + place);
        place += entry->length;
        if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0) continue;
        removed += remove_at(folder, entry->name, depth + 1);
      }
    }
    if (!removed) return;
  }
}

/// Removes a file, or a folder with all it holds; links are not followed.
///
/// Returns whether it is gone.
static int remove_at(int parent, const char *path, int depth) {
  if (unlinkat(parent, path, 0) == 0) return 1;
  if (depth > folder_depth) return 0;
  int folder = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return 0;
  empty_folder(folder, depth);
  close(folder);
  return unlinkat(parent, path, AT_REMOVEDIR) == 0;
}

int gs_remove_tree(const char *path) { return remove_at(AT_FDCWD, path, 0); }

static void remove_all_unfinished(void) {
  for (int i = 0; i < file_limit; i++) {
    char *path = atomic_load(&files[i]);
    if (path) gs_remove_tree(path);
  }
}

static void report(int number) {
  struct gs_message message = {0};
  remove_all_unfinished();
  restore_terminal(&message);
  const char *start = "error: ", *end = "   [internal]\n";
  if (gs_messages_are_json()) {
    start = "{\"error\":{\"code\":\"internal\",\"number\":136999,\"message\":\"";
    end = "\",\"exit\":70}}\n";
  }
  gs_append(&message, start);
  gs_append(&message, "graphstore was ended by a defect of its own (");
  gs_append(&message, name(number));
  gs_append(&message, "); ");
  gs_append(&message, outcome());
  gs_append(&message, "; please report it with the command that led to it, the model, and this version: ");
  gs_append(&message, program);
  gs_append(&message, end);
  gs_write(&message);
  _exit(exit_code);
}

void gs_report_crashes(const char *version) {
  // Where the stack itself has run out there is none to report on.
  static char stack[64 * 1024];
  stack_t alternate = {0};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, 0);
  strncpy(program, version, sizeof program - 1);
  struct sigaction action = {0};
  action.sa_handler = report;
  // A second crash within the report ends the process as it would without.
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigset_t reported;
  sigemptyset(&reported);
  for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    sigaction(crashes[i].number, &action, 0);
    sigaddset(&reported, crashes[i].number);
  }
  // A parent's threads may have blocked them, and a program starts with the mask of the thread that started it.
  pthread_sigmask(SIG_UNBLOCK, &reported, 0);
}

/// Guards the list among threads; a handler takes it as it is.
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;

static int place_of(const char *path) {
  for (int i = 0; i < file_limit; i++) {
    char *known = atomic_load(&files[i]);
    if (known && strcmp(known, path) == 0) return i;
  }
  return -1;
}

void gs_add_unfinished(const char *path) {
  pthread_mutex_lock(&files_lock);
  if (place_of(path) < 0) {
    char *copy = strdup(path);
    int place = 0;
    while (place < file_limit && atomic_load(&files[place])) place++;
    if (copy && place < file_limit) atomic_store(&files[place], copy);
    else free(copy);
  }
  pthread_mutex_unlock(&files_lock);
}

void gs_remove_unfinished(const char *path) {
  pthread_mutex_lock(&files_lock);
  int place = place_of(path);
  if (place >= 0) free(atomic_exchange(&files[place], (char *)0));
  pthread_mutex_unlock(&files_lock);
}

void gs_remove_all_unfinished(void) {
  pthread_mutex_lock(&files_lock);
  remove_all_unfinished();
  pthread_mutex_unlock(&files_lock);
}

void gs_remember_terminal(int descriptor) {
  if (tcgetattr(descriptor, &cooked) == 0) atomic_store(&terminal, descriptor);
}

void gs_forget_terminal(void) { atomic_store(&terminal, -1); }

void gs_note_pastes(int are_taken) { atomic_store(&takes_pastes, are_taken); }
