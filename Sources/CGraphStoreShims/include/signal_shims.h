#ifndef CGRAPHSTORE_SIGNAL_SHIMS_H
#define CGRAPHSTORE_SIGNAL_SHIMS_H

/* What a process says of itself when it is ended from outside, or by a defect of its own. */

/// How far the change of a command has come: 0 nothing is to change, 1 nothing is saved, 2 all of it, 3 a part.
int gs_progress(void);
void gs_set_progress(int progress);

/// Whether what is said is JSON. To be called before any of the functions below.
void gs_set_messages(int are_json);
int gs_messages_are_json(void);

/// From now on SIGINT, SIGTERM and SIGHUP end the process with 128 and their number, and a line that says what became
/// of its change.
void gs_end_on_signals(void);

/// Puts such an end off until the release, which gives the progress from then on: around a commit. One that was asked for
/// before takes place now.
void gs_hold_ending(void);
void gs_release_ending(int progress);
int gs_is_ending_held(void);

/// From now on such signals end nothing: a thread that waits for them is told.
void gs_begin_watching_signals(void);

/// Waits for a signal and gives its number.
int gs_wait_for_signal(void);

/// Says what a signal that was waited for would have said.
void gs_tell_signal(int number);

/// From now on a crash (SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE) ends the process with 70 and a line that says
/// whose defect it is and how it is reported.
/// - version: the program and its version.
void gs_report_crashes(const char *version);

/// Removes a file, or a folder with all it holds; links are not followed. Safe in a handler.
///
/// Returns whether it is gone.
int gs_remove_tree(const char *path);

/// Files and folders that are removed when a crash or a signal ends the process.
void gs_add_unfinished(const char *path);
void gs_remove_unfinished(const char *path);
void gs_remove_all_unfinished(void);

/// The terminal that gets its settings of now back when a crash ends the process.
void gs_remember_terminal(int descriptor);
void gs_forget_terminal(void);

/// Whether the terminal marks pastes, which it is told to leave off then.
void gs_note_pastes(int are_taken);

/// Starts `/bin/sh -c COMMAND` in the process's own group, so that it has the terminal; an interrupt is its own until it has been
/// waited for. Its standard input is a descriptor, or with -1 the process's own.
///
/// Returns its number; where the system cannot start it, minus the code of the error.
int gs_start_in_foreground(const char *command, int input);

/// Waits for the end of such a process. Returns its exit code; 128 and the number of the signal that has ended it.
int gs_wait_in_foreground(int process);

/// How many of them have the terminal.
int gs_foreground_processes(void);

#endif
