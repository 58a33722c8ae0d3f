// remote.share and remote.unshare: which projects go to a remote, and in which form.
#include "api/remote_shares.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "api/remote_index.h"
#include "api/remotes.h"
#include "api/sync_round.h"
#include "api/tables.h"
#include "disk/resolve.h"
#include "store/projects.h"
#include "sync/open_remote.h"
#include "sync/project_identity.h"
#include "sync/remote_keys.h"
#include "sync/shared_sessions.h"

namespace holdfast::inline v1 {
namespace {

Result<void> check_shared_project(const Call& call) {
  const std::string project = call.text("project");
  if (!project.starts_with('/') || project.size() < 2)
    return fail(Code::invalid_argument, "a project must be the absolute path of a directory", project);
  const auto there = call.stores.settings().files->open_directory(project, false);
  if (!there && there.error().code != Code::unsafe_path)  // another user's directory: the sessions are still ours
    return fail(Code::not_found, "there is no such directory", project);
  return {};
}

// Removes what is no longer shared from search now, not with the next sync.
std::string search_removal_note(const Call& call, const SyncHome& home, const RemoteSettings& settings) {
  const std::string note = withdraw_from_search(call.context, home, settings).note(settings.name);
  return note.empty() ? note : "; " + note;
}

std::string out_of_reach(const RemoteSettings& settings) {
  return std::string(kept_after_erasure(settings.url)) + " are out of reach";
}

// The shares under which sessions of a directory go to the remote. It may be gone, or have another repository by now.
Result<std::vector<ProjectShare>> shared_from(const Call& call, const SyncHome& home, const RemoteSettings& settings,
                                              const std::string& project) {
  std::vector<ProjectShare> found;
  HOLDFAST_LET(local, local_archive(call));
  if (local == nullptr) return found;
  const auto there = call.stores.settings().files->open_directory(project, false);
  const bool is_gone = !there && there.error().code == Code::not_found;
  std::set<std::string> identities;
  for (const std::string_view policy : {"full", "redacted"}) {
    HOLDFAST_LET(shared, shared_sessions(call.context, home, local->state(), settings, policy));
    for (const auto& [key, one] : shared) {
      const std::string its = project_of(*one.session);
      if (is_gone ? is_in_project(its, project, resolve_path) : is_same_project("path:" + its, "path:" + project))
        identities.insert(one.share);
    }
  }
  std::ranges::copy_if(settings.shares, std::back_inserter(found), [&](const ProjectShare& one) {
    return one.policy != kWithheld && identities.contains(one.identity);
  });
  return found;
}

// Removes the share from `settings`; returns what else to tell the person.
Result<std::string> drop_share(const Call& call, const SyncHome& home, RemoteSettings& settings) {
  const std::string project = call.project();
  const std::string identity = project_identity(*call.stores.settings().files, project);
  UnshareResult done = unshare_project(settings, identity, project);
  if (!done.was_shared) {
    HOLDFAST_LET(shares, shared_from(call, home, settings, project));
    if (shares.empty()) return fail(Code::not_found, "this project is not shared with " + settings.name, project);
    std::string besides;
    for (const ProjectShare& share : shares) {
      unshare_project(settings, share.identity, share.project);
      besides += "; sessions of this directory were shared as " + share.identity + ", which is no longer shared";
    }
    return besides;
  }
  if (done.part_of.empty()) return std::string();
  return "; it is part of " + done.part_of + ", which stays shared without it";
}

}  // namespace

Result<void> check_key(const RemoteSettings& settings) {
  if (!may_be_known_to_revoked(settings)) return {};
  const std::string device = *settings.revoked().begin();
  return fail(
      Code::conflict,
      settings.machine_of(device) +
          " was revoked, and may have the key of the recovery phrase that this remote was added with; either "
          "remove the remote and add it again with its newest phrase, or change the key once more with holdfast "
          "remote revoke " +
          settings.name + " " + device);
}

Result<std::string> would_share_with_remote(Call& call) {
  HOLDFAST_LET(remotes, requested_remotes(call, call.text("with")));
  HOLDFAST_TRY(check_key(remotes.front()));
  HOLDFAST_TRY(check_shared_project(call));
  const std::string project = call.project();
  return "share " + project + " (" + project_identity(*call.stores.settings().files, project) + ") with " +
         remotes.front().name + (call.text("policy") == "redacted" ? ", redacted" : ", in full") +
         "; the next sync sends it";
}

Result<std::string> share_with_remote(Call& call) {
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(settings, access.home->remote(call.context, call.text("with")));
  HOLDFAST_TRY(check_key(settings));
  HOLDFAST_TRY(check_shared_project(call));
  const std::string project = call.project();
  FileSystem& files = *call.stores.settings().files;
  const std::string policy = call.has("policy") ? call.text("policy") : "full";
  const std::string identity = project_identity(files, project);
  const std::string place = "path:" + project;
  const auto is_here = [&](const ProjectShare& one) { return is_same_project("path:" + one.project, place); };
  bool narrowed = false;
  std::erase_if(settings.shares, [&](const ProjectShare& one) {
    const bool same = is_same_project(one.identity, identity) || (one.policy == kWithheld && is_here(one));
    narrowed |= same && one.policy == "full" && policy == "redacted";
    return same;
  });
  std::string besides;
  for (ProjectShare& one : settings.shares) {
    if (!is_here(one)) continue;
    if (is_same_project(one.identity, place)) {  // it had no git remote then, and is still the same project
      narrowed |= one.policy == "full" && policy == "redacted";
      one.policy = policy;
    } else {
      besides += "; " + one.identity + ", which was shared from this directory before, stays shared (" + one.policy +
                 ") until you unshare this directory";
    }
  }
  settings.shares.push_back({identity, project, policy});
  settings.narrowed |= policy != "full";  // also of a part of a project that is shared in full
  HOLDFAST_TRY(access.home->save(call.context, settings));
  JsonWriter json = begin_answer();
  json.key("project").string(project).key("identity").string(identity).key("with").string(settings.name);
  json.key("policy").string(policy).key("note");
  json.string(narrowed ? "the next holdfast sync erases what was shared in full, names the machines that have read it, "
                         "and sends it redacted; " +
                             out_of_reach(settings) + search_removal_note(call, *access.home, settings) + besides
                       : "run holdfast sync to send it" + besides);
  return json.end_object().take();
}

Result<std::string> would_unshare_with_remote(Call& call) {
  HOLDFAST_LET(remotes, requested_remotes(call, call.text("with")));
  HOLDFAST_LET(home, open_sync_home(call.context, call.stores, false));
  HOLDFAST_LET(besides, drop_share(call, *home, remotes.front()));
  return "stop sharing " + call.text("project") + " with " + remotes.front().name +
         "; the next sync erases what was shared there" + besides;
}

Result<std::string> unshare_with_remote(Call& call) {
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(settings, access.home->remote(call.context, call.text("with")));
  HOLDFAST_LET(besides, drop_share(call, *access.home, settings));
  const std::string project = call.text("project");
  HOLDFAST_TRY(access.home->save(call.context, settings));
  JsonWriter json = begin_answer();
  json.key("project").string(project).key("with").string(settings.name).key("note");
  json.string("the next holdfast sync erases what was shared there, and names the machines that have read it; " +
              out_of_reach(settings) + besides + search_removal_note(call, *access.home, settings));
  return json.end_object().take();
}

}  // namespace holdfast::inline v1
