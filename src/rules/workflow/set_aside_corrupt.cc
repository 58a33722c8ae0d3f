// Moves unreadable files aside (L12), only when opening for writing.
#include "base/error_words.h"
#include "base/utf8.h"
#include "disk/steps.h"
#include "layout/record_shape.h"
#include "layout/session_mark.h"
#include "layout/workflow_shape.h"
#include "rules/workflow/workflow_ready.h"
#include "store/record_codec.h"

namespace holdfast::inline v1 {
namespace {

class Nothing final : public Events {
 public:
  void facts(const SessionFacts&) override {}
  bool message(Message) override { return true; }
};

struct Bad {
  std::string path;    // a session's folder, or a plan
  std::string target;  // below the folder for corrupt files
  std::string file, why;
  std::string_view advice;  // how to continue without it
};

// Returns the requested name, with a number if it is taken.
std::string free_name(Directory& directory, const std::string& request) {
  std::string name = request;
  for (int number = 2; directory.exists(name); ++number) name = request + "-" + std::to_string(number);
  return name;
}

Result<std::string> move_aside(const Context& context, Root& root, const Bad& bad, std::string_view aside) {
  HOLDFAST_LET(lock, root.lock(context));
  const std::string request = std::string(aside) + "/" + bad.target;
  HOLDFAST_TRY(root.ensure_directory(request.substr(0, request.rfind('/'))));
  std::string to = free_name(root.directory(), request);
  HOLDFAST_TRY(root.directory().rename(bad.path, to));
  if (does(Step::aside_name)) HOLDFAST_TRY(root.sync_name(to));
  return to;
}

Result<std::vector<Bad>> bad_sessions(const Context& context, FileStore& store) {
  const Layout& layout = store.layout();
  std::vector<SessionRef> refs;
  DirectoryFeed feed(context, store.roots().directories());
  HOLDFAST_TRY(layout.find(feed, [&](SessionRef ref) {
    refs.push_back(std::move(ref));
    return true;
  }));
  std::vector<Bad> bad;
  for (const SessionRef& ref : refs) {
    DirectoryFeed own(context, store.roots().directories());
    Nothing nothing;
    const auto read = layout.read_head(own, ref, nothing);
    if (read || read.error().code != Code::corrupt) continue;
    const std::string folder = ref.place.path.substr(0, ref.place.path.rfind('/'));
    bad.push_back({folder, ref.id, read.error().path, read.error().message, " Start a fresh session."});
  }
  return bad;
}

// A plan is text; anything else is not a plan.
Result<std::vector<Bad>> bad_plans(const Context& context, FileStore& store) {
  std::vector<Bad> bad;
  const RecordShape* shape = store.layout().shape("plan");
  if (shape == nullptr || shape->per_project()) return bad;
  DirectoryFeed files(context, store.roots().directories());
  Feed& feed = files;
  HOLDFAST_LET(entries, feed.list({std::string(shape->root), record_folder(*shape, {})}));
  for (const FeedEntry& entry : entries) {
    const std::string path = record_path(*shape, {}, entry.name);
    auto bytes = feed.document({std::string(shape->root), path});
    if (!bytes || !*bytes || (is_utf8(**bytes) && (*bytes)->find('\0') == std::string::npos)) continue;
    bad.push_back({path, std::string(kAsidePlans) + "/" + entry.name + path.substr(path.rfind('/')), path, "not a text",
                   " The module has no plan now."});
  }
  return bad;
}

}  // namespace

Result<void> set_aside_corrupt(const Context& context, FileStore& store) {
  const Layout& layout = store.layout();
  const WorkflowShape* shape = layout.workflow();
  if (shape == nullptr || shape->aside.empty()) return {};
  HOLDFAST_LET(bad, bad_sessions(context, store));
  HOLDFAST_LET(plans, bad_plans(context, store));
  bad.insert(bad.end(), plans.begin(), plans.end());
  for (const Bad& each : bad) {
    const auto moved = move_aside(context, *store.roots().first(), each, shape->aside);
    store.note_finding({each.file, 0, 0, "corrupt",
                        each.why + (moved ? "; moved to " + *moved + "." + std::string(each.advice)
                                          : "; it cannot be moved aside: " + error_words(moved.error()))});
  }
  {
    // Most openings find nothing to repair, and then write nothing, not even a lock.
    DirectoryFeed feed(context, store.roots().directories());
    HOLDFAST_LET(mend, mend_mark(layout, feed));
    if (mend.empty()) return {};
  }
  HOLDFAST_LET(lock, store.lock_mark(context));
  return store.change(context, [&](DirectoryFeed& feed) { return mend_mark(layout, feed); });
}

}  // namespace holdfast::inline v1
