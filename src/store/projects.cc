#include "store/projects.h"

#include <algorithm>

#include "base/safe_name.h"
#include "base/time.h"
#include "layout/change.h"
#include "layout/record_keeper.h"
#include "store/deletion.h"
#include "store/engine.h"
#include "store/in_use.h"
#include "store/record_lookup.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string spell_project(std::string_view path, std::string_view name, std::string_view now) {
  JsonWriter json;
  json.begin_object().key("path").string(path).key("name").string(name.empty() ? last_name(path) : name);
  return json.key("added_at").string(now).end_object().take();
}

std::string resolved(std::string_view path, const ResolvePath& resolve) {
  const std::string tidy = normalize_path(path);
  return resolve ? resolve(tidy) : tidy;
}

Result<void> check_absolute(std::string_view path) {
  if (path.starts_with('/') && path.find('\0') == std::string_view::npos) return {};
  return fail(Code::invalid_argument, "the path of a project must be absolute", std::string(path));
}

// Fails with busy while a process works on one of the project's sessions; otherwise they are part of the deletion.
Result<void> check_idle(FileStore& files, Feed& feed, std::string_view key, Deletion& deletion) {
  std::vector<SessionRef> refs;
  HOLDFAST_TRY(files.layout().find(feed, [&](SessionRef ref) {
    if (ref.project == key) refs.push_back(std::move(ref));
    return true;
  }));
  for (const SessionRef& ref : refs) {
    HOLDFAST_LET(root, files.roots().root(ref.place.root));
    HOLDFAST_TRY(check_unowned(files, *root, ref.id));
    deletion.add_session(ref.id);
  }
  return {};
}

}  // namespace

std::string normalize_path(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, slash - at);
    at = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out;
  for (const std::string_view part : parts) out.append("/").append(part);
  return out.empty() ? "/" : out;
}

bool is_in_project(std::string_view directory, std::string_view project, const ResolvePath& resolve) {
  if (!directory.starts_with('/') || !project.starts_with('/')) return false;
  const auto is_in = [](std::string_view path, std::string_view top) {
    return path == top || top == "/" || (path.starts_with(top) && path[top.size()] == '/');
  };
  return is_in(normalize_path(directory), normalize_path(project)) ||
         is_in(resolved(directory, resolve), resolved(project, resolve));
}

Result<void> ensure_project(const Context& context, const Store::Look& look, std::string_view path, Edits& edits) {
  HOLDFAST_TRY(check_absolute(path));
  const RecordKey key{"project", std::string(path), {}};
  HOLDFAST_LET(known, look(key));
  // A project that cannot be read is left for people to examine.
  if (!known.records.empty() || !known.findings.empty()) return {};
  edits.push_back({RecordEdit::Kind::create, key, spell_project(path, {}, iso8601(context.clock->now()))});
  return {};
}

Result<void> check_record_name(std::string_view what, std::string_view name) {
  if (is_plain_name(name)) return {};
  return fail(Code::unsafe_path, "not a valid name for " + std::string(what) + ": " + std::string(name));
}

Result<std::string> find_project(const Context& context, Store& store, std::string_view path,
                                 const ResolvePath& resolve) {
  HOLDFAST_TRY(check_absolute(path));
  const std::string tidy = normalize_path(path);
  std::string real = resolved(path, resolve);
  HOLDFAST_LET(there, store.list_records(context, {"project", real, {}}));
  if (!there.records.empty() && text_in(there.records.front(), "path") == real) return real;
  HOLDFAST_LET(all, store.list_records(context, {"project", {}, {}}));
  for (const std::string_view request : {std::string_view(real), std::string_view(tidy)}) {
    for (const std::string& project : all.records) {
      if (text_in(project, "path") == request) return std::string(request);
    }
  }
  for (const std::string& project : all.records) {
    std::string known = text_in(project, "path");
    if (known.starts_with('/') && resolved(known, resolve) == real) return known;
  }
  return real;
}

Result<std::string> add_project(const Context& context, Store& store, std::string_view path, std::string_view name,
                                const ResolvePath& resolve) {
  HOLDFAST_LET(known, find_project(context, store, path, resolve));
  const RecordKey key{"project", known, {}};
  HOLDFAST_TRY(store.edit_records(context, [&](const Store::Look& look) -> Result<Edits> {
    HOLDFAST_LET(there, look(key));
    // A given name wins; without one, a known project keeps its name.
    if (!there.records.empty() && (name.empty() || text_in(there.records.front(), "name") == name)) return Edits();
    if (!there.records.empty()) {
      std::string named = JsonWriter().begin_object().key("name").string(name).end_object().take();
      return Edits{{RecordEdit::Kind::patch, key, std::move(named)}};
    }
    return Edits{{RecordEdit::Kind::create, key, spell_project(known, name, iso8601(context.clock->now()))}};
  }));
  return store.get_record(context, key);
}

Result<RecordList> list_projects(const Context& context, Store& store) {
  HOLDFAST_LET(list, store.list_records(context, {"project", {}, {}}));
  std::ranges::sort(list.records, [](const std::string& a, const std::string& b) {
    const std::string a_time = text_in(a, "added_at"), b_time = text_in(b, "added_at");
    return a_time != b_time ? a_time > b_time : text_in(a, "path") < text_in(b, "path");
  });
  return list;
}

Result<void> remove_project(const Context& context, Store& store, std::string_view path, const ResolvePath& resolve) {
  HOLDFAST_LET(known, find_project(context, store, path, resolve));
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(sessions, files->hold_sessions(context, LockKind::exclusive));
  Deletion deletion(*files);
  auto done = files->change(context, [&](DirectoryFeed& feed) -> Result<Changes> {
    deletion.begin();
    HOLDFAST_LET(project, find_records(context, files->layout(), feed, {"project", known, {}}));
    if (project.records.empty() || text_in(project.records.front(), "path") != known)
      return fail(Code::not_found, "there is no project " + known, store.name());
    if (files->layout().shape("run") != nullptr) {
      HOLDFAST_LET(runs, find_records(context, files->layout(), feed, {"run", known, {}}));
      for (const std::string& run : runs.records) {
        HOLDFAST_TRY(check_run_unowned(*files->roots().first(), text_in(run, "id")));
        const std::string owner = text_in(run, "repo_path");
        if (!owner.empty() && resolved(owner, resolve) != resolved(known, resolve))
          return fail(Code::conflict, "its folder also holds runs of " + owner + ", which would be deleted with it",
                      known);
      }
    }
    HOLDFAST_LET(key, project_key_of(files->layout(), feed, known));
    HOLDFAST_TRY(check_idle(*files, feed, key, deletion));
    HOLDFAST_LET(folder, project_folder_of(files->layout(), key));
    Changes changes;
    changes.remove_tree(std::move(folder));
    HOLDFAST_TRY(deletion.add(changes));
    HOLDFAST_TRY(deletion.note(context));
    return changes;
  });
  return deletion.end(context, std::move(done));
}

}  // namespace holdfast::inline v1
