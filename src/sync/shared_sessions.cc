#include "sync/shared_sessions.h"

#include <algorithm>

#include "archive/rewrite_archive.h"
#include "disk/steps.h"
#include "layout/belongings.h"
#include "layout/layout.h"
#include "sync/content.h"
#include "sync/project_identity.h"
#include "sync/redacted_sessions.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

bool is_same(const FileVersion& a, const FileVersion& b) {
  return a.blocks == b.blocks && a.gone == b.gone && a.mtime_ns == b.mtime_ns && a.mode == b.mode;
}

bool lies_in(const std::string& identity, const std::string& project, const ProjectShare& share) {
  return is_project_in(identity, share.identity) || is_project_in("path:" + project, "path:" + share.project);
}

bool says_less(const ProjectShare& a, const ProjectShare& b) {
  const auto amount = [](const ProjectShare& one) {
    return one.policy == "full" ? 2 : one.policy == "redacted" ? 1 : 0;
  };
  return amount(a) < amount(b);
}

}  // namespace

const ProjectShare* share_of(const RemoteSettings& settings, const std::string& identity, const std::string& project) {
  const ProjectShare* best = nullptr;
  for (const ProjectShare& share : settings.shares) {
    if (!lies_in(identity, project, share)) continue;
    if (best == nullptr) {
      best = &share;
      continue;
    }
    const bool inner = lies_in(share.identity, share.project, *best);
    const bool outer = lies_in(best->identity, best->project, share);
    if (inner == outer ? says_less(share, *best) : inner) best = &share;
  }
  return best;
}

std::size_t count_shares(const RemoteSettings& settings) {
  return static_cast<std::size_t>(
      std::ranges::count_if(settings.shares, [](const ProjectShare& one) { return one.policy != kWithheld; }));
}

UnshareResult unshare_project(RemoteSettings& settings, const std::string& identity, const std::string& project) {
  UnshareResult done;
  const ProjectShare* const now = share_of(settings, identity, project);
  done.was_shared = now != nullptr && now->policy != kWithheld;
  const auto gone = std::erase_if(settings.shares, [&](const ProjectShare& one) {
    return one.policy != kWithheld && (one.identity == identity || one.project == project || one.identity == project);
  });
  done.was_shared = done.was_shared || gone > 0;
  const ProjectShare* const outer = share_of(settings, identity, project);
  if (outer != nullptr && outer->policy != kWithheld) {
    done.part_of = outer->project;
    settings.shares.push_back({identity, project, std::string(kWithheld)});
  }
  // Withheld parts of it stay withheld: whoever shares the project again may not think of them.
  return done;
}

bool is_admitted(const SigningKey& device, const RemoteSettings& settings, const SharedAs& session) {
  if (session.policy == "redacted")
    return std::ranges::any_of(settings.shares, [&](const ProjectShare& one) {
      return one.policy == "redacted" && identity_alias(device, settings, one.identity) == session.identity;
    });
  const ProjectShare* const share = share_of(settings, session.identity, session.project);
  return share != nullptr && share->policy == session.policy;
}

SharedSessions shared_sessions(FileSystem& files, const CaptureState& state, const RemoteSettings& settings,
                               std::string_view policy) {
  SharedSessions shared;
  std::map<std::string, std::string> identities;
  const std::string machine = machine_id(files);
  for (const auto& [key, session] : state.sessions) {
    const std::string project = JsonView(session.row).find("project").as_string().value_or("");
    if (project.empty() || session.device != machine) continue;
    auto& identity = identities[project];
    if (identity.empty()) identity = project_identity(files, project);
    const ProjectShare* const best = share_of(settings, identity, project);
    if (best != nullptr && best->policy == policy)
      shared[key] = {&session, best->policy, identity, best->identity};
    else if (best == nullptr && !does(Step::sync_policy))
      shared[key] = {&session, std::string(policy), identity, identity};
  }
  return shared;
}

Capture state_since(const CaptureKey& key, const CapturedSession& now, const CapturedSession* before) {
  Capture capture{.at = now.at, .first_at = now.first_at, .session = key, .inner = now.inner, .row = now.row};
  const SessionPaths paths = captured_paths(key, now);
  for (const auto& [place, version] : now.head) {
    if (paths.is_memory(place.path)) continue;  // the agent's memory of a project stays on its machine
    FileChange change{.place = place, .version = version};
    if (version->worse) {
      auto copy = std::make_shared<FileVersion>(*version);
      copy->worse = false;
      change.version = std::move(copy);
    }
    if (before != nullptr) {
      if (const auto old = before->last.find(place); old != before->last.end()) {
        if (is_same(*old->second, *version)) continue;
        const auto& was = old->second->blocks;
        while (change.keep < was.size() && change.keep < version->blocks.size() &&
               was[change.keep] == version->blocks[change.keep])
          ++change.keep;
      }
    }
    capture.files.push_back(std::move(change));
  }
  if (before != nullptr) {
    for (const auto& [place, version] : before->last)
      if (!now.head.contains(place)) capture.files.push_back({.place = place, .version = nullptr, .moved = true});
  }
  return capture;
}

bool lost_lines(const CapturedSession& now, const CapturedSession& published) {
  return std::ranges::any_of(published.last, [&](const auto& file) {
    const auto is = now.head.find(file.first);
    return is != now.head.end() && is->second->holed != 0 &&
           forgotten_bytes(*is->second) != forgotten_bytes(*file.second);
  });
}

}  // namespace holdfast::inline v1
