// Captures everything that is new in one store. Only reads the store.
// Thread-safety: as the writer's.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

struct ArchiveRules {
  std::vector<std::string> exclude = {};            // layouts, and directories of projects in any spelling
  std::uint64_t min_free = std::uint64_t{1} << 30;  // bytes to leave free on the archive's disk
  // By layout and id of a handed-off session: the session it came from, {"layout","id"}, for its row.
  std::map<std::pair<std::string, std::string>, std::string> sources = {};
};

// Sessions that this version cannot capture, and why. No gap is silent.
struct SkippedSessions {
  std::string store;
  std::uint64_t sessions = 0;
  std::string reason;
};

struct CaptureReport {
  std::uint64_t sessions = 0;   // examined
  std::uint64_t captured = 0;   // sessions with something new
  std::uint64_t excluded = 0;   // excluded by the rules
  std::uint64_t forgotten = 0;  // skipped because they are forgotten
  std::uint64_t files = 0;      // files with something new
  std::uint64_t bytes = 0;      // size of those files
  std::uint64_t gone = 0;       // files that their agents have removed since
  bool out_of_space = false;    // stopped before the disk was full
  std::uint64_t no_room = 0;    // sessions with something new that did not fit on the disk
  bool missed = false;          // a file could not be captured
  std::vector<SkippedSessions> left_out = {};
  std::vector<Finding> findings = {};
};

// Looks at the directories on the disk if the rules exclude any: links on the way to them do not matter.
bool is_excluded(const ArchiveRules& rules, std::string_view layout, std::string_view project);

// The row of a capture of that session: a JSON object.
std::string captured_row(const Session& session, const ArchiveRules& rules);

// Adds to the report. Calls `progress` after each session.
Result<void> capture_store(const Context& context, Store& store, ArchiveWriter& writer, const ArchiveRules& rules,
                           CaptureReport& report, const std::function<void(const CaptureReport&)>& progress = {});

// The sessions of the store that capture_store would leave out, for the same reasons. Adds to `findings` those whose
// main file cannot be captured, or could before: `state` is that of the archive.
Result<std::vector<SkippedSessions>> find_skipped_sessions(const Context& context, Store& store,
                                                           const ArchiveRules& rules,
                                                           const std::set<CaptureKey>& forgotten,
                                                           const CaptureState& state, std::vector<Finding>& findings);

// The root directory that identifies a store in the archive.
std::string store_root(std::string_view store_name);

}  // namespace holdfast::inline v1
