#include "rules/entries/entries_hooks.h"

#include <holdfast/checksums.h>

#include "base/was_stopped.h"
#include "rules/entries/entry_key.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {
namespace {

// What parsing cannot see.
Result<void> verify_bytes(const Context& context, Root& root, const std::string& log, RecordFindings& into) {
  auto report = verify_checksums(context, root, log);
  if (!report && was_stopped(report.error())) return fail(report.error());
  if (!report) return {};
  for (Finding& finding : report->findings) {
    const bool damage = finding.kind == "checksum";
    into.found.push_back({std::move(finding), damage});
  }
  return {};
}

Result<void> verify_entries(const Context& context, FileStore& store, RecordFindings& into) {
  if (store.layout_name() != "holdfast") return {};
  const std::string root(store.layout().roots().front().name);
  DirectoryFeed names(context, store.roots().directories());
  const auto below = [&](const std::string& folder) { return names.list({root, folder}); };
  HOLDFAST_LET(projects, below(std::string(kEntryFolder)));
  for (const FeedEntry& project : projects) {
    const std::string sessions_in = std::string(kEntryFolder) + "/" + project.name;
    HOLDFAST_LET(sessions, below(sessions_in));
    for (const FeedEntry& session : sessions) {
      const std::string folder = sessions_in + "/" + session.name;
      HOLDFAST_LET(logs, below(folder));
      for (const FeedEntry& log : logs) {
        if (log.directory || !is_entry_log(log.name)) continue;
        const Place place{root, folder + "/" + log.name};
        DirectoryFeed lines(context, store.roots().directories());
        const auto read = lines.records(place, {}, [&](const FeedRecord&) {
          ++into.records;
          return true;
        });
        if (!read && was_stopped(read.error())) return read;
        if (!read) into.found.push_back({finding_of(read.error(), place.path)});
        for (Finding& finding : findings_of(lines)) into.found.push_back({std::move(finding)});
        into.files.insert(lines.read_files().begin(), lines.read_files().end());
        HOLDFAST_TRY(verify_bytes(context, *store.roots().first(), place.path, into));
      }
    }
  }
  return {};
}

}  // namespace

const Hooks kEntriesHooks = {.verifying = verify_entries};

}  // namespace holdfast::inline v1
