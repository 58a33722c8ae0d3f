// One entry of a pi session in the model's words; openclaw keeps the same
// entries in a database. Every entry but the header is a link of the tree, so
// every one becomes a message, whatever it is about.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1::pi {

enum class PiEntryKind {
  header,   // {"type":"session"}: `text` is the session's id
  message,  // what was said, or a link that only keeps its bytes
  name,     // the same, and `text` is what the person called the session; empty: nothing any more
  leaf,     // the same, and `text` is the entry that the session goes on from
};

struct PiEntry {
  PiEntryKind kind = PiEntryKind::message;
  Message message = {};
  std::string text = {};
  bool moved = false;  // the session went on from another place of the tree
  // Of the header.
  std::string cwd = {};
  std::string parent_session = {};  // the file that it was forked from, as written
};

// Without `whole` the links keep no bytes.
PiEntry read_entry(std::string_view line, bool whole);

}  // namespace holdfast::inline v1::pi
