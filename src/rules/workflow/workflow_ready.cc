#include "rules/workflow/workflow_ready.h"

#include "disk/steps.h"
#include "layout/change.h"
#include "layout/workflow_shape.h"
#include "rules/workflow/workflow_failure.h"
#include "store/engine.h"
#include "text/trim.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kProof = 4096;

// Writes, syncs and removes a file.
Result<void> prove_writable(Root& root) {
  HOLDFAST_TRY(root.ensure_directory(root.side("ready")));
  const std::string path = root.side("ready", root.unique_name("proof."));
  auto file = root.directory().open(path, OpenMode::create_update);
  if (!file) return fail(std::move(file).error());
  auto written = (*file)->write_at(0, std::string(kProof, '\0'));
  if (written && does(Step::ready_proof)) written = (*file)->sync();
  auto gone = root.directory().remove(path);
  return written ? gone : written;
}

// Returns "a" for "a/b".
std::string folder_of(std::string path) {
  path.resize(path.contains('/') ? path.rfind('/') : 0);
  return path;
}

// Proves that entries can be created in the folder. A crash leaves an empty directory.
Result<void> prove_open(Root& root, const std::string& folder) {
  const std::string path = folder + (folder.empty() ? "" : "/") + root.unique_name(".proof.");
  HOLDFAST_TRY(root.directory().make_directory(path));
  return root.directory().remove_directory(path);
}

Result<void> or_critical(const FileStore& files, Result<void> done) {
  if (done || !is_critical(done.error().code)) return done;
  return fail(critical_error(done.error(), files.roots().first()->path()));
}

// Accepts both "x/" and "x".
bool names(std::string_view text, std::string_view ignored) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = trim(text.substr(0, end));
    if (line == ignored || line == ignored.substr(0, ignored.size() - 1)) return true;
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return false;
}

// Changes only an existing file, and only once (L01).
Result<void> ignore_in_git(const Context& context, FileStore& files, std::string_view ignored) {
  if (ignored.empty()) return {};
  return files.change(context, [&](Feed& feed) -> Result<Changes> {
    Changes changes;
    const Place place{std::string(files.layout().roots().front().name), ".gitignore"};
    HOLDFAST_LET(link, feed.link(place));
    HOLDFAST_LET(text, feed.document(place));
    if (link || !text || names(*text, ignored)) return changes;
    const bool windows = text->find("\r\n") != std::string::npos;
    if (!text->empty() && !text->ends_with('\n')) *text += windows ? "\r\n" : "\n";
    changes.put_source(place, *text + std::string(ignored) + (windows ? "\r\n" : "\n"));
    return changes;
  });
}

Result<void> prepare(const Context& context, FileStore& files, const WorkflowShape& shape) {
  Root& root = *files.roots().first();
  for (const std::string_view folder : shape.folders) HOLDFAST_TRY(root.ensure_directory(folder));
  HOLDFAST_TRY(prove_open(root, folder_of(folder_of(root.side("ready")))));  // the parent of the side folder
  HOLDFAST_TRY(prove_writable(root));
  return ignore_in_git(context, files, shape.ignored);
}

}  // namespace

Result<void> prepare_workflow(const Context& context, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  const WorkflowShape* shape = files->layout().workflow();
  if (shape == nullptr)
    return fail(Code::unsupported, "layout " + std::string(store.layout_name()) + " cannot hold: workflows");
  return or_critical(*files, prepare(context, *files, *shape));
}

Result<void> prove_session_writable(FileStore& files, const SessionRef& ref) {
  return or_critical(files, prove_open(*files.roots().first(), folder_of(ref.place.path)));
}

}  // namespace holdfast::inline v1
