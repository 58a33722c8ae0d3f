#include "api/machines.h"

#include <algorithm>
#include <set>

#include "api/machine_copies.h"
#include "api/session_name.h"
#include "api/stores.h"
#include "base/parent_path.h"
#include "layout/layout.h"
#include "sync/content.h"
#include "sync/machine_names.h"
#include "sync/open_remote.h"
#include "sync/pull.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

namespace {

// After the name of a machine, if two homes write as that machine.
std::string epoch_suffix(const StreamId& id) { return "@" + std::to_string(id.epoch); }

// The copies of one session in a stream: its machine may have had it in several stores. None if several sessions begin
// with `id`.
std::vector<const CapturedPair*> copies_named(const CaptureState& state, std::string_view id) {
  std::vector<const CapturedPair*> copies;
  const auto found = find_captured(state, id, [](const CaptureKey&) { return std::string(); });
  if (!found) return copies;
  for (const CapturedPair& one : state.sessions)
    if (one.first.layout == (*found)->first.layout && one.first.id == (*found)->first.id) copies.push_back(&one);
  return copies;
}

}  // namespace

Result<std::string> sync_path(const Stores& stores) {
  const std::string& archive = stores.settings().archive;
  if (archive.empty())
    return fail(Code::storage_unavailable,
                "there is no place for the state of sync: neither HOME nor XDG_DATA_HOME is set");
  return std::string(absolute_parent(archive)) + "/sync";
}

Result<std::unique_ptr<SyncHome>> open_sync_home(const Context& context, const Stores& stores, bool create) {
  HOLDFAST_LET(path, sync_path(stores));
  return SyncHome::open(context, *stores.settings().files, path, create);
}

Result<std::vector<Machines::Stream*>> Machines::renew(const Context& context, const Stores& stores,
                                                       std::string_view machine) {
  std::vector<Stream*> found;
  FileSystem& real = *stores.settings().files;
  auto home = open_sync_home(context, stores, false);
  std::set<std::string> known;
  bool is_known = machine == "all";
  if (home) {
    HOLDFAST_LET(remotes, (*home)->remotes(context));
    const MachineNames names(remotes);
    for (const RemoteSettings& remote : remotes) {
      HOLDFAST_LET(all, (*home)->streams(remote.name));
      for (const StreamId& id : all) {
        known.insert(names.of(id.device));
        if (!names.is_meant(machine, id)) continue;
        is_known = true;
        const std::string from = (*home)->from(remote.name, id);
        auto archive = Archive::open(context, real, from);
        if (!archive && archive.error().code == Code::not_found) continue;
        if (!archive) return fail(std::move(archive).error());
        Stream& stream = streams_[from];
        stream.machine = names.of(id.device);
        const bool is_epoch_meant = names.is_epoch_meant(machine, id);
        if (is_epoch_meant) stream.machine += epoch_suffix(id);
        stream.remote = remote.name;
        stream.id = id;
        stream.path = from;
        HOLDFAST_LET(cursor, (*home)->cursor(context, remote.name, id));
        stream.forms = std::move(cursor.forms);
        stream.replaced.clear();
        if (!is_epoch_meant) {
          HOLDFAST_LET(replaced, replaced_sessions(context, **home, remote.name, id));
          stream.replaced = std::move(replaced);
        }
        if (stream.files)
          stream.files->renew(std::move(*archive));
        else
          stream.files = std::make_unique<CapturedFiles>(real, from, std::move(*archive));
        found.push_back(&stream);
      }
    }
  } else if (home.error().code != Code::not_found) {
    return fail(std::move(home).error());
  }
  if (is_known) return found;
  std::string others;
  for (const std::string& name : known) others += (others.empty() ? "" : ", ") + name;
  return fail(Code::not_found,
              "there is no machine " + std::string(machine) + "; " +
                  (others.empty() ? "run holdfast sync to read what others share" : "known machines: " + others));
}

