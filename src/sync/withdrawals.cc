#include "sync/withdrawals.h"

#include "archive/forgotten.h"
#include "sync/content.h"
#include "sync/redacted_sessions.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

Withdrawals withdrawals(const PublishedSessions& published, const SharedSessions& shared) {
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

PublishedSessions kept_there(const SigningKey& device, const RemoteSettings& settings, const KnownHere& known,
                             const PublishedSessions& published) {
  PublishedSessions kept;
  for (const auto& [key, session] : published) {
    if (known.contains(key)) continue;
    const OpOrigin origin = read_origin(session.origin);
    if (origin.policy == "redacted" && !has_current_redaction(session.row)) continue;
    const std::string project = project_of(session);
    if (is_admitted(device, settings, {origin.policy, origin.identity, project})) kept.emplace(key, session);
  }
  return kept;
}

void share_kept(const PublishedSessions& kept, SharedSessions& shared) {
  for (const auto& [key, session] : kept) {
    const OpOrigin origin = read_origin(session.origin);
    shared.try_emplace(key, SharedSession{&session, origin.policy, origin.identity, origin.identity});
  }
}

KnownHere known_here(const std::vector<SigningKey>& devices, const RemoteSettings& settings, const CaptureState& local,
                     const std::set<CaptureKey>& forgotten, bool redacted) {
  KnownHere known{&local, forgotten};
  if (!redacted) return known;
  for (const SigningKey& device : devices) {
    for (const auto& [key, session] : local.sessions) known.others.insert(redacted_key(device, settings, key));
    for (const CaptureKey& key : forgotten) known.others.insert(redacted_key(device, settings, key));
  }
  return known;
}

Result<Withdrawals> expected_withdrawals(const Context& context, const SyncHome& home, const RemoteSettings& settings,
                                         Archive& local) {
  HOLDFAST_LET(own, home.own_stream(context, settings.name));
  const auto published = Archive::open(context, home.files(), home.published(settings.name, own.epoch));
  if (!published && published.error().code == Code::not_found) return Withdrawals();
  if (!published) return fail(published.error());
  HOLDFAST_LET(devices, home.devices(context));
  HOLDFAST_LET(device, home.device(context));
  HOLDFAST_LET(shared, shared_sessions(context, home, local.state(), settings));
  HOLDFAST_LET(redacted, shared_sessions(context, home, local.state(), settings, "redacted"));
  for (auto& [key, session] : redacted) shared[redacted_key(device, settings, key)] = std::move(session);
  HOLDFAST_LET(forgotten, load_forgotten(context, local.directory()));
  const PublishedSessions& there = (*published)->state().sessions;
  const PublishedSessions kept =
      kept_there(device, settings, known_here(devices, settings, local.state(), forgotten.sessions, true), there);
  share_kept(kept, shared);
  return withdrawals(there, shared);
}

}  // namespace holdfast::inline v1
