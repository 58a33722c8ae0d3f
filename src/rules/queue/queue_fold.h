// The state of a derived queue, folded from the lines of its log. Format:
// docs/formats/holdfast.md, "The sync queue". Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "rules/queue/sync_item.h"

namespace holdfast::inline v1 {

// How much of a session is covered by the queue.
struct SessionCoverage {
  std::string document;       // hash of its document when last queued
  std::uint64_t through = 0;  // bytes of its log whose lines were queued
  std::string last;           // hash of the last of those lines; if it differs, this is another log
  std::string hint;           // of its subject: after a deletion there is no document to read it from
  bool local_only = false;    // became private since; nothing more is sent about it, not even its deletion
};

struct QueueFold {
  std::map<std::string, SyncItem, std::less<>> items;            // by id
  std::map<std::string, SessionCoverage, std::less<>> sessions;  // by id

  // Ignores unknown lines.
  void take(std::string_view line);
};

// The lines, without a newline.
std::string queue_head_line(std::string_view now);
std::string item_line(const SyncItem& item);
std::string gone_line(std::string_view id, std::string_view now);
std::string covered_line(std::string_view session, const SessionCoverage& covered);
std::string forgotten_line(std::string_view session, std::string_view now);

}  // namespace holdfast::inline v1
