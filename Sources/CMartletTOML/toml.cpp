#include "martlet_toml.h"

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace {

// The nodes point into the table, which lives as long as they do.
struct Document : martlet_toml {
  toml::table table;
  std::vector<martlet_toml_node> list;
  std::string reason;

  void add(const toml::node &node, std::string_view key) {
    martlet_toml_node entry{MARTLET_TOML_OTHER, key.data(), key.size(), nullptr, 0, 0};
    if (const auto *text = node.as_string()) {
      entry.kind = MARTLET_TOML_TEXT;
      entry.text = text->get().data();
      entry.text_bytes = text->get().size();
    } else if (const auto *integer = node.as_integer()) {
      entry.kind = MARTLET_TOML_INTEGER;
      entry.number = integer->get();
    } else if (const auto *truth = node.as_boolean()) {
      entry.kind = MARTLET_TOML_BOOLEAN;
      entry.number = truth->get() ? 1 : 0;
    } else if (const auto *array = node.as_array()) {
      entry.kind = MARTLET_TOML_LIST;
      entry.number = static_cast<int64_t>(array->size());
      list.push_back(entry);
      for (const toml::node &element : *array) add(element, {});
      return;
    } else if (const auto *inner = node.as_table()) {
      entry.kind = MARTLET_TOML_TABLE;
      entry.number = static_cast<int64_t>(inner->size());
      list.push_back(entry);
      for (const auto &pair : *inner) add(pair.second, pair.first.str());
      return;
    }
    list.push_back(entry);
  }

  void read(std::string_view text) {
    line = 1;
    try {
      table = toml::parse(text);
      add(table, {});
      nodes = list.data();
      count = list.size();
    } catch (const toml::parse_error &problem) {
      line = problem.source().begin.line;
      fail(problem.description());
    } catch (const std::bad_alloc &) {
      throw;
    } catch (const std::exception &problem) {
      fail(problem.what());
    }
  }

  void fail(std::string_view text) {
    reason = text;
    error = reason.data();
    error_bytes = reason.size();
  }
};

}  // namespace

martlet_toml *martlet_toml_parse(const char *text, size_t bytes) {
  Document *document = nullptr;
  try {
    document = new Document{};
    document->read(std::string_view(text, bytes));
    return document;
  } catch (const std::bad_alloc &) {
    delete document;
    return nullptr;
  }
}

void martlet_toml_free(martlet_toml *document) { delete static_cast<Document *>(document); }
