// Sessions made of other sessions: forks, and the move from sessions/ to projects/.
#include "layout/change.h"
#include "layout/moment.h"
#include "layout/open_agent/header.h"
#include "layout/open_agent/line.h"
#include "layout/open_agent/open_agent_layout.h"
#include "layout/open_agent/paths.h"
#include "layout/open_agent/reader.h"
#include "layout/writable_layout.h"
#include "text/json_edit.h"
#include "text/json_text.h"
#include "text/json_write.h"

namespace holdfast::inline v1::open_agent {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;

// The line with the new id wherever it names its session.
Result<std::string> with_session(std::string_view line, std::string_view id) {
  const std::string value = json_quoted(id);
  HOLDFAST_LET(stamped, json_set(line, {"session_id"}, value));
  if (!JsonView(line).find("sessionId")) return stamped;
  return json_set(stamped, {"sessionId"}, value);
}

Result<std::string> forked_header(JsonView source, std::string_view id, const SessionDraft& request,
                                  const SessionRef& from, const Moment& moment) {
  SessionDraft draft = request;
  const auto text = [](JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); };
  draft.parent = Parent{from.id, ParentKind::fork, request.parent ? request.parent->message : ""};
  if (draft.model.empty()) draft.model = text(source, "model");
  if (draft.provider.empty()) draft.provider = text(source, "provider");
  if (draft.title.empty()) draft.title = text(source, "title");
  if (draft.project.empty()) draft.project = text(source.find("options"), "cwd");
  if (draft.git_branch.empty()) draft.git_branch = text(source, "gitBranch");
  HOLDFAST_LET(header, new_header(id, draft, epoch_ms(moment)));
  // Options of the source that the caller did not override.
  const SessionDraft old{.metadata = JsonWriter()
                                         .begin_object()
                                         .key("options")
                                         .raw(source.find("options") ? source.find("options").raw() : "{}")
                                         .end_object()
                                         .take()};
  HOLDFAST_LET(kept, new_header(id, old, 0));
  return merged_header(JsonView(header), JsonView(kept));
}

Result<void> copy_results(Feed& feed, const std::string& from, const std::string& to, Changes& changes) {
  HOLDFAST_LET(files, feed.list(at(from)));
  for (const FeedEntry& file : files) {
    if (file.directory) continue;
    HOLDFAST_LET(bytes, feed.document(at(from + "/" + file.name), kLargest));
    if (!bytes) continue;
    changes.put(at(to + "/" + file.name), std::move(*bytes));
  }
  return {};
}

}  // namespace

Result<NewSession> forked(Feed& feed, const SessionRef& from, const SessionDraft& request, const Moment& moment) {
  HOLDFAST_LET(source, whole_header(feed, from));
  SessionDraft place = request;
  if (place.project.empty()) place.project = JsonView(source).find("options").find("cwd").as_string().value_or("");
  NewSession made;
  HOLDFAST_LET(ref, new_ref(feed, place, moment));
  if (request.project.empty()) {
    // Beside its source, whatever folder that is.
    const std::string id = ref.id;
    ref = ref_in(folder_of(from), id);
  }
  made.ref = ref;
  HOLDFAST_LET(header, forked_header(JsonView(source), ref.id, request, from, moment));
  std::string log = header + "\n";
  const std::string upto = request.parent ? request.parent->message : "";
  bool met = upto.empty();
  Result<void> stamped;
  HOLDFAST_TRY(feed.records(from.place, {}, [&](const FeedRecord& record) {
    const ReadLine line = read_line(record.bytes);
    if (line.kind == LineKind::header) return true;
    auto copy = with_session(record.bytes, ref.id);
    if (!copy) {
      stamped = fail(std::move(copy).error());
      return false;
    }
    log.append(*copy).append("\n");
    const bool last = !upto.empty() && line.kind == LineKind::message && line.message.id == upto;
    met = met || last;
    return !last;
  }));
  HOLDFAST_TRY(stamped);
  if (!met) return fail(Code::not_found, "session " + from.id + " has no message " + upto);
  // The log makes it a session and names the other files, so it comes last.
  HOLDFAST_TRY(copy_results(feed, results_folder(folder_of(from), from.id), results_folder(folder_of(ref), ref.id),
                            made.changes));
  made.changes.create(ref.place, std::move(log));
  return made;
}

Result<Changes> regrouped(Feed& feed, const SessionRef& ref, std::string_view project, const Moment& moment) {
  HOLDFAST_LET(header, whole_header(feed, ref));
  const std::string path =
      project.empty() ? JsonView(header).find("options").find("cwd").as_string().value_or("") : std::string(project);
  if (path.empty())
    return fail(Code::invalid_argument, "the session does not say where it worked; name its project", ref.id);
  HOLDFAST_LET(name, project_folder_name(path));
  const std::string folder = std::string(kProjects) + "/" + name;
  Changes changes;
  if (folder == folder_of(ref)) return changes;
  // Moved, never copied: concurrent appends move with the log (I-23).
  changes.add({ChangeKind::move_tree,
               ref.place,
               log_path(folder, ref.id),
               {results_folder(folder_of(ref), ref.id), results_folder(folder, ref.id)}});
  // Records the real path and the new folder of the session.
  HOLDFAST_LET(side, load_side(feed, ref.id));
  const std::string base =
      side.there ? std::string(side.header.raw()) : R"({"type":"session_header","id":)" + json_quoted(ref.id) + "}";
  SessionPatch patch;
  patch.metadata = R"({"options":{"cwd":)" + json_quoted(path) + "}}";
  HOLDFAST_LET(patched, patched_side(base, JsonView(header), patch, epoch_ms(moment)));
  if (side.there || patched != base) changes.put(at(side_path(ref.id)), side_document(folder, patched));
  return changes;
}

}  // namespace holdfast::inline v1::open_agent
