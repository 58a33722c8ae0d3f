#include "sync/earlier_epochs.h"

#include <algorithm>

#include "sync/home_notes.h"

namespace holdfast::inline v1 {

bool has_lost_lines(const CapturedSession& session) {
  return std::ranges::any_of(session.head, [](const auto& file) { return file.second->holed != 0; });
}

Result<std::set<std::string>> names_published_in(const Context& context, const SyncHome& home, const std::string& where,
                                                 std::uint64_t epoch) {
  HOLDFAST_LET(names, withdrawn_names(context, home, where));
  const auto archive = Archive::open(context, home.files(), home.published(where, epoch));
  if (!archive && archive.error().code != Code::not_found) return fail(archive.error());
  if (archive)
    for (const auto& [key, session] : (*archive)->state().sessions) names.insert(drop_name(key));
  return names;
}

Result<void> leave_epoch(const Context& context, const SyncHome& home, const std::string& remote, OwnStream& stream,
                         std::uint64_t next, const std::set<std::string>& on_the_way) {
  const std::uint64_t before = stream.epoch;
  HOLDFAST_LET(undone, home.erasures(context, remote));
  if (undone.epoch != 0 && undone.epoch != before) undone = {};
  undone.chunks.insert(on_the_way.begin(), on_the_way.end());
  if (!undone.empty()) {
    undone.epoch = before;
    HOLDFAST_TRY(home.save(context, SyncHome::left(remote, before), undone));
  }
  HOLDFAST_LET(names, names_published_in(context, home, remote, before));
  HOLDFAST_LET(earlier, earlier_names(context, home, remote));
  names.merge(earlier);
  HOLDFAST_TRY(save_earlier_names(context, home, remote, std::move(names)));
  stream.ends[before] = stream.head.seq;
  stream.epoch = next;
  stream.head = {};
  stream.content = 0;
  stream.log.reset();
  stream.told.clear();
  stream.revoked.clear();
  stream.last_op = 0;
  HOLDFAST_TRY(home.save(context, remote, stream));
  HOLDFAST_TRY(home.drop_pending(context, remote));
  HOLDFAST_TRY(home.save(context, remote, Erasures()));
  return save_withdrawn_names(context, home, remote, {});
}

Result<void> save_earlier_names(const Context& context, const SyncHome& home, const std::string& remote,
                                std::set<std::string> names) {
  if (names.empty()) return {};
  return save_earlier_epochs(context, home, remote, {.published = std::move(names)});
}

Result<std::set<std::string>> earlier_names(const Context& context, const SyncHome& home, const std::string& remote) {
  HOLDFAST_LET(known, earlier_epochs(context, home, remote));
  return std::move(known.published);
}

Result<std::map<std::string, std::set<std::uint64_t>>> still_to_forget(const Context& context, const SyncHome& home,
                                                                       const std::string& remote,
                                                                       const std::set<std::uint64_t>& stuck,
                                                                       const std::set<CaptureKey>& forgotten,
                                                                       const SharedSessions& shared, bool again) {
  std::map<std::string, std::set<std::uint64_t>> all;
  if (stuck.empty()) return all;
  HOLDFAST_LET(known, earlier_epochs(context, home, remote));
  const auto add = [&](const CaptureKey& key) {
    const std::string name = drop_name(key);
    if (!known.published.contains(name)) return;
    for (const std::uint64_t epoch : stuck)
      if (again || !known.told.contains({epoch, name})) all[name].insert(epoch);
  };
  for (const CaptureKey& key : forgotten)
    if (!shared.contains(key)) add(key);
  for (const auto& [key, one] : shared)
    if (has_lost_lines(*one.session)) add(key);
  return all;
}

Result<void> note_forgotten_earlier(const Context& context, const SyncHome& home, const std::string& remote,
                                    const SegmentContent& content) {
  std::set<std::pair<std::uint64_t, std::string>> told;
  for (const std::string& op : content.ops) told.merge(forgotten_by(op));
  if (told.empty()) return {};
  HOLDFAST_LET(known, earlier_epochs(context, home, remote));
  known.told.merge(told);
  return save_earlier_epochs(context, home, remote, known);
}

}  // namespace holdfast::inline v1
