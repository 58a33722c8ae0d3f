#include "api/machine_copies.h"

#include <algorithm>

#include "api/notes.h"
#include "api/session_holders.h"
#include "sync/content.h"
#include "sync/pull.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

std::optional<std::string> BlocksOf::read(const FileBlock& block) {
  if (!looked_) {
    looked_ = true;
    if (auto directory = files_.open_directory(path_, false)) {
      directory_ = *std::move(directory);
      if (auto packs = Packs::load(context_, *directory_)) packs_ = *std::move(packs);
    }
  }
  return packs_ ? read_if_there(*packs_, block) : std::nullopt;
}

std::set<const CapturedPair*> earlier_copies(const std::vector<KnownForms>& streams_of_device) {
  std::set<const CapturedPair*> earlier;
  std::set<std::pair<std::string, std::string>> forms;
  for (const KnownForms& stream : streams_of_device) forms.insert(stream.forms.begin(), stream.forms.end());
  if (forms.empty()) return earlier;
  std::map<std::string, std::vector<const CapturedPair*>> by_name;
  for (const KnownForms& stream : streams_of_device)
    for (const CapturedPair& one : stream.state.sessions) by_name[drop_name(one.first)].push_back(&one);
  const auto changed = [](const std::vector<const CapturedPair*>& copies) {
    std::string last;
    for (const CapturedPair* const one : copies)
      last = std::max(last, JsonView(one->second.row).find("updated_at").as_string().value_or(one->second.at));
    return last;
  };
  for (const auto& [full, redacted] : forms) {
    const auto its = by_name.find(full), other = by_name.find(redacted);
    if (its == by_name.end() || other == by_name.end()) continue;
    const auto& first = changed(other->second) > changed(its->second) ? its->second : other->second;
    earlier.insert(first.begin(), first.end());
  }
  return earlier;
}

void Copies::add(const CaptureState& state, const CopySource& source) {
  for (const CapturedPair& one : state.sessions) {
    if (source.is_replaced && source.is_replaced(one)) continue;
    const auto& [key, session] = one;
    copies_[{key.layout, key.id}].push_back({source.path, {&key, &session, source.read}, source.is_here});
  }
}

bool Copies::is_before(const Copy& one, const Copy& other) {
  if (one.path.empty() || other.path.empty()) return one.path < other.path;
  const bool here = !one.is_here || one.is_here(*one.copy.session);
  if (here != (!other.is_here || other.is_here(*other.copy.session))) return here;
  // The path ends in DEVICE-EPOCH.
  const auto device = [](std::string_view path) { return path.substr(0, path.rfind('-')); };
  if (device(one.path) != device(other.path)) return one.path < other.path;
  if (one.path == other.path) return one.copy.session->number > other.copy.session->number;
  return one.path.size() != other.path.size() ? one.path.size() > other.path.size() : one.path > other.path;
}

bool Copies::is_behind(const CaptureKey& key, const CapturedSession& session) const {
  const auto& all = copies_.at({key.layout, key.id});
  return is_behind(all, *std::ranges::find(all, &session, [](const Copy& one) { return one.copy.session; }));
}

std::map<SessionName, std::string> Copies::continued_elsewhere() const {
  std::map<SessionName, std::string> found;
  for (const auto& [name, all] : copies_) {
    // Of several stores, the longest.
    const auto mine = std::ranges::max_element(
        all, {}, [](const Copy& one) { return one.path.empty() ? log_bytes(one.copy) + 1 : std::uint64_t{0}; });
    if (mine == all.end() || !mine->path.empty() || !is_behind(all, *mine)) continue;
    found[{std::string(name.first), std::string(name.second)}] =
        JsonView(mine->copy.session->row).find("updated_at").as_string().value_or("");
  }
  return found;
}

bool Copies::is_behind(const std::vector<Copy>& all, const Copy& mine) {
  if (all.size() < 2) return false;
  const std::uint64_t size = log_bytes(mine.copy);
  return std::ranges::any_of(all, [&](const Copy& other) {
    return &other != &mine && (log_bytes(other.copy) > size || is_before(other, mine)) &&
           continues(other.copy, mine.copy);
  });
}

namespace {

CopySource source_of(const ReadStream& stream) {
  Archive* const archive = stream.archive.get();
  return {.path = stream.path,
          .read = [archive](const FileBlock& block) { return read_if_there(archive->packs(), block); },
          .is_here = [archive](const CapturedSession& session) { return is_here(archive->packs(), session); },
          .is_replaced = [&stream](const CapturedPair& one) { return stream.is_replaced(one); }};
}

}  // namespace

bool ReadStream::is_replaced(const CapturedPair& one) const {
  return replaced.contains(one.first) && !is_here(archive->packs(), one.second);
}

std::map<SessionName, bool> sessions_here(const std::vector<ReadStream>& streams) {
  Copies copies;
  for (const ReadStream& stream : streams) copies.add(stream.archive->state(), source_of(stream));
  std::vector<KnownForms> forms;
  for (const ReadStream& stream : streams) forms.push_back({stream.archive->state(), stream.forms});
  const auto earlier = earlier_copies(forms);
  std::map<SessionName, bool> all;
  for (const ReadStream& stream : streams) {
    for (const CapturedPair& one : stream.archive->state().sessions) {
      const auto& [key, session] = one;
      if (session.inner || earlier.contains(&one) || stream.is_replaced(one) || copies.is_behind(key, session))
        continue;
      bool& here = all.try_emplace({key.layout, key.id}, true).first->second;
      here = here && is_here(stream.archive->packs(), session);
    }
  }
  return all;
}

CopiesElsewhere copies_elsewhere(const Call& call) {
  CopiesElsewhere found;
  FileSystem& files = *call.stores.settings().files;
  std::vector<ReadStream> streams;
  for (KnownStream& stream : known_streams(call))
    if (auto archive = Archive::open(call.context, files, stream.path))
      streams.push_back({std::move(stream.path), *std::move(archive), std::move(stream.replaced)});
  if (streams.empty()) return found;
  Copies copies;
  const auto own = Archive::open(call.context, files, call.stores.settings().archive);
  if (own)
    copies.add((*own)->state(),
               {.read = [&](const FileBlock& block) { return read_if_there((*own)->packs(), block); }});
  for (const ReadStream& stream : streams) {
    copies.add(stream.archive->state(), source_of(stream));
    for (const auto& [key, session] : stream.archive->state().sessions)
      if (auto source = handed_off_from(JsonView(session.row)))
        found.handed_off.try_emplace({key.layout, key.id}, *std::move(source));
  }
  if (own) found.continued = copies.continued_elsewhere();
  return found;
}

}  // namespace holdfast::inline v1
