#include "rules/queue/receive.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/sort_stably.h"
#include "disk/staged.h"
#include "layout/change.h"
#include "rules/queue/directory_transport.h"
#include "rules/queue/drain.h"
#include "rules/queue/queue_storage.h"
#include "store/engine.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kTogether = 500;  // parcels of one owner per commit

class Reception {
 public:
  Reception(const Context& context, Directory& directory, FileStore& into, const SyncMap& map)
      : context_(context), directory_(directory), into_(into), map_(map) {}

  Result<void> take_origin(const std::string& origin) {
    HOLDFAST_LET(entries, directory_.list(origin));
    for (const DirectoryEntry& entry : entries) {
      HOLDFAST_TRY(context_.check());
      if (entry.kind == FileKind::directory) HOLDFAST_TRY(take_subject(origin + "/" + entry.name, entry.name));
    }
    for (auto& [owner, parcels] : by_owner_) {
      if (deleted_.contains(owner)) {
        // What belonged to something deleted must not come back. Lines go with their
        // log; each document has a parcel of its own.
        if (map_.derived()) continue;
        std::erase_if(parcels, [](const Taken& taken) { return taken.parcel.payload.has_value(); });
      }
      HOLDFAST_TRY(apply_owner(parcels));
    }
    by_owner_.clear();
    deleted_.clear();
    return {};
  }

  ReceivedParcels done;

 private:
  // Takes the newest parcel of a subject. A sender that replaces it at this moment has
  // removed the one that was listed: list again.
  Result<void> take_subject(const std::string& folder, const std::string& item) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      HOLDFAST_LET(entries, directory_.list(folder));
      std::optional<ParcelName> newest;
      for (const DirectoryEntry& entry : entries) {
        auto name = parcel_name(entry.name);
        if (name && (!newest || name->number > newest->number)) newest = std::move(name);
      }
      if (!newest) return {};  // crash before the first parcel
      const std::string path = folder + "/" + parcel_file(*newest);
      auto text = read_whole(directory_, path);
      if (!text && text.error().code == Code::not_found) continue;
      if (!text) return fail(std::move(text).error());
      ++done.parcels;
      if (sha256_hex(*text) != newest->hash)
        return leave_out(path, "corrupt", "its bytes do not match the hash in its name");
      auto parcel = parse_parcel(*text);
      if (!parcel) return leave_out(path, code_name(parcel.error().code), parcel.error().message);
      if (parcel->layout != into_.layout_name())
        return leave_out(path, "unsupported", "it comes from a store of layout " + parcel->layout);
      if (parcel->item != item) return leave_out(path, "corrupt", "it is the parcel of another item");
      HOLDFAST_TRY(find_owner(*parcel));
      if (!parcel->payload && parcel->subject.entity != "message") deleted_.insert(parcel->subject.id);
      by_owner_[parcel->subject.owner].push_back({path, std::move(*parcel)});
      return {};
    }
    return {};
  }

  // The sender of a deletion no longer knew the owner; find it by the item's id.
  Result<void> find_owner(Parcel& parcel) {
    if (parcel.payload || !parcel.subject.owner.empty() || map_.derived()) return {};
    DirectoryFeed feed(context_, into_.roots().directories());
    HOLDFAST_LET(all, map_.subjects(feed, parcel.subject.entity, parcel.subject.id));
    for (SyncSubject& one : all) {
      if (sync_item_id(one) == parcel.item) parcel.subject = std::move(one);
    }
    return {};
  }

  Result<void> leave_out(const std::string& path, std::string_view kind, std::string_view why) {
    done.findings.push_back({.file = path, .kind = std::string(kind), .consequence = "left out: " + std::string(why)});
    return {};
  }

  struct Taken {
    std::string path;
    Parcel parcel;
  };

  Result<void> apply_owner(std::vector<Taken>& parcels) {
    sort_stably(parcels,
                [](const Taken& a, const Taken& b) { return a.parcel.subject.order < b.parcel.subject.order; });
    for (std::size_t from = 0; from < parcels.size(); from += kTogether) {
      const std::span<const Taken> some(parcels.data() + from, std::min(kTogether, parcels.size() - from));
      auto applied = apply(some);
      if (applied) continue;
      if (applied.error().code == Code::not_found)
        return leave_out(some.front().path, "not_found", applied.error().message);
      if (!is_of_parcel(applied.error().code)) return applied;
      // One of them is bad: apply each by itself.
      for (const Taken& one : some) {
        auto alone = apply({&one, 1});
        if (alone) continue;
        if (!is_of_parcel(alone.error().code)) return alone;
        HOLDFAST_TRY(leave_out(one.path, code_name(alone.error().code), alone.error().message));
      }
    }
    return {};
  }

  static bool is_of_parcel(Code code) {
    return code == Code::corrupt || code == Code::unsafe_path || code == Code::invalid_record ||
           code == Code::schema_version_mismatch;
  }

  Result<void> apply(std::span<const Taken> some) {
    std::vector<ReceivedSubject> received;
    for (const Taken& taken : some) received.push_back({taken.parcel.subject, taken.parcel.payload});
    std::size_t news = 0;
    HOLDFAST_TRY(into_.change_as_received(context_, [&](DirectoryFeed& feed) -> Result<Changes> {
      HOLDFAST_LET(changes, map_.receive(feed, received));
      news = 0;
      for (const Change& change : changes.list())
        news += change.kind == ChangeKind::append ? change.lines.size() : std::size_t{1};
      return changes;
    }));
    done.changes += news;
    return {};
  }

  const Context& context_;
  Directory& directory_;
  FileStore& into_;
  const SyncMap& map_;
  std::map<std::string, std::vector<Taken>, std::less<>> by_owner_;  // "" first: sessions before their messages
  std::set<std::string, std::less<>> deleted_;
};

}  // namespace

Result<ReceivedParcels> receive_directory(const Context& context, FileSystem& files, const std::string& directory,
                                          Store& into, const ReceiveOptions& options) {
  HOLDFAST_LET(map, sync_map_of(into));
  HOLDFAST_LET(engine, engine_of(into));
  HOLDFAST_LET(ours, origin_of(context, into));
  HOLDFAST_LET(opened, files.open_directory(directory, false));
  HOLDFAST_TRY(check_sync_directory(*opened));
  Reception reception(context, *opened, *engine, *map);
  HOLDFAST_LET(entries, opened->list(""));
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind != FileKind::directory || entry.name.starts_with('.') || entry.name == ours) continue;
    if (options.origin.empty() || entry.name == options.origin) HOLDFAST_TRY(reception.take_origin(entry.name));
  }
  if (reception.done.changes != 0) HOLDFAST_TRY(engine->rebuild_indexes(context));
  return std::move(reception.done);
}

}  // namespace holdfast::inline v1
