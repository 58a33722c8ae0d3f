#include "store/corrupt_documents.h"

#include <holdfast/commit.h>

#include "disk/staged.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/thread_keeper.h"
#include "store/file_store.h"
#include "store/record_codec.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

bool is_good(const Layout& layout, std::string_view path, std::string_view bytes) {
  const RecordShape* shape = shape_at(layout, path);
  if (shape != nullptr) {
    const auto record = read_record(*shape, {}, bytes);
    // A record of another version is not corrupt.
    return record || record.error().code == Code::schema_version_mismatch;
  }
  const std::string_view text = without_bom(bytes);
  return check_json(text).ok() && JsonView(text).kind() == JsonKind::object;
}

// Returns corrupt/NAME, or with a number if that is taken.
std::string free_name(const Root& root, std::string_view folder, std::string_view path) {
  const std::string name(path.substr(path.rfind('/') + 1));
  const std::size_t dot = name.rfind('.');
  std::string request = std::string(folder) + "/" + name;
  for (int i = 2; root.directory().exists(request); ++i) {
    request = std::string(folder) + "/" + name.substr(0, dot) + "." + std::to_string(i) +
              (dot == std::string::npos ? std::string() : name.substr(dot));
  }
  return request;
}

}  // namespace

const RecordShape* shape_at(const Layout& layout, std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view folder = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  for (const RecordShape& shape : shapes_of(layout)) {
    if (shape.path == path) return &shape;
    if (!shape.many() || record_id(shape, path.substr(slash + 1)).empty()) continue;
    const std::string pattern = record_folder(shape, "*");
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos
            ? folder == pattern
            : folder.starts_with(pattern.substr(0, star)) && folder.ends_with(pattern.substr(star + 1)))
      return &shape;
  }
  return nullptr;
}

Result<std::optional<SetAside>> set_aside(const Context& context, const std::shared_ptr<Root>& root,
                                          const Layout& layout, const std::string& path) {
  auto bytes = read_whole(root->directory(), path);
  if (!bytes && bytes.error().code == Code::not_found) return std::nullopt;
  if (!bytes) return fail(std::move(bytes).error());
  if (is_good(layout, path, *bytes)) return std::nullopt;
  SetAside done;
  done.moved_to = free_name(*root, layout.traits().corrupt_folder, path);
  const auto backup = read_whole(root->directory(), backup_path(*root, path));
  done.restored = backup && is_good(layout, path, *backup);
  Commit commit(root);
  commit.put(root, done.moved_to, *bytes, Revision(kAbsent));
  if (done.restored) {
    commit.put(root, path, *backup, revision_of(*bytes));
  } else {
    commit.remove(root, path, revision_of(*bytes));
  }
  HOLDFAST_TRY(commit.run(context));
  return done;
}

Result<void> FileStore::set_all_aside(const Context& context) {
  if (layout_.traits().corrupt_folder.empty()) return {};
  // Without a backup the file is aside anyway; opening_findings() reports it.
  const auto mend_or_drop = [&](const Error& error) -> Result<void> {
    const auto mended = mend(context, error);
    if (mended || mended.error().code == Code::serialization_failed) return {};
    return fail(mended.error());
  };
  for (const RecordShape& shape : shapes_of(layout_)) {
    if (shape.form != RecordFormat::json_pretty && shape.form != RecordFormat::json_compact) continue;
    DirectoryFeed feed(context, roots_.directories());  // without backups, so it reports what is corrupt
    HOLDFAST_LET(list, look(context, feed, {std::string(shape.kind), {}, {}}));
    for (const Finding& finding : list.findings) {
      if (finding.kind == code_name(Code::corrupt))
        HOLDFAST_TRY(mend_or_drop({Code::corrupt, finding.consequence, finding.file, 0}));
    }
  }
  std::vector<Finding> findings;
  HOLDFAST_LET(refs, find_all(context, findings));
  for (const SessionRef& ref : refs) {
    DirectoryFeed feed(context, roots_.directories());
    const auto thread = thread_of(layout_, feed, ref);  // reads the session's own document
    if (!thread && thread.error().code == Code::corrupt) HOLDFAST_TRY(mend_or_drop(thread.error()));
  }
  return {};
}

}  // namespace holdfast::inline v1
