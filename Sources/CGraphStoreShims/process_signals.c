#include "CGraphStoreShims.h"
#include "message.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

// Everything here that a handler reaches is safe inside of one: no locks, no memory, no stdio.

static sem_t asked;
static atomic_int is_watched;
static atomic_int received;
static atomic_int is_held;
static atomic_int is_told;
static atomic_int progress;
static atomic_int is_json;
static int is_terminal;

/// What is said of the command's change, by its progress.
static const char *const outcomes[] = {
  "", "; nothing was written", "; the change is saved", "; what was saved before stays saved",
};

static const char *word(int number) {
  switch (number) {
  case SIGINT: return "interrupted";
  case SIGHUP: return "hung up";
  default: return "terminated";
  }
}

int gs_progress(void) { return atomic_load(&progress); }

void gs_set_progress(int value) { atomic_store(&progress, value); }

void gs_set_messages(int json) {
  atomic_store(&is_json, json);
  is_terminal = isatty(STDERR_FILENO);
}

int gs_messages_are_json(void) { return atomic_load(&is_json); }

/// Says once what ended the process and what became of its change; a second thread waits for the end.
static void tell(int number) {
  if (atomic_exchange(&is_told, 1)) for (;;) pause();
  struct gs_message message = {0};
  if (atomic_load(&is_json)) {
    gs_append(&message, "{\"error\":{\"code\":\"interrupted\",\"message\":\"");
    gs_append(&message, word(number));
    gs_append(&message, outcomes[atomic_load(&progress)]);
    gs_append(&message, "\",\"exit\":");
    gs_append_number(&message, 128 + number);
    gs_append(&message, "}}\n");
  } else {
    // The terminal has shown ^C where the cursor was.
    if (number == SIGINT && is_terminal) gs_append(&message, "\n");
    gs_append(&message, word(number));
    gs_append(&message, outcomes[atomic_load(&progress)]);
    gs_append(&message, "\n");
  }
  gs_write(&message);
}

static void end_process(int number) {
  if (atomic_load(&is_watched)) {
    sem_post(&asked);
    return;
  }
  tell(number);
  _exit(128 + number);
}

static void receive(int number) {
  // A pager, or an editor, has the terminal then.
  if (number == SIGINT && gs_foreground_processes() > 0) return;
  int code = errno;
  atomic_store(&received, number);
  // A commit that has begun is waited for, so that what is told is what is true.
  if (!atomic_load(&is_held)) end_process(number);
  errno = code;
}

void gs_end_on_signals(void) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {0};
  action.sa_handler = receive;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigset_t ending;
  sigemptyset(&ending);
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaction(numbers[i], &action, 0);
    sigaddset(&ending, numbers[i]);
  }
  // Whoever started the process may have held them back, and that is inherited.
  pthread_sigmask(SIG_UNBLOCK, &ending, 0);
}

/// Ends the process if a signal has asked for it; a thread that watches does so meanwhile.
static void end_if_asked(void) {
  int number = atomic_load(&received);
  if (!number) return;
  end_process(number);
  for (;;) pause();
}

void gs_hold_ending(void) {
  atomic_store(&is_held, 1);
  if (!atomic_load(&received)) return;
  atomic_store(&is_held, 0);
  end_if_asked();
}

void gs_release_ending(int value) {
  atomic_store(&progress, value);
  atomic_store(&is_held, 0);
  end_if_asked();
}

int gs_is_ending_held(void) { return atomic_load(&is_held); }

void gs_begin_watching_signals(void) {
  sem_init(&asked, 0, 0);
  atomic_store(&is_watched, 1);
}

int gs_wait_for_signal(void) {
  while (sem_wait(&asked) != 0 && errno == EINTR) {}
  return atomic_load(&received);
}

void gs_tell_signal(int number) { tell(number); }
