#include "layout/open_agent/open_agent_layout.h"

#include <array>
#include <set>

#include "base/time.h"
#include "layout/change.h"
#include "layout/index_files.h"
#include "layout/known_records.h"
#include "layout/moment.h"
#include "layout/open_agent/header.h"
#include "layout/open_agent/index_file.h"
#include "layout/open_agent/line.h"
#include "layout/open_agent/line_writer.h"
#include "layout/open_agent/paths.h"
#include "layout/open_agent/reader.h"
#include "layout/open_agent/secrets.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/writable_layout.h"
#include "text/json_scan.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace open_agent {
namespace {

using Entries = std::map<std::string, std::string, std::less<>>;

Result<Entries> entries_in(Feed& feed, const std::string& folder) {
  const Place place = at(folder + "/" + std::string(kIndex));
  HOLDFAST_LET(bytes, feed.document(place));
  if (!bytes) return Entries();
  if (!check_json(*bytes).ok())
    feed.complain(place, 0, "corrupt", "the index is not used; the next change rebuilds it");
  return index_entries(*bytes);
}

std::string id_of_log(const std::string& name) {
  return name.ends_with(kLogEnd) ? name.substr(0, name.size() - kLogEnd.size()) : std::string();
}

bool wants_flat(const SessionDraft& draft) {
  return draft.project.empty() || JsonView(draft.metadata).find("flat").as_bool().value_or(false);
}

class OpenAgentLayout final : public WritableLayout, public RecordKeeper, public IndexFiles {
 public:
  std::string_view name() const override { return "open-agent"; }
  std::string_view agent() const override { return "Open Agent SDK"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "the Open Agent SDK's directory"}}};
    return kRoots;
  }
  std::span<const RecordShape> shapes() const override { return open_agent_shapes(); }
  LayoutTraits traits() const override { return {.prompt_history = "history.jsonl"}; }
  void clear_made_up(Message& message) const override {
    if (is_uuid(message.id)) message.id.clear();
  }
  const RecordKeeper* records() const override { return this; }
  const IndexFiles* index_files() const override { return this; }
  std::string_view index_name() const override { return kIndex; }

  const AgentHome* home() const override { return &open_agent::home(); }
  bool is_record(JsonView object) const override {
    return has_keys(object, {"type", "uuid", "session_id"}) ||
           has_keys(object, {"type", "id", "createdAt", "options"}) ||
           has_keys(object, {"display", "timestamp", "project"});
  }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(names, feed.list(at("")));
    for (const FeedEntry& entry : names) {
      // With only a side folder, the store is new, or its only session is in the trash.
      if (entry.directory && (entry.name == kProjects || entry.name == kFlat || entry.name == ".holdfast")) return true;
    }
    return false;
  }
  Result<std::string> project_key(Feed&, std::string_view real_path) const override {
    return project_folder_name(real_path);
  }

  Result<void> find(Feed& feed, const TakeRef& take) const override {
    std::set<std::string, std::less<>> seen;
    HOLDFAST_LET(projects, feed.list(at(std::string(kProjects))));
    bool more = true;
    for (const FeedEntry& project : projects) {
      if (!project.directory || !more) continue;
      HOLDFAST_TRY(find_in(feed, std::string(kProjects) + "/" + project.name, seen, take, more));
    }
    if (more) HOLDFAST_TRY(find_in(feed, std::string(kFlat), seen, take, more));
    if (!more) return {};
    HOLDFAST_LET(headers, feed.list(at(std::string(kHeaders))));
    for (const FeedEntry& entry : headers) {
      const std::string id = entry.name.substr(0, entry.name.rfind('.'));
      if (!is_uuid(id) || seen.contains(id)) continue;
      HOLDFAST_LET(ref, unwritten(feed, id));
      if (ref && !take(std::move(*ref))) return {};
    }
    return {};
  }

  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    if (!is_uuid(id)) {
      if (may_begin_uuid(id)) return std::nullopt;
      return fail(Code::not_found, bad_id_text(id));
    }
    HOLDFAST_LET(projects, feed.list(at(std::string(kProjects))));
    for (const FeedEntry& project : projects) {
      if (!project.directory) continue;
      HOLDFAST_LET(found, log_in(feed, std::string(kProjects) + "/" + project.name, id));
      if (found) return found;
    }
    HOLDFAST_LET(flat, log_in(feed, std::string(kFlat), id));
    if (flat) return flat;
    return unwritten(feed, id);
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    return SessionReader(feed, ref, options, events).read_all();
  }
  Result<bool> read_last(Feed& feed, const SessionRef& ref, std::size_t count, Events& events) const override {
    return SessionReader(feed, ref, {}, events).read_last(count);
  }
  Result<bool> read_head(Feed& feed, const SessionRef& ref, Events& events) const override {
    HOLDFAST_TRY(SessionReader(feed, ref, {}, events).read_head());
    return true;
  }

  // The header stays in the side folder until the first message (O02).
  Result<NewSession> create(Feed& feed, const SessionDraft& draft, const Moment& moment) const override {
    NewSession made;
    HOLDFAST_LET(ref, new_ref(feed, draft, moment));
    made.ref = std::move(ref);
    HOLDFAST_LET(header, new_header(made.ref.id, draft, epoch_ms(moment)));
    made.changes.create(at(side_path(made.ref.id)), side_document(folder_of(made.ref), header));
    return made;
  }

  Result<std::unique_ptr<LineWriter>> line_writer(Feed& feed, const SessionRef& ref) const override {
    LineStart start{ref, {}, {}};
    HOLDFAST_LET(header, whole_header(feed, ref));
    start.header = std::move(header);
    HOLDFAST_LET(files, feed.list(at(results_folder(folder_of(ref), ref.id))));
    for (const FeedEntry& file : files) start.spilled.insert(file.name);
    return make_line_writer(std::move(start));
  }

  Result<Changes> update(Feed& feed, const SessionRef& ref, const SessionPatch& patch,
                         const Moment& moment) const override {
    HOLDFAST_LET(merged, whole_header(feed, ref));
    HOLDFAST_LET(side, load_side(feed, ref.id));
    const std::string base = side.there ? std::string(side.header.raw()) : empty_header(ref.id);
    HOLDFAST_LET(patched, patched_side(base, JsonView(merged), patch, epoch_ms(moment)));
    Changes changes;
    if (patched != base) changes.put(at(side_path(ref.id)), side_document(folder_of(ref), patched));
    if (patch.leaf) {
      changes.append(ref.place, {leaf_line(new_uuid(moment), ref.id, *patch.leaf, iso8601(moment.now))});
    }
    return changes;
  }

  // Removes the header first: alone it would be a session without messages.
  Result<Changes> remove(Feed& feed, const SessionRef& ref) const override {
    Changes changes;
    for (const std::string& path : {side_path(ref.id), ref.place.path, folder_of(ref) + "/" + ref.id}) {
      HOLDFAST_LET(there, feed.stat(at(path)));
      if (there) changes.remove_tree(at(path));
    }
    return changes;
  }

  // The header goes when it is written to line 1, the flat log when the session is grouped.
  std::vector<Place> former_files(std::string_view id) const override {
    return {at(side_path(id)), at(log_path(kFlat, id))};
  }

  Result<NewSession> fork(Feed& feed, const SessionRef& from, const SessionDraft& draft,
                          const Moment& moment) const override {
    return forked(feed, from, draft, moment);
  }
  Result<Changes> regroup(Feed& feed, const SessionRef& ref, std::string_view project,
                          const Moment& moment) const override {
    return regrouped(feed, ref, project, moment);
  }

  Result<std::optional<HeaderLine>> header_line(Feed& feed, const SessionRef& ref,
                                                bool without_secrets) const override {
    HOLDFAST_LET(line, first_header(feed, ref));
    if (line.empty()) return std::nullopt;
    HOLDFAST_LET(side, load_side(feed, ref.id));
    HOLDFAST_LET(merged, merged_header(JsonView(line), side.header));
    if (without_secrets) {
      HOLDFAST_LET(clean, open_agent::without_secrets(merged));
      merged = std::move(clean);
    }
    HeaderLine head{ref.place, std::move(line), std::move(merged), {}};
    if (side.there) head.after.remove(at(side_path(ref.id)));
    return head;
  }

  std::string index_group(const SessionRef& ref) const override { return folder_of(ref); }
  Entries entries(std::string_view bytes) const override { return index_entries(bytes); }
  Result<Changes> write_index(Feed& feed, std::string_view group, std::span<const Session> rows,
                              const Moment& moment) const override {
    const std::string folder(group);
    const Place place = at(folder + "/" + std::string(kIndex));
    HOLDFAST_LET(old, feed.document(place));
    const auto exists = [&](std::string_view id) {
      const auto log = feed.stat(at(log_path(folder, id)));
      const auto header = is_uuid(id) ? unwritten(feed, id) : Result<std::optional<SessionRef>>(std::nullopt);
      return !log || *log || !header || (*header && folder_of(**header) == folder);
    };
    std::vector<Session> dated(rows.begin(), rows.end());
    for (Session& row : dated) HOLDFAST_TRY(date_by_file(feed, row));
    HOLDFAST_LET(bytes, written_index(old.value_or(""), dated, epoch_ms(moment), exists));
    Changes changes;
    if (!old || *old != bytes) changes.put_derived(place, std::move(bytes));
    return changes;
  }

 private:
  // A session without a time of its own gets that of its file.
  static Result<void> date_by_file(Feed& feed, Session& row) {
    if (!row.updated_at.empty() && !row.created_at.empty()) return {};
    HOLDFAST_LET(stat, feed.stat(at(row.path)));
    if (row.updated_at.empty() && stat)
      row.updated_at = iso8601(std::chrono::system_clock::time_point(
          std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(stat->mtime_ns))));
    if (row.created_at.empty()) row.created_at = row.updated_at;
    return {};
  }
  static std::string empty_header(std::string_view id) {
    return JsonWriter().begin_object().key("type").string("session_header").key("id").string(id).end_object().take();
  }

  // Finds a session that has no log yet.
  static Result<std::optional<SessionRef>> unwritten(Feed& feed, std::string_view id) {
    HOLDFAST_LET(side, load_side(feed, id));
    if (!side.there) return std::nullopt;
    const bool known = side.folder == kFlat || side.folder.starts_with(std::string(kProjects) + "/");
    return ref_in(known ? side.folder : std::string(kFlat), id);
  }

  static Result<std::optional<SessionRef>> log_in(Feed& feed, const std::string& folder, std::string_view id) {
    HOLDFAST_LET(log, feed.stat(at(log_path(folder, id))));
    if (!log) return std::nullopt;
    SessionRef ref = ref_in(folder, id);
    HOLDFAST_LET(entries, entries_in(feed, folder));
    if (const auto entry = entries.find(id); entry != entries.end()) ref.hint = entry->second;
    return ref;
  }

  static Result<void> find_in(Feed& feed, const std::string& folder, std::set<std::string, std::less<>>& seen,
                              const TakeRef& take, bool& more) {
    HOLDFAST_LET(files, feed.list(at(folder)));
    std::optional<Entries> entries;
    for (const FeedEntry& file : files) {
      const std::string id = file.directory ? std::string() : id_of_log(file.name);
      if (id.empty()) continue;
      if (!is_uuid(id)) {
        feed.complain(at(folder + "/" + file.name), 0, "bad_name", "its name is not a session id; it is left alone");
        continue;
      }
      if (!entries) {
        HOLDFAST_LET(read, entries_in(feed, folder));
        entries = std::move(read);
      }
      SessionRef ref = ref_in(folder, id);
      if (const auto entry = entries->find(id); entry != entries->end()) ref.hint = entry->second;
      if (!seen.insert(id).second)
        feed.complain(ref.place, 0, "duplicate_session", "another folder also holds a session with this id");
      more = take(std::move(ref));
      if (!more) return {};
    }
    return {};
  }
};

}  // namespace

Result<SessionRef> new_ref(Feed& feed, const SessionDraft& draft, const Moment& moment) {
  const std::string id = draft.id.empty() ? new_uuid(moment) : draft.id;
  if (!is_uuid(id)) return fail(Code::invalid_argument, bad_id_text(id));
  HOLDFAST_LET(taken, open_agent_layout().locate(feed, id));
  if (taken) return fail(Code::already_exists, "session " + id + " already exists");
  if (wants_flat(draft)) return ref_in(kFlat, id);
  HOLDFAST_LET(name, project_folder_name(draft.project));
  return ref_in(std::string(kProjects) + "/" + name, id);
}

}  // namespace open_agent

const Layout& open_agent_layout() {
  static const open_agent::OpenAgentLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
