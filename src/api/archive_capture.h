// Captures from every store what the archive does not have yet.
#pragma once

#include <optional>

#include "api/call.h"
#include "archive/capture_store.h"
#include "archive/store_watch.h"

namespace holdfast::inline v1 {

// The stores that `ls` reads; they are only read.
Result<std::vector<StoreOptions>> stores_to_read(const Call& call);

// What the person's settings exclude.
ArchiveRules archive_rules(const Call& call);

struct Captured {
  CaptureReport report;
  std::uint64_t added = 0;   // bytes added to the archive
  std::uint64_t healed = 0;  // damaged chunks that were replaced
  std::size_t repaired = 0;  // the first findings of the report: what was repaired before anything was captured
};

// Returns nullopt if another process is writing to the archive. With a watch, also captures what the watch holds, and
// watches the directories of sessions from then on.
Result<std::optional<Captured>> capture_now(const Call& call, const std::string& path, StoreWatch* watch = nullptr);

// Whether the agent of this layout deletes a session that it has resumed (ResumeCommand::deletes).
bool deletes_resumed(std::string_view layout);

// What a person should know of a capture before a resume.
struct CapturedFirst {
  std::string warning = {};  // why the session may not be in the archive; empty if it is
  std::vector<Finding> findings = {};
};
// Before such an agent resumes a session of this store: captures what is new there, if there is an archive; waits some
// seconds for another process that writes to it. What a person excluded or forgot is not captured, and not warned of.
CapturedFirst capture_before_resume(const Context& context, Stores& stores, std::string_view store);

}  // namespace holdfast::inline v1