void Machines::add_copies(const Context& context, FileSystem& files, const std::vector<Stream*>& streams,
                          std::vector<std::unique_ptr<BlocksOf>>& blocks, Copies& copies) {
  for (const Stream* const stream : streams) {
    blocks.push_back(std::make_unique<BlocksOf>(context, files, stream->path));
    copies.add(stream->files->state(),
               {.path = stream->path,
                .read = [&its = *blocks.back()](const FileBlock& block) { return its.read(block); },
                .is_here = [stream](const CapturedSession& session) { return stream->files->holds(session); },
                .is_replaced = [stream](const CapturedPair& one) { return stream->is_replaced(one); }});
  }
}

Result<MachineView> Machines::look(const Context& context, const Stores& stores, std::string_view machine) {
  MachineView view;
  const ScopedLock lock(mutex_);
  HOLDFAST_LET(streams, renew(context, stores, machine));
  const auto own = machine == "all" ? Archive::open(context, *stores.settings().files, stores.settings().archive)
                                    : Result<std::unique_ptr<Archive>>(fail(Code::not_found, "not asked for"));
  Copies copies;
  if (own)
    copies.add((*own)->state(),
               {.read = [&](const FileBlock& block) { return read_if_there((*own)->packs(), block); }});
  std::vector<std::unique_ptr<BlocksOf>> blocks;
  add_copies(context, *stores.settings().files, streams, blocks, copies);
  std::map<std::string_view, std::vector<KnownForms>> forms;  // by device
  for (const Stream* const stream : streams)
    forms[stream->id.device].push_back({stream->files->state(), stream->forms});
  std::set<const CapturedPair*> earlier;
  for (const auto& [device, its] : forms) earlier.merge(earlier_copies(its));
  using IdsOfStores = std::map<std::pair<std::string, std::string>, std::set<std::string>>;  // by layout and root
  std::map<std::string_view, IdsOfStores> kept;                                        // by the path of the stream
  std::map<std::string_view, std::vector<const CapturedPair*>> shown;                  // by the path of the stream
  std::map<std::pair<std::string_view, SessionName>, std::set<std::uint64_t>> epochs;  // by device and session
  for (const Stream* const stream : streams) {
    for (const CapturedPair& one : stream->files->state().sessions) {
      const auto& [key, session] = one;
      if (find_layout(key.layout) == nullptr || stream->is_replaced(one) || copies.is_behind(key, session)) continue;
      if (earlier.contains(&one)) {
        if (stream->files->holds(session)) kept[stream->path][{key.layout, key.store}].insert(key.id);
        continue;
      }
      shown[stream->path].push_back(&one);
      epochs[{stream->id.device, {key.layout, key.id}}].insert(stream->id.epoch);
    }
  }
  for (Stream* const stream : streams) {
    stream->twins.clear();
    IdsOfStores here;
    for (const CapturedPair* const one : shown[stream->path]) {
      const auto& [key, session] = *one;
      const bool twin = epochs[{stream->id.device, {key.layout, key.id}}].size() > 1;
      if (twin) stream->twins.emplace(CapturedFiles::path_of(stream->path, key.layout, key.store), key.id);
      if (stream->files->holds(session))
        here[{key.layout, key.store}].insert(key.id);
      else if (!session.inner)
        view.not_here.push_back(
            {stream->machine + (twin ? epoch_suffix(stream->id) : ""), stream->remote, key, session.row});
    }
    for (const auto shelf : {Shelf::listed, Shelf::kept}) {
      for (const auto& [store, ids] : shelf == Shelf::listed ? here : kept[stream->path]) {
        stream->files->show(store.first, store.second, ids, shelf);
        StoreOptions options{.layout = store.first};
        options.roots[""] = CapturedFiles::path_of(stream->path, store.first, store.second, shelf);
        (shelf == Shelf::listed ? view.stores : view.kept).push_back(std::move(options));
      }
    }
  }
  return view;
}

