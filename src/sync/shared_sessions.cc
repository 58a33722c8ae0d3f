#include "sync/shared_sessions.h"

#include <algorithm>
#include <optional>

#include "archive/rewrite_archive.h"
#include "disk/steps.h"
#include "layout/belongings.h"
#include "layout/json_pick_checked.h"
#include "layout/layout.h"
#include "sync/content.h"
#include "sync/project_identity.h"
#include "sync/redacted_sessions.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kPathIdentity = "path:";

bool is_same(const FileVersion& a, const FileVersion& b) {
  return a.blocks == b.blocks && a.gone == b.gone && a.mtime_ns == b.mtime_ns && a.mode == b.mode;
}

// How a project belongs to a share.
struct ShareMatch {
  std::size_t levels;  // directories between the two
  bool by_identity;
};

// A share names a project, not the directory that it was shared from: another repository may be there by now. Without a
// git remote the directory is the project, with the repositories in it. What is withheld stays so under any identity.
// With `around`, everything in the directory of a share belongs to it.
std::optional<ShareMatch> match_share(const ProjectShare& share, const std::string& identity,
                                      const std::string& project, bool around) {
  if (const auto levels = levels_below(identity, share.identity)) return ShareMatch{*levels, true};
  const bool by_path = share.identity.starts_with(kPathIdentity);
  if (!by_path && share.policy != kWithheld && !around) return std::nullopt;
  const std::string path(kPathIdentity);
  const auto levels = levels_below(path + project, by_path ? share.identity : path + share.project);
  return levels ? std::optional(ShareMatch{*levels, false}) : std::nullopt;
}

bool says_less(const ProjectShare& a, const ProjectShare& b) {
  const auto amount = [](const ProjectShare& one) {
    return one.policy == "full" ? 2 : one.policy == "redacted" ? 1 : 0;
  };
  return amount(a) < amount(b);
}

const ProjectShare* find_share(const RemoteSettings& settings, const std::string& identity, const std::string& project,
                               bool around) {
  const ProjectShare* best = nullptr;
  std::optional<ShareMatch> how;
  for (const ProjectShare& share : settings.shares) {
    const auto match = match_share(share, identity, project, around);
    if (!match) continue;
    bool better = best == nullptr || says_less(share, *best);
    if (how && match->by_identity != how->by_identity) better = match->by_identity;
    if (how && match->levels != how->levels) better = match->levels < how->levels;
    if (!better) continue;
    best = &share;
    how = match;
  }
  return best;
}

}  // namespace

std::string project_of(const CapturedSession& session) { return text_of(pick_checked<1>(session.row, {"project"})[0]); }

const ProjectShare* share_of(const RemoteSettings& settings, const std::string& identity, const std::string& project) {
  return find_share(settings, identity, project, false);
}

std::size_t count_shares(const RemoteSettings& settings) {
  return static_cast<std::size_t>(
      std::ranges::count_if(settings.shares, [](const ProjectShare& one) { return one.policy != kWithheld; }));
}

