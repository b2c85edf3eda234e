// TOML texts as lists of nodes: toml++ reads them, and gives back all of its memory.
#ifndef MARTLET_TOML_H
#define MARTLET_TOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum martlet_toml_kind {
  MARTLET_TOML_TEXT,
  MARTLET_TOML_INTEGER,
  MARTLET_TOML_BOOLEAN,
  MARTLET_TOML_LIST,
  MARTLET_TOML_TABLE,
  // A fraction, a date or a time.
  MARTLET_TOML_OTHER,
};

// A value. Behind a list or a table stand its elements, each with its own behind it.
typedef struct martlet_toml_node {
  // One of `martlet_toml_kind`.
  int32_t kind;
  // What the table that it is in calls it; without a zero at the end. Empty in a list.
  const char *key;
  size_t key_bytes;
  // A text, without a zero at the end.
  const char *text;
  size_t text_bytes;
  // An integer, 0 or 1 for a truth, or how many elements a list or a table has.
  int64_t number;
} martlet_toml_node;

// What a text says. All that it points to goes with it in `martlet_toml_free`, and nothing of the text is kept.
typedef struct martlet_toml {
  // The whole, a table, and all that is in it; none if the text is no TOML.
  const martlet_toml_node *nodes;
  size_t count;
  // Why it is none, and its line from 1; NULL if it is TOML.
  const char *error;
  size_t error_bytes;
  uint32_t line;
} martlet_toml;

// NULL if there is no memory. Goes down as deep as the text does: bound its depth before.
martlet_toml *martlet_toml_parse(const char *text, size_t bytes);

void martlet_toml_free(martlet_toml *document);

#ifdef __cplusplus
}
#endif

#endif