std::set<std::string> Machines::homes_with(const Context& context, const Stores& stores, const std::string& machine,
                                           std::string_view layout, std::string_view id) {
  std::set<std::string> names;
  if (look(context, stores, machine)) {
    const ScopedLock lock(mutex_);
    for (const auto& [path, stream] : streams_) {
      if (stream.machine != machine) continue;
      for (const auto& [key, session] : stream.files->state().sessions) {
        if (!key.id.starts_with(id) || (!layout.empty() && key.layout != layout)) continue;
        if (stream.twins.contains({CapturedFiles::path_of(path, key.layout, key.store), key.id}))
          names.insert(machine + epoch_suffix(stream.id));
      }
    }
  }
  return names.empty() ? std::set{machine} : names;
}

Result<void> Machines::fetch_session(const Context& context, const Stores& stores, std::string_view machine,
                                     std::string_view id) {
  struct Wanted {
    std::string machine, remote;
    StreamId stream;
  };
  std::vector<Wanted> wanted;
  {
    const ScopedLock lock(mutex_);
    HOLDFAST_LET(streams, renew(context, stores, machine));
    Copies copies;
    std::vector<std::unique_ptr<BlocksOf>> blocks;
    add_copies(context, *stores.settings().files, streams, blocks, copies);
    for (const Stream* const stream : streams) {
      // What another copy represents is not shown, so it is not needed.
      const auto is_needed = [&](const CapturedPair* one) {
        return !stream->files->holds(one->second) && !stream->is_replaced(*one) &&
               !copies.is_behind(one->first, one->second);
      };
      if (std::ranges::any_of(copies_named(stream->files->state(), id), is_needed))
        wanted.push_back({stream->machine, stream->remote, stream->id});
    }
  }
  if (wanted.empty()) return {};
  HOLDFAST_LET(home, open_sync_home(context, stores, true));
  HOLDFAST_LET(held, home->lock());
  for (const Wanted& one : wanted) {
    HOLDFAST_LET(settings, home->remote(context, one.remote));
    const auto not_here = [&](const std::string& why) {
      return fail(Code::sync_transport_failed,
                  "session " + std::string(id) + " is not here; " + one.machine + " has it, but " + why);
    };
    auto remote = open_remote(context, *stores.settings().files, settings.url);
    if (!remote) return not_here("the remote " + one.remote + " cannot be reached: " + remote.error().message);
    PullReport report;
    const auto is_wanted = [&](const CaptureKey& key, const CapturedSession&) { return key.id.starts_with(id); };
    if (auto done = fetch(context, *home, settings, **remote, one.stream, is_wanted, report); !done)
      return not_here("the remote " + one.remote + " did not return it: " + done.error().message);
    if (report.missing > 0)
      return not_here(report.findings.empty() ? "the remote " + one.remote + " does not have all of it yet"
                                              : report.findings.front().consequence);
  }
  return {};
}

FileSystem* Machines::files_of(std::string_view root) {
  const ScopedLock lock(mutex_);
  for (const auto& [path, stream] : streams_)
    if (CapturedFiles::is_in(path, root)) return stream.files.get();
  return nullptr;
}

std::optional<ForeignSession> Machines::origin_of(std::string_view store, std::string_view id) {
  const std::size_t colon = store.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string layout(store.substr(0, colon));
  const ScopedLock lock(mutex_);
  for (const auto& [path, stream] : streams_) {
    if (!CapturedFiles::is_in(path, store.substr(colon + 1))) continue;
    const std::string_view root = store.substr(colon + 1);
    ForeignSession found{stream.machine, {}};
    if (std::ranges::any_of(stream.twins,
                            [&](const auto& twin) { return twin.first == root && (id.empty() || twin.second == id); }))
      found.machine += epoch_suffix(stream.id);
    for (const auto& [key, session] : stream.files->state().sessions)
      if (key.layout == layout && key.id == id) found.identity = read_origin(session.origin).identity;
    return found;
  }
  return std::nullopt;
}

}  // namespace holdfast::inline v1
