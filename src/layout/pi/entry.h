// Parses one entry of a pi session; openclaw keeps the same entries in a database.
// Every entry but the header is a node of the tree, so each one becomes a message,
// whatever its content.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1::pi {

enum class PiEntryKind {
  header,   // {"type":"session"}: `text` is the session's id
  message,  // what was said, or a node that only keeps its bytes
  name,     // the same, and `text` is the session's title; empty if it was removed
  leaf,     // the same, and `text` is the entry that the session continues from
};

struct PiEntry {
  PiEntryKind kind = PiEntryKind::message;
  Message message = {};
  std::string text = {};
  bool moved = false;  // the session continued from another node of the tree
  // From the header.
  std::string cwd = {};
  std::string parent_session = {};  // the file that the session was forked from, as written
};

// Without `whole`, nodes that only keep their bytes are empty.
PiEntry read_entry(std::string_view line, bool whole);

}  // namespace holdfast::inline v1::pi
