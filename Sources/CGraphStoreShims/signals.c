#include "CGraphStoreShims.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t asked;
static volatile sig_atomic_t is_watched;
static volatile sig_atomic_t received;

static void end_process(int number) {
  if (!is_watched) _exit(128 + number);
  received = number;
  sem_post(&asked);
}

void gs_end_on_signals(void) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {0};
  action.sa_handler = end_process;
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

void gs_begin_watching_signals(void) {
  sem_init(&asked, 0, 0);
  is_watched = 1;
}

int gs_wait_for_signal(void) {
  while (sem_wait(&asked) != 0 && errno == EINTR) {}
  return received;
}
