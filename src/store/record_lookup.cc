#include "store/record_lookup.h"

#include <set>

#include "base/safe_name.h"
#include "layout/backup_finding.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "store/record_codec.h"
#include "text/article.h"
#include "text/json_scan.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;

// A file in place of a directory on the path counts as missing.
Result<bool> is_there(Feed& feed, const Place& place) {
  auto stat = feed.stat(place);
  if (stat) return stat->has_value();
  if (stat.error().code == Code::unsafe_path) return false;
  return fail(std::move(stat).error());
}

// Plans and specifications of a project's own store belong to modules, whose file names are in lower case.
bool is_of_module(const Layout& layout, const RecordShape& shape) {
  return layout.traits().root_is_project && (shape.kind == "plan" || shape.kind == "specification");
}

// The id as spelled in its file name.
Result<std::string> spelled_id(const Layout& layout, Feed& feed, const RecordShape& shape, std::string_view project,
                               const std::string& id) {
  std::string lower(id);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower == id || !is_of_module(layout, shape)) return id;
  HOLDFAST_LET(there, is_there(feed, {std::string(shape.root), record_path(shape, project, id)}));
  return there ? id : lower;
}

class Looker {
 public:
  Looker(const Context& context, const Layout& layout, Feed& feed, const RecordShape& shape, RecordList& list)
      : context_(context), layout_(layout), feed_(feed), shape_(shape), list_(list) {}

  // Reads one record; `shown` is its id in the model. A record that cannot be read at all becomes a finding, or, if
  // it was asked for, an error: whether its name is free is unknown.
  Result<void> one(const Place& place, std::string_view shown, bool asked_for = false) {
    HOLDFAST_TRY(context_.check());
    auto bytes = feed_.document(place, kLimit);
    if (!bytes && asked_for) return fail(std::move(bytes).error());
    if (!bytes) {
      find(place, code_name(bytes.error().code), bytes.error().message, 0);
    } else if (*bytes) {
      auto record = read_record(shape_, shown, **bytes);
      if (record) {
        list_.records.push_back(std::move(*record));
        return {};
      }
      const Error& why = record.error();
      HOLDFAST_LET(restored, why.code == Code::corrupt ? from_backup(place, shown) : std::nullopt);
      if (restored) {
        find(place, kRestoredFromBackup, backup_shown_message(why.message), (*bytes)->size());
        list_.records.push_back(std::move(*restored));
      } else {
        find(place, code_name(why.code), why.message, (*bytes)->size());
      }
    }
    return {};
  }

  // Reads the members of one document; all if `id` is empty.
  Result<void> members(const Place& place, std::string_view id) {
    HOLDFAST_LET(bytes, feed_.document(place, kLimit));
    if (!bytes) return {};
    const JsonView document(*bytes);
    if (!check_json(without_bom(*bytes)).ok() || document.kind() != JsonKind::object) {
      find(place, "corrupt", "not a JSON object", bytes->size());
      return {};
    }
    for (const JsonItem& item : document.fields()) {
      const std::string name = item.key();
      if (!id.empty() && name != id) continue;
      auto record = read_record(shape_, name, item.value.raw());
      if (record) {
        list_.records.push_back(std::move(*record));
      } else {
        find(place, "corrupt", name + ": " + record.error().message, 0);
      }
    }
    return {};
  }

  // Reads every record in the folder, under one of the shape's two paths.
  Result<void> folder(std::string_view project, std::string_view pattern, std::set<std::string>& met) {
    RecordShape shape = shape_;
    shape.path = pattern;
    const Place folder{std::string(shape_.root), record_folder(shape, project)};
    HOLDFAST_LET(entries, feed_.list(folder));
    for (const FeedEntry& entry : entries) {
      const std::string id = record_id(shape, entry.name);
      if (id.empty()) continue;
      const Place place{folder.root, record_path(shape, project, id)};
      if (!is_record_id(layout_, shape_, id)) {
        find(place, "unsafe_name", "skipped: not a valid id for " + with_article(shape_.kind), 0);
        continue;
      }
      HOLDFAST_LET(there, is_there(feed_, place));
      if (!there) continue;
      if (!met.insert(id).second) {
        find(place, "duplicate", "another file with the same id is used", 0);
        continue;
      }
      HOLDFAST_TRY(one(place, id));
    }
    return {};
  }

 private:
  Result<std::optional<std::string>> from_backup(const Place& place, std::string_view shown) {
    HOLDFAST_LET(bytes, feed_.backup(place));
    if (!bytes) return std::nullopt;
    auto record = read_record(shape_, shown, *bytes);
    if (!record) return std::nullopt;
    return std::move(*record);
  }

  void find(const Place& place, std::string_view kind, std::string_view consequence, std::uint64_t length) {
    list_.findings.push_back({place.path, 0, length, std::string(kind), std::string(consequence), 0});
  }

  const Context& context_;
  const Layout& layout_;
  Feed& feed_;
  const RecordShape& shape_;
  RecordList& list_;
};

// "projects" of "projects/{project}/runs/{id}.json".
std::string above_projects(const RecordShape& shape) {
  const std::string_view above = shape.path.substr(0, shape.path.find("{project}"));
  return std::string(above.substr(0, above.empty() ? 0 : above.size() - 1));
}

