// The state of a derived queue, folded from the lines of its log. Format:
// docs/formats/holdfast.md, "The sync queue". Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "rules/queue/sync_item.h"

namespace holdfast::inline v1 {

// How much of a session the queue knows.
struct Covered {
  std::string document;       // hash of its document when that was last queued
  std::uint64_t through = 0;  // bytes of its log whose lines are queued
  std::string last;           // hash of the last of those lines: another one there means another log
  std::string hint;           // of its subject: a deletion has no document to ask
  bool local_only = false;    // turned private since; nothing of it is told, not even that it went
};

struct QueueFold {
  std::map<std::string, SyncItem, std::less<>> items;    // by id
  std::map<std::string, Covered, std::less<>> sessions;  // by id

  // Lines that it does not know are left out.
  void take(std::string_view line);
};

// The lines, without a newline.
std::string queue_head_line(std::string_view now);
std::string item_line(const SyncItem& item);
std::string gone_line(std::string_view id, std::string_view now);
std::string covered_line(std::string_view session, const Covered& covered);
std::string forgotten_line(std::string_view session, std::string_view now);

}  // namespace holdfast::inline v1
