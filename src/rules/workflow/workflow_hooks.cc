#include "rules/workflow/workflow_hooks.h"

#include <algorithm>

#include "base/was_stopped.h"
#include "index/error_file.h"
#include "layout/backup_finding.h"
#include "rules/workflow/drift.h"
#include "rules/workflow/session_documents.h"
#include "rules/workflow/workflow_ready.h"
#include "store/file_store.h"
#include "store/lenient_feed.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;

// Verifies what a workflow keeps in a session's folder, by reading it as its operations do.
class WorkflowCheck {
 public:
  WorkflowCheck(const Context& context, FileStore& store, RecordFindings& into)
      : layout_(store.layout()), roots_(store.roots().directories()), into_(into), feed_(store.looking(context)) {}

  Result<void> run() {
    std::vector<SessionRef> refs;
    LenientFeed lenient(feed_);
    const auto found = layout_.find(lenient, [&](SessionRef ref) {
      refs.push_back(std::move(ref));
      return true;
    });
    if (!found && was_stopped(found.error())) return found;
    for (const SessionRef& ref : refs) HOLDFAST_TRY(session(ref));
    for (Finding& finding : findings_of(feed_)) {
      const bool told = std::ranges::any_of(into_.found, [&](const RecordFinding& one) {
        return one.found.file == finding.file && one.found.kind == finding.kind;
      });
      if (!told && finding.kind == kRestoredFromBackup) into_.found.push_back({std::move(finding)});
    }
    return {};
  }

 private:
  Result<void> session(const SessionRef& ref) {
    const auto documents = SessionDocuments::load(layout_, feed_, ref);
    if (!documents && was_stopped(documents.error())) return fail(documents.error());
    if (!documents && documents.error().code != Code::not_found) {
      Error why = documents.error();
      why.path = error_file(roots_, why, ref.place.path);
      into_.found.push_back({finding_of(why, ref.place.path)});
    }
    if (!documents) return {};
    const Place folder = documents->history_folder();
    HOLDFAST_LET(entries, feed_.list(folder));
    for (const FeedEntry& entry : entries) {
      const Place place{folder.root, folder.path + "/" + entry.name};
      if (entry.directory || !entry.name.ends_with(".json")) continue;
      const auto bytes = feed_.document(place, kLimit);
      if (bytes && (!*bytes || check_json(**bytes).ok())) continue;
      into_.found.push_back({bytes ? Finding{place.path, 0, (*bytes)->size(), "corrupt", "not a JSON document", 0}
                                   : finding_of(bytes.error(), place.path)});
    }
    return {};
  }

  const Layout& layout_;
  const RootDirectories& roots_;
  RecordFindings& into_;
  DirectoryFeed feed_;
};

Result<void> verify_workflows(const Context& context, FileStore& store, RecordFindings& into) {
  if (store.layout().workflow() == nullptr) return {};
  return WorkflowCheck(context, store, into).run();
}

void on_store_opened(const Context& context, FileStore& store) {
  if (store.layout().workflow() != nullptr) (void)set_aside_corrupt(context, store);
}

// Removes what was stored beside the session to find drift; without the session it has no meaning.
void forget(const Context& context, FileStore& store, const std::string& session) {
  if (store.layout().workflow() != nullptr) (void)remove_section_hashes(context, store, session);
}

}  // namespace

const Hooks kWorkflowHooks = {.opened = on_store_opened, .removed = forget, .verifying = verify_workflows};

}  // namespace holdfast::inline v1
