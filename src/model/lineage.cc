#include "model/lineage.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace holdfast::inline v1 {
namespace {

// When a session began. A copy's messages are older than the copy, so without a time of its own we use the last
// message: work on an original stopped before its copy continued.
std::string_view began(const LineageFacts& session) {
  return session.began_at.empty() ? session.updated_at : session.began_at;
}

bool before(const LineageFacts& a, const LineageFacts& b) {
  return began(a) != began(b) ? began(a) < began(b) : a.id < b.id;
}

// Two sessions are rarely related: check that first, without a map.
bool are_strangers(std::span<const LineageFacts> sessions, std::string_view LineageFacts::* key) {
  std::vector<std::size_t> hashes;
  hashes.reserve(sessions.size());
  for (const LineageFacts& session : sessions) {
    if (!(session.*key).empty()) hashes.push_back(std::hash<std::string_view>()(session.*key));
  }
  std::ranges::sort(hashes);
  return std::ranges::adjacent_find(hashes) == hashes.end();
}

void relate(std::span<const LineageFacts> sessions, std::string_view LineageFacts::* key, ParentKind kind,
            std::vector<std::optional<CopyOf>>& copies) {
  if (are_strangers(sessions, key)) return;
  std::unordered_map<std::string_view, std::size_t> origins;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if ((sessions[i].*key).empty()) continue;
    const auto [origin, first] = origins.try_emplace(sessions[i].*key, i);
    if (!first && before(sessions[i], sessions[origin->second])) origin->second = i;
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const LineageFacts& session = sessions[i];
    if ((session.*key).empty() || session.names_parent || copies[i]) continue;
    const std::size_t origin = origins.find(session.*key)->second;
    if (origin != i && sessions[origin].id != session.id) copies[i] = CopyOf{origin, kind};
  }
}

}  // namespace

LineageFacts LineageFacts::of(const Session& session) {
  const Lineage& lineage = session.lineage;
  return {session.id,       session.updated_at,        lineage.first_message, lineage.first_response,
          lineage.began_at, session.parent.has_value()};
}

std::vector<std::optional<CopyOf>> find_copies(std::span<const LineageFacts> sessions) {
  std::vector<std::optional<CopyOf>> copies(sessions.size());
  relate(sessions, &LineageFacts::first_message, ParentKind::fork, copies);
  relate(sessions, &LineageFacts::first_response, ParentKind::resume, copies);
  return copies;
}

void infer_parents(std::span<Session> sessions) {
  std::vector<LineageFacts> all;
  for (const Session& session : sessions) all.push_back(LineageFacts::of(session));
  const auto copies = find_copies(all);
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (copies[i]) sessions[i].parent = Parent{sessions[copies[i]->origin].id, copies[i]->kind, {}};
  }
}

}  // namespace holdfast::inline v1