Result<std::vector<std::string>> keys_below(Feed& feed, const RecordShape& shape) {
  std::vector<std::string> keys;
  HOLDFAST_LET(entries, feed.list({std::string(shape.root), above_projects(shape)}));
  for (FeedEntry& entry : entries) {
    if (entry.directory && is_plain_name(entry.name)) keys.push_back(std::move(entry.name));
  }
  return keys;
}

Result<void> look_in_project(Looker& looker, Feed& feed, const Layout& layout, const RecordShape& shape,
                             const RecordKey& key, const std::string& project) {
  if (shape.entries) return looker.members({std::string(shape.root), record_path(shape, project, {})}, key.id);
  if (!shape.many()) return looker.one({std::string(shape.root), record_path(shape, project, {})}, project);
  if (!key.id.empty()) {
    if (!is_record_id(layout, shape, key.id))
      return fail(Code::unsafe_path, "not a valid id for " + with_article(key.kind) + ": " + key.id);
    HOLDFAST_LET(id, spelled_id(layout, feed, shape, project, key.id));
    Place place{std::string(shape.root), record_path(shape, project, id)};
    if (!shape.also.empty()) {
      HOLDFAST_LET(there, is_there(feed, place));
      RecordShape other = shape;
      other.path = shape.also;
      if (!there) place.path = record_path(other, project, key.id);
    }
    return looker.one(place, id, true);
  }
  std::set<std::string> met;
  HOLDFAST_TRY(looker.folder(project, shape.path, met));
  if (!shape.also.empty()) HOLDFAST_TRY(looker.folder(project, shape.also, met));
  return {};
}

}  // namespace

Result<const RecordShape*> shape_of_kind(const Layout& layout, std::string_view kind) {
  const RecordShape* shape = layout.shape(kind);
  if (shape != nullptr) return shape;
  return fail(Code::unsupported,
              "layout " + std::string(layout.name()) + " cannot hold: " + std::string(kind) + " records");
}

bool is_record_id(const Layout& layout, const RecordShape& shape, std::string_view id) {
  // The name of a member is not a file name.
  if (shape.entries) return !id.empty() && id.size() <= 255 && id.find('\0') == std::string_view::npos;
  return layout.traits().owns_logs ? is_safe_name(id) : is_plain_name(id);
}

Result<Place> place_of_record(const Layout& layout, Feed& feed, const RecordShape& shape, const RecordKey& key) {
  if (shape.many() && !is_record_id(layout, shape, key.id))
    return fail(Code::unsafe_path, "not a valid id for " + with_article(key.kind) + ": " + key.id);
  std::string project;
  if (shape.per_project()) {
    if (key.project.empty()) return fail(Code::invalid_argument, with_article(key.kind) + " needs a project");
    HOLDFAST_LET(found, project_key_of(layout, feed, key.project));
    project = std::move(found);
  }
  HOLDFAST_LET(id, spelled_id(layout, feed, shape, project, key.id));
  Place place{std::string(shape.root), record_path(shape, project, id)};
  if (shape.also.empty()) return place;
  HOLDFAST_LET(there, is_there(feed, place));
  if (there) return place;
  RecordShape other = shape;
  other.path = shape.also;
  Place second{place.root, record_path(other, project, key.id)};
  HOLDFAST_LET(there_too, is_there(feed, second));
  return there_too ? second : place;
}

Result<RecordList> find_records(const Context& context, const Layout& layout, Feed& feed, const RecordKey& key) {
  HOLDFAST_LET(shape, shape_of_kind(layout, key.kind));
  RecordList list;
  Looker looker(context, layout, feed, *shape, list);
  if (!shape->per_project()) {
    HOLDFAST_TRY(look_in_project(looker, feed, layout, *shape, key, {}));
  } else if (!key.project.empty()) {
    HOLDFAST_LET(project, project_key_of(layout, feed, key.project));
    HOLDFAST_TRY(look_in_project(looker, feed, layout, *shape, key, project));
  } else if (!key.id.empty()) {
    return fail(Code::invalid_argument, with_article(key.kind) + " needs a project");
  } else {
    HOLDFAST_LET(keys, keys_below(feed, *shape));
    for (const std::string& project : keys) HOLDFAST_TRY(look_in_project(looker, feed, layout, *shape, key, project));
  }
  return list;
}

Result<void> check_single_record(const RecordList& list, std::string_view kind, std::string_view id) {
  if (!list.records.empty()) return {};
  if (list.findings.empty()) return fail(Code::not_found, "there is no " + std::string(kind) + " " + std::string(id));
  const Finding& finding = list.findings.front();
  const bool version = finding.kind == code_name(Code::schema_version_mismatch);
  return fail(version ? Code::schema_version_mismatch : Code::corrupt, finding.consequence, finding.file);
}

Result<std::vector<std::string>> project_keys(const Layout& layout, Feed& feed) {
  HOLDFAST_LET(shape, shape_of_kind(layout, "project"));
  return keys_below(feed, *shape);
}

Result<Place> project_folder_of(const Layout& layout, std::string_view project_key) {
  HOLDFAST_LET(shape, shape_of_kind(layout, "project"));
  return Place{std::string(shape->root), above_projects(*shape) + "/" + std::string(project_key)};
}

std::string masked_record(std::string_view record) {
  JsonWriter out;
  out.begin_object();
  for (const JsonItem& item : JsonView(record).fields()) {
    const std::string key = item.key();
    out.key(key);
    if (key == "id" || key == "schema_version") {
      out.raw(item.value.raw());
    } else {
      out.string("***");
    }
  }
  return out.end_object().take();
}

}  // namespace holdfast::inline v1
