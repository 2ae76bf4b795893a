#ifndef CGRAPHSTORE_EDITLINE_SHIMS_H
#define CGRAPHSTORE_EDITLINE_SHIMS_H

#include <stdint.h>
#include <stdio.h>
#include <wchar.h>
#include <histedit.h>

// Variadic in C, so Swift cannot call them.

typedef wchar_t *(*gs_el_prompt_function)(EditLine *);
typedef int (*gs_el_read_function)(EditLine *, wchar_t *);
typedef unsigned char (*gs_el_command_function)(EditLine *, wint_t);

static inline int gs_el_set_client_data(EditLine *editor, void *data) {
  return el_wset(editor, EL_CLIENTDATA, data);
}

static inline void *gs_el_client_data(EditLine *editor) {
  void *data = 0;
  return el_wget(editor, EL_CLIENTDATA, &data) == 0 ? data : 0;
}

/// The marker stands around escape sequences, which take no room on the screen.
static inline int gs_el_set_prompt(EditLine *editor, gs_el_prompt_function function, int32_t marker) {
  return el_wset(editor, EL_PROMPT_ESC, function, (wchar_t)marker);
}

static inline int gs_el_set_read_function(EditLine *editor, gs_el_read_function function) {
  return el_wset(editor, EL_GETCFN, function);
}

static inline int gs_el_set_editor(EditLine *editor, const wchar_t *name) {
  return el_wset(editor, EL_EDITOR, name);
}

static inline int gs_el_is_vi(EditLine *editor) {
  const wchar_t *name = 0;
  return el_wget(editor, EL_EDITOR, &name) == 0 && name && wcscmp(name, L"vi") == 0;
}

static inline int gs_el_set_history(EditLine *editor, HistoryW *history) {
  return el_wset(editor, EL_HIST, history_w, history);
}

static inline int gs_el_add_function(
    EditLine *editor, const wchar_t *name, const wchar_t *help, gs_el_command_function function) {
  return el_wset(editor, EL_ADDFN, name, help, function);
}

static inline int gs_el_bind(EditLine *editor, const wchar_t *key, const wchar_t *command) {
  return el_wset(editor, EL_BIND, key, command, NULL);
}

/// Raw mode on or off, around a suspension.
static inline int gs_el_set_prepared(EditLine *editor, int prepared) {
  return el_wset(editor, EL_PREP_TERM, prepared);
}

static inline int gs_el_redraw(EditLine *editor) { return el_wset(editor, EL_REFRESH); }

static inline int gs_history_set_size(HistoryW *history, int size) {
  HistEventW event;
  return history_w(history, &event, H_SETSIZE, size);
}

static inline int gs_history_enter(HistoryW *history, const wchar_t *entry) {
  HistEventW event;
  return history_w(history, &event, H_ENTER, entry);
}

#endif
