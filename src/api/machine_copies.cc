#include "api/machine_copies.h"

#include <algorithm>

#include "api/notes.h"
#include "api/session_holders.h"

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

void Copies::add(const CaptureState& state, std::string_view path, const decltype(SessionCopy::read)& read) {
  for (const auto& [key, session] : state.sessions)
    copies_[{key.layout, key.id}].push_back({path, {&key, &session, read}});
}

bool Copies::is_behind(const CaptureKey& key, const CapturedSession& session) const {
  const auto& all = copies_.at({key.layout, key.id});
  return is_behind(all, *std::ranges::find(all, &session, [](const Copy& one) { return one.copy.session; }));
}

std::map<SessionName, std::string> Copies::continued_elsewhere() const {
  std::map<SessionName, std::string> found;
  for (const auto& [name, all] : copies_) {
    const auto mine = std::ranges::find(all, std::string_view(), &Copy::path);
    if (mine == all.end() || !is_behind(all, *mine)) continue;
    found[{std::string(name.first), std::string(name.second)}] =
        JsonView(mine->copy.session->row).find("updated_at").as_string().value_or("");
  }
  return found;
}

bool Copies::is_behind(const std::vector<Copy>& all, const Copy& mine) {
  if (all.size() < 2) return false;
  const std::uint64_t size = log_bytes(mine.copy);
  return std::ranges::any_of(all, [&](const Copy& other) {
    return &other != &mine && (other.path < mine.path || log_bytes(other.copy) > size) &&
           continues(other.copy, mine.copy);
  });
}

CopiesElsewhere copies_elsewhere(const Call& call) {
  CopiesElsewhere found;
  FileSystem& files = *call.stores.settings().files;
  const auto reading = [](Archive& archive) {
    return [&archive](const FileBlock& block) { return read_if_there(archive.packs(), block); };
  };
  std::vector<std::pair<std::string, std::unique_ptr<Archive>>> archives;
  for (const KnownStream& stream : known_streams(call))
    if (auto archive = Archive::open(call.context, files, stream.path))
      archives.emplace_back(stream.path, *std::move(archive));
  if (archives.empty()) return found;
  Copies copies;
  const auto own = Archive::open(call.context, files, call.stores.settings().archive);
  if (own) copies.add((*own)->state(), {}, reading(**own));
  for (const auto& [path, archive] : archives) {
    copies.add(archive->state(), path, reading(*archive));
    for (const auto& [key, session] : archive->state().sessions)
      if (auto source = handed_off_from(JsonView(session.row)))
        found.handed_off.try_emplace({key.layout, key.id}, *std::move(source));
  }
  if (own) found.continued = copies.continued_elsewhere();
  return found;
}

}  // namespace holdfast::inline v1
