#include "api/other_branches.h"

#include <algorithm>

#include "api/find_session.h"
#include "api/notes.h"
#include "api/session_holders.h"
#include "archive/continuation.h"
#include "sync/pull.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 20;

// Whether the log of that archive contains the text.
bool mentions(FileSystem& files, const std::string& archive, std::string_view text) {
  const auto directory = files.open_directory(archive, false);
  const auto log = directory ? (*directory)->open(kCaptureLog, OpenMode::read)
                             : Result<std::unique_ptr<File>>(fail(directory.error()));
  if (!log || text.empty()) return false;
  std::string window(kWindow + text.size(), '\0');
  for (std::uint64_t at = 0;; at += kWindow) {
    const auto count = (*log)->read_at(at, window);
    if (!count) return false;
    if (std::string_view(window).substr(0, *count).find(text) != std::string_view::npos) return true;
    if (*count < window.size()) return false;
  }
}

// A copy of the session on another machine.
struct Foreign {
  std::string machine;
  std::shared_ptr<Archive> archive;
  SessionCopy copy;
};

SessionCopy copy_in(Archive& archive, const CapturedPair& session) {
  return {&session.first, &session.second,
          [&archive](const FileBlock& block) { return read_if_there(archive.packs(), block); }};
}

std::string updated_at(const CapturedSession& session) {
  return JsonView(session.row).find("updated_at").as_string().value_or("");
}

// Adds copies that continue this machine's, or diverged from it.
void add_copies(const Call& call, const SessionName& name, std::string_view changed,
                const std::vector<Foreign>& foreign, std::vector<OtherBranch>& branches) {
  if (foreign.empty()) return;
  const auto own = Archive::open(call.context, *call.stores.settings().files, call.stores.settings().archive);
  std::vector<SessionCopy> mine;
  if (own)
    for (const CapturedPair& session : (*own)->state().sessions)
      if (session.first.layout == name.layout && session.first.id == name.id) mine.push_back(copy_in(**own, session));
  for (const Foreign& one : foreign) {
    const auto is_in = [&](const SessionCopy& other) { return continues(other, one.copy); };
    if (std::ranges::any_of(mine, is_in)) continue;
    const bool behind = std::ranges::any_of(foreign, [&](const Foreign& other) {
      return &other != &one && is_in(other.copy) && (&other < &one || !continues(one.copy, other.copy));
    });
    if (behind) continue;
    // The capture of this machine's session may be older than the session.
    const bool all = std::ranges::any_of(mine, [&](const SessionCopy& own_copy) {
      return updated_at(*own_copy.session) == changed && continues(one.copy, own_copy);
    });
    branches.push_back(
        {one.machine, name, updated_at(*one.copy.session), is_here(one.archive->packs(), *one.copy.session), all});
  }
}

// Adds sessions that were handed off from it on this machine and still exist.
void add_noted(const Call& call, const SessionName& name, std::vector<OtherBranch>& branches) {
  for (const auto& [session, source] : Notes::read(call.context, call.stores.settings())->handed_off()) {
    if (source != name) continue;
    JsonWriter params;
    params.begin_object().key("id").string(session.layout + "/" + session.id).end_object();
    const Call reading{call.context, *find_operation("session.get"), JsonView(params.text()), call.stores};
    const auto found = find_session(reading, session.layout + "/" + session.id);
    if (found) branches.push_back({.name = session, .updated_at = found->session.updated_at, .handed_off = true});
  }
}

}  // namespace

std::vector<OtherBranch> other_branches(const Call& call, std::string_view store, const SessionName& name,
                                        std::string_view changed) {
  std::vector<OtherBranch> branches;
  if (call.has("store") || call.stores.machines().origin_of(store, {})) return branches;
  add_noted(call, name, branches);
  FileSystem& files = *call.stores.settings().files;
  const std::string quoted = json_quoted(name.id);
  std::vector<Foreign> foreign;
  for (const KnownStream& stream : known_streams(call)) {
    if (!mentions(files, stream.path, quoted)) continue;
    auto opened = Archive::open(call.context, files, stream.path);
    if (!opened) continue;
    const std::shared_ptr<Archive> archive = *std::move(opened);
    for (const CapturedPair& session : archive->state().sessions) {
      const auto& [key, captured] = session;
      const bool replaced = stream.replaced.contains(key) && !is_here(archive->packs(), captured);
      if (key.layout == name.layout && key.id == name.id && !replaced)
        foreign.push_back({stream.machine, archive, copy_in(*archive, session)});
      if (handed_off_from(JsonView(captured.row)) != name) continue;
      const SessionName its{key.layout, key.id};
      const auto is_known = [&](const OtherBranch& one) { return one.name == its; };
      if (std::ranges::none_of(branches, is_known))
        branches.push_back(
            {stream.machine, its, updated_at(captured), is_here(archive->packs(), captured), false, true});
    }
  }
  add_copies(call, name, changed, foreign, branches);
  return branches;
}

void write_other_branches(JsonWriter& json, const std::vector<OtherBranch>& branches) {
  if (branches.empty()) return;
  json.key("other_branches").begin_array();
  for (const OtherBranch& one : branches) {
    json.begin_object().key("machine");
    one.machine.empty() ? json.null() : json.string(one.machine);
    json.key("layout").string(one.name.layout).key("id").string(one.name.id).key("messages").null();
    json.key("updated_at");
    one.updated_at.empty() ? json.null() : json.string(one.updated_at);
    json.key("here").boolean(one.here).key("continues").boolean(one.continues);
    json.key("handed_off").boolean(one.handed_off).end_object();
  }
  json.end_array();
}

}  // namespace holdfast::inline v1