UnshareResult unshare_project(RemoteSettings& settings, const std::string& identity, const std::string& project) {
  UnshareResult done;
  // What was published from this directory may belong to another project than what is there now.
  const ProjectShare* const now = find_share(settings, identity, project, true);
  done.was_shared = now != nullptr && now->policy != kWithheld;
  const auto gone = std::erase_if(settings.shares, [&](const ProjectShare& one) {
    return one.policy != kWithheld && (is_same_project(one.identity, identity) || one.identity == project ||
                                       is_same_project("path:" + one.project, "path:" + project));
  });
  done.was_shared = done.was_shared || gone > 0;
  settings.narrowed |= done.was_shared;
  const ProjectShare* const outer = find_share(settings, identity, project, true);
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

namespace {

// How the sessions of this home were published. Earlier epochs count for what the current one does not have: it may
// just have begun.
class ProjectsBefore {
 public:
  static Result<ProjectsBefore> load(const Context& context, const SyncHome& home, const RemoteSettings& settings) {
    HOLDFAST_LET(device, home.device(context));
    ProjectsBefore before(std::move(device), settings);
    HOLDFAST_LET(own, home.own_stream(context, settings.name));
    auto current = Archive::open(context, home.files(), home.published(settings.name, own.epoch));
    if (!current && current.error().code != Code::not_found) return fail(current.error());
    if (current) before.current_ = *std::move(current);
    for (auto epoch = own.left.rbegin(); epoch != own.left.rend(); ++epoch)
      for (const std::string& where : {SyncHome::left(settings.name, *epoch), settings.name})
        if (const auto left = Archive::open(context, home.files(), home.published(where, *epoch)))
          for (const auto& [key, session] : (*left)->state().sessions)
            if (!before.in_current(key)) before.earlier_.try_emplace(key, shared_as(session));
    return before;
  }

  // The identity of the project under which a session was published; empty if there is none, or if the session has
  // another directory now.
  std::string of(const CaptureKey& key, const std::string& project) const {
    if (const auto was = published(key)) return was->project == project ? was->identity : std::string();
    const auto hidden = published(redacted_key(device_, settings_, key));
    const auto share = hidden ? shares_.find(hidden->identity) : shares_.end();
    return share == shares_.end() ? std::string() : share->second;
  }

 private:
  ProjectsBefore(SigningKey device, const RemoteSettings& settings) : device_(std::move(device)), settings_(settings) {
    for (const ProjectShare& one : settings.shares)
      shares_[identity_alias(device_, settings, one.identity)] = one.identity;
  }

  static SharedAs shared_as(const CapturedSession& session) {
    OpOrigin origin = read_origin(session.origin);
    return {std::move(origin.policy), std::move(origin.identity), project_of(session)};
  }
  const CapturedSession* in_current(const CaptureKey& key) const {
    if (current_ == nullptr) return nullptr;
    const auto found = current_->state().sessions.find(key);
    return found == current_->state().sessions.end() ? nullptr : &found->second;
  }
  std::optional<SharedAs> published(const CaptureKey& key) const {
    if (const CapturedSession* const session = in_current(key)) return shared_as(*session);
    const auto found = earlier_.find(key);
    return found == earlier_.end() ? std::nullopt : std::optional(found->second);
  }

  SigningKey device_;
  const RemoteSettings& settings_;
  std::unique_ptr<Archive> current_;           // of the current epoch; nullptr: none
  std::map<CaptureKey, SharedAs> earlier_;     // what only earlier ones have, as the last of them has it
  std::map<std::string, std::string> shares_;  // identities of shares, by their aliases
};

struct ProjectNow {
  std::string identity;
  const ProjectShare* share;
};

// Whether state_since() would find nothing new.
bool is_same(const CapturedSession& now, const CapturedSession& before) {
  return now.row == before.row && now.head.size() == before.last.size() &&
         std::ranges::equal(now.head, before.last, [](const auto& a, const auto& b) {
           return a.first == b.first && !a.second->worse && is_same(*a.second, *b.second);
         });
}

}  // namespace

Result<SharedSessions> shared_sessions(const Context& context, const SyncHome& home, const CaptureState& state,
                                       const RemoteSettings& settings, std::string_view policy) {
  SharedSessions shared;
  const bool is_used = std::ranges::any_of(settings.shares, [&](const auto& one) { return one.policy == policy; });
  if (!is_used && does(Step::sync_policy)) return shared;
  HOLDFAST_LET(before, ProjectsBefore::load(context, home, settings));
  std::map<std::string, ProjectNow> projects;
  for (const auto& [key, session] : state.sessions) {
    const std::string project = project_of(session);
    if (project.empty()) continue;
    auto known = projects.find(project);
    if (known == projects.end()) {
      std::string now = project_identity(home.files(), project);
      const ProjectShare* const share = share_of(settings, now, project);
      known = projects.emplace(project, ProjectNow{std::move(now), share}).first;
    }
    std::string identity = known->second.identity;
    const ProjectShare* best = known->second.share;
    // What was published stays with its project, whatever its directory is now. A path is no such project: a directory
    // that was shared by its path is what it is now.
    const std::string then = before.of(key, project);
    const bool stays = !then.empty() && !then.starts_with(kPathIdentity) && !is_project_in(identity, then);
    if (stays || (best == nullptr && !then.empty())) {
      if (const ProjectShare* const its = share_of(settings, then, project)) {
        best = its;
        identity = then;
      }
    }
    if (best != nullptr && best->policy == policy)
      shared.emplace_hint(shared.end(), key, SharedSession{&session, best->policy, identity, best->identity});
    else if (best == nullptr && !does(Step::sync_policy))
      shared[key] = {&session, std::string(policy), identity, identity};
  }
  return shared;
}

Capture state_since(const CaptureKey& key, const CapturedSession& now, const CapturedSession* before) {
  Capture capture{.at = now.at, .first_at = now.first_at, .session = key, .inner = now.inner, .row = now.row};
  if (before != nullptr && is_same(now, *before)) return capture;
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
