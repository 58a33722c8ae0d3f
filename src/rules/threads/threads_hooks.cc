#include "rules/threads/threads_hooks.h"

#include <map>
#include <set>

#include "base/was_stopped.h"
#include "layout/thread_keeper.h"
#include "rules/threads/thread_resume.h"
#include "store/file_store.h"
#include "text/json_scan.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

Result<void> end_dead_sessions(const Context& context, FileStore& store, const RepairOptions& /*options*/,
                               Repaired& repaired) {
  HOLDFAST_LET(ended, fail_dead_sessions(context, store));
  repaired.counts["failed_sessions"] = ended;
  return {};
}

std::set<std::string> threads_in(std::string_view index) {
  std::set<std::string> ids;
  const JsonView file(without_bom(index));
  for (const JsonItem& item : file.find("threads").elements()) ids.insert(json_text(item.value, "id"));
  return ids;
}

// Whether there is such a thread, also if its record cannot be read.
bool exists(const Context& context, const FileStore& store, DirectoryFeed& feed, const std::string& id) {
  if (id.empty()) return false;
  const auto found = store.look(context, feed, {"thread", {}, id});
  return found && !(found->records.empty() && found->findings.empty());
}

// What the index of threads says wrongly: true for a thread that it names and that does not exist, false for one that
// it does not name. `file` is the index.
Result<std::map<std::string, bool>> wrong_threads(const Context& context, FileStore& store, std::string& file) {
  std::map<std::string, bool> wrong;
  DirectoryFeed directories(context, store.roots().directories());
  Feed& feed = directories;
  HOLDFAST_LET(changes, index_threads(store.layout(), feed, {}, false, store.moment(context)));
  for (const Change& change : changes.list()) {
    HOLDFAST_LET(old, feed.document(change.place));
    if (!old || !check_json(without_bom(*old)).ok()) continue;  // a missing one is made again, verify tells of the rest
    const std::set<std::string> says = threads_in(*old), is = threads_in(change.bytes);
    file = change.place.path;
    for (const std::string& id : says)
      if (!is.contains(id) && !exists(context, store, directories, id)) wrong.emplace(id, true);
    for (const std::string& id : is)
      if (!says.contains(id)) wrong.emplace(id, false);
  }
  return wrong;
}

Result<void> verify_index(const Context& context, FileStore& store, RecordFindings& into) {
  if (store.layout().threads() == nullptr) return {};
  std::string file;
  auto wrong = wrong_threads(context, store, file);
  // A thread may have been saved or deleted between two files.
  if (wrong && !wrong->empty()) {
    context.clock->sleep(std::chrono::milliseconds(250));
    auto still = wrong_threads(context, store, file);
    if (still) std::erase_if(*wrong, [&](const auto& one) { return !still->contains(one.first); });
  }
  if (!wrong) return was_stopped(wrong.error()) ? fail(std::move(wrong).error()) : Result<void>();
  for (const auto& [id, named] : *wrong) {
    const std::string what = named ? "it lists thread " + id + ", which does not exist"
                                   : "it does not list thread " + id + " yet; the next write there rebuilds the index";
    into.found.push_back({{file, 0, 0, named ? "index_lies" : "index_stale", what}, named});
  }
  return {};
}

}  // namespace

const Hooks kThreadsHooks = {.verifying = verify_index, .repairing = end_dead_sessions};

}  // namespace holdfast::inline v1
