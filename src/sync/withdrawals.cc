#include "sync/withdrawals.h"

#include "sync/content.h"
#include "sync/redacted_sessions.h"

namespace holdfast::inline v1 {

Withdrawals withdrawals(const decltype(CaptureState::sessions)& published, const SharedSessions& shared) {
  Withdrawals found;
  for (const auto& [key, session] : published) {
    const auto now = shared.find(key);
    if (now == shared.end() || now->second.policy != read_origin(session.origin).policy)
      found.withdrawn.insert(key);
    else if (lost_lines(*now->second.session, session))
      found.cut.insert(key);
  }
  return found;
}

Result<Withdrawals> expected_withdrawals(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                         const CaptureState& local) {
  HOLDFAST_LET(own, home.own_stream(context, settings.name));
  const auto published = Archive::open(context, home.files(), home.published(settings.name, own.epoch));
  if (!published && published.error().code == Code::not_found) return Withdrawals();
  if (!published) return fail(published.error());
  HOLDFAST_LET(device, home.device(context));
  HOLDFAST_LET(shared, shared_sessions(context, home, local, settings));
  HOLDFAST_LET(redacted, shared_sessions(context, home, local, settings, "redacted"));
  for (auto& [key, session] : redacted) shared[redacted_key(device, settings, key)] = std::move(session);
  return withdrawals((*published)->state().sessions, shared);
}

}  // namespace holdfast::inline v1
