// The door to SQLite: the header, and the variadic or cast-macro calls that Swift cannot import.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

/// `sqlite3_db_config` for the options that take an int and report the value in force.
static inline int martlet_sqlite_db_config(sqlite3 *db, int option, int value, int *in_force) {
  return sqlite3_db_config(db, option, value, in_force);
}

/// `sqlite3_config` for the options that take one int; before `sqlite3_initialize` only.
static inline int martlet_sqlite_config(int option, int value) { return sqlite3_config(option, value); }

/// How many bytes an allocation may use; 0 for none.
static inline size_t martlet_sqlite_usable_bytes(void *memory) {
#if defined(__APPLE__)
  return malloc_size(memory);
#else
  return malloc_usable_size(memory);
#endif
}

/// The functions through which SQLite allocates; before `sqlite3_initialize` only.
static inline int martlet_sqlite_config_malloc(sqlite3_mem_methods *methods) {
  return sqlite3_config(SQLITE_CONFIG_MALLOC, methods);
}

/// Binds text or a blob that SQLite copies before the call returns.
static inline int martlet_sqlite_bind_text_copy(sqlite3_stmt *s, int i, const char *p, sqlite3_uint64 n) {
  return sqlite3_bind_text64(s, i, p, n, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int martlet_sqlite_bind_blob_copy(sqlite3_stmt *s, int i, const void *p, sqlite3_uint64 n) {
  return sqlite3_bind_blob64(s, i, p, n, SQLITE_TRANSIENT);
}

/// Binds text or a blob that stays valid until the statement is reset and its bindings cleared.
static inline int martlet_sqlite_bind_text_static(sqlite3_stmt *s, int i, const char *p, sqlite3_uint64 n) {
  return sqlite3_bind_text64(s, i, p, n, SQLITE_STATIC, SQLITE_UTF8);
}
static inline int martlet_sqlite_bind_blob_static(sqlite3_stmt *s, int i, const void *p, sqlite3_uint64 n) {
  return sqlite3_bind_blob64(s, i, p, n, SQLITE_STATIC);
}

/// Results of functions and virtual tables that SQLite copies before the call returns.
static inline void martlet_sqlite_result_text_copy(sqlite3_context *c, const char *p, sqlite3_uint64 n) {
  sqlite3_result_text64(c, p, n, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline void martlet_sqlite_result_blob_copy(sqlite3_context *c, const void *p, sqlite3_uint64 n) {
  sqlite3_result_blob64(c, p, n, SQLITE_TRANSIENT);
}

/// Results that SQLite takes over and frees: memory of `sqlite3_malloc64`.
static inline void martlet_sqlite_result_text_owned(sqlite3_context *c, char *p, sqlite3_uint64 n) {
  sqlite3_result_text64(c, p, n, sqlite3_free, SQLITE_UTF8);
}

/// One conversion of a format, with the value that it takes.
static inline void martlet_sqlite_append_integer(sqlite3_str *s, const char *format, sqlite3_int64 v) {
  sqlite3_str_appendf(s, format, v);
}
static inline void martlet_sqlite_append_real(sqlite3_str *s, const char *format, double v) {
  sqlite3_str_appendf(s, format, v);
}
static inline void martlet_sqlite_append_text(sqlite3_str *s, const char *format, const char *v) {
  sqlite3_str_appendf(s, format, v);
}
static inline void martlet_sqlite_append_plain(sqlite3_str *s, const char *format) { sqlite3_str_appendf(s, format, 0); }

/// The error of a path that JSON functions cannot read, in SQLite's words.
static inline void martlet_sqlite_result_json_path_error(sqlite3_context *c, const char *rest) {
  char *message = sqlite3_mprintf("JSON path error near '%q'", rest);
  if (message) {
    sqlite3_result_error(c, message, -1);
    sqlite3_free(message);
  } else {
    sqlite3_result_error_nomem(c);
  }
}

/// A real as SQLite casts it to text.
static inline void martlet_sqlite_write_real(char *p, int n, double r) { sqlite3_snprintf(n, p, "%!.15g", r); }

/// SQLite's record of a function, and the beginning of a call of one, as versions 3.38 to 3.51 lay them out in memory.
struct martlet_sqlite_function {
  signed char argument_count;
  unsigned int flags;
  void *user_data;
  void *next;
  void (*body)(sqlite3_context *, int, sqlite3_value **);
  void *finalize, *value, *inverse;
  const char *name;
};
struct martlet_sqlite_call {
  void *result;
  struct martlet_sqlite_function *function;
};

/// Marks the function that is being called as one that compares with a pattern, case by case, so that the planner may
/// use an index for it. 0 where the record is not what it is expected to be; nothing is written then.
static inline int martlet_sqlite_mark_pattern_function(
    sqlite3_context *context, const char *name, int argument_count,
    void (*body)(sqlite3_context *, int, sqlite3_value **)) {
  const unsigned int is_pattern = 0x0004, is_case_sensitive = 0x0008, encoding = 0x0003;
  struct martlet_sqlite_function *function = ((struct martlet_sqlite_call *)context)->function;
  if (function == 0 || function->argument_count != argument_count || function->body != body) return 0;
  if (function->user_data != sqlite3_user_data(context) || function->finalize != 0) return 0;
  if ((function->flags & encoding) != SQLITE_UTF8 || (function->flags & SQLITE_DETERMINISTIC) == 0) return 0;
  if (function->name == 0 || sqlite3_stricmp(function->name, name) != 0) return 0;
  function->flags |= is_pattern | is_case_sensitive;
  return 1;
}

/// Calls of `hook` for these events; NULL for none.
static inline void martlet_sqlite_trace(
    sqlite3 *db, unsigned events, int (*hook)(unsigned, void *, void *, void *), void *p) {
  sqlite3_trace_v2(db, hook ? events : 0, hook, p);
}

// What FTS4 asks of a tokenizer. Its header is not among the installed ones; the layout is documented and fixed.
struct martlet_sqlite_tokenizer;
struct martlet_sqlite_tokenizer_cursor;
struct martlet_sqlite_tokenizer_module {
  int version;
  int (*create)(int argument_count, const char *const *arguments, struct martlet_sqlite_tokenizer **tokenizer);
  int (*destroy)(struct martlet_sqlite_tokenizer *);
  int (*open)(
      struct martlet_sqlite_tokenizer *, const char *text, int byte_count,
      struct martlet_sqlite_tokenizer_cursor **cursor);
  int (*close)(struct martlet_sqlite_tokenizer_cursor *);
  int (*next)(
      struct martlet_sqlite_tokenizer_cursor *, const char **token, int *byte_count, int *start, int *end,
      int *position);
  int (*language)(struct martlet_sqlite_tokenizer_cursor *, int language);
};
// SQLite fills in the first field of these two.
struct martlet_sqlite_tokenizer {
  const struct martlet_sqlite_tokenizer_module *module;
  void *body;
};
struct martlet_sqlite_tokenizer_cursor {
  struct martlet_sqlite_tokenizer *tokenizer;
  void *scan;
};

#endif
