#include "model/lineage.h"

#include <unordered_map>

namespace holdfast::inline v1 {
namespace {

// When a session began. A copy's messages are older than itself, so without its
// own word the last message has to do: an origin was left before its copy went on.
std::string_view began(const Session& session) {
  return session.lineage.began_at.empty() ? session.updated_at : session.lineage.began_at;
}

bool before(const Session& a, const Session& b) { return began(a) != began(b) ? began(a) < began(b) : a.id < b.id; }

void relate(std::span<Session> sessions, std::string Lineage::* key, ParentKind kind) {
  std::unordered_map<std::string_view, const Session*> origins;
  for (const Session& session : sessions) {
    const std::string& name = session.lineage.*key;
    if (name.empty()) continue;
    const Session*& origin = origins[name];
    if (origin == nullptr || before(session, *origin)) origin = &session;
  }
  for (Session& session : sessions) {
    const std::string& name = session.lineage.*key;
    if (name.empty() || session.parent) continue;
    const Session* const origin = origins[name];
    if (origin != &session && origin->id != session.id) session.parent = Parent{origin->id, kind, {}};
  }
}

}  // namespace

void infer_parents(std::span<Session> sessions) {
  relate(sessions, &Lineage::first_message, ParentKind::fork);
  relate(sessions, &Lineage::first_response, ParentKind::resume);
}

}  // namespace holdfast::inline v1
