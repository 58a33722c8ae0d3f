// remote.*: places through which machines share sessions, and what is shared there. By default, nothing is.
#include <algorithm>
#include <iterator>

#include "api/call.h"
#include "api/machines.h"
#include "api/remote_index.h"
#include "api/remote_removal.h"
#include "api/remote_shares.h"
#include "api/remotes.h"
#include "api/tables.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "sync/charter.h"
#include "sync/check_own_stream.h"
#include "sync/home_notes.h"
#include "sync/open_remote.h"
#include "sync/postgres_address.h"
#include "sync/postgres_remote.h"
#include "sync/read_by.h"
#include "sync/remote_abilities.h"
#include "sync/remote_keys.h"
#include "sync/run_sync.h"

namespace holdfast::inline v1 {

namespace {

constexpr auto kLockWait = std::chrono::seconds(5);
constexpr auto kLockPause = std::chrono::milliseconds(20);

Failure no_remote_yet() {
  return fail(Code::not_found, "there is no remote yet; add one with holdfast remote add NAME dir:/path");
}

}  // namespace

Result<std::vector<RemoteSettings>> requested_remotes(const Call& call, std::string_view name) {
  const auto home = open_sync_home(call.context, call.stores, false);
  if (!home && home.error().code == Code::not_found) return no_remote_yet();
  if (!home) return fail(home.error());
  if (!name.empty()) {
    HOLDFAST_LET(one, (*home)->remote(call.context, std::string(name)));
    return std::vector<RemoteSettings>{std::move(one)};
  }
  HOLDFAST_LET(all, (*home)->remotes(call.context));
  if (all.empty()) return no_remote_yet();
  return all;
}

Result<SyncAccess> open_sync(const Call& call, bool create) {
  HOLDFAST_LET(path, sync_path(call.stores));
  FileSystem& files = *call.stores.settings().files;
  if (!create) {
    if (const auto there = files.open_directory(path, false); !there && there.error().code == Code::not_found)
      return no_remote_yet();
  }
  SyncAccess access;
  HOLDFAST_LET(home, open_sync_home(call.context, call.stores, true));
  access.home = std::move(home);
  // sync --watch takes the lock from time to time, but holds it only briefly.
  for (const auto until = call.context.clock->ticks() + kLockWait;;) {
    auto lock = access.home->lock();
    if (lock) {
      access.lock = std::move(*lock);
      return access;
    }
    if (lock.error().code != Code::busy || call.context.clock->ticks() >= until) return fail(std::move(lock).error());
    HOLDFAST_TRY(call.context.check());
    call.context.clock->sleep(kLockPause);
  }
}

namespace {

constexpr std::size_t kMaxMachineName = 64;

// The default name of this machine.
std::string host_name(FileSystem& files) {
  std::string name(256, '\0');
  const auto etc = files.open_directory("/etc", false);
  const auto file = etc ? (*etc)->open("hostname", OpenMode::read) : Result<std::unique_ptr<File>>(fail(etc.error()));
  name.resize(file ? (*file)->read_at(0, name).value_or(0) : 0);
  name.resize(std::min(name.find('\n'), name.size()));
  return is_safe_name(name) ? name : "machine";
}

// A missing directory is not created: if a share is not mounted, or its name is mistyped, a remote on the local disk
// would look like one that other machines can reach.
Result<void> check_directory(FileSystem& files, const std::string& url) {
  if (!url.starts_with("dir:/")) return {};
  const std::string path = url.substr(4);
  const auto there = files.open_directory(path, false);
  if (there || there.error().code != Code::not_found) return {};
  return fail(Code::not_found,
              "there is no such directory; is the share mounted? A new remote needs an existing directory", path);
}

// What to do about a key that revoked devices may know; empty if there is nothing to do.
std::string old_key_note(const RemoteSettings& settings) {
  const auto known = check_key(settings);
  return known ? std::string() : "; nothing can be shared yet: " + known.error().message;
}

struct Joined {
  Charter charter;
  std::string secret;               // if the remote is encrypted
  std::vector<LaterKey> keys = {};  // keys that replaced it later
  bool founded = false;
};

// A program that copies files may copy the published streams before the charter of the remote. A charter created in the
// meantime would make a second remote in the same folder, perhaps one that is not encrypted.
Result<void> check_no_streams(const Call& call, Remote& remote) {
  HOLDFAST_LET(published, has_streams(call.context, remote));
  if (!published) return {};
  return fail(Code::sync_transport_failed,
              "machines have published here, but holdfast-remote.json, which identifies the remote, is missing: wait "
              "until it has been copied here, or restore it; a new remote needs another directory",
              remote.place());
}

Result<Joined> found_or_join(const Call& call, const SyncHome& home, Remote& remote) {
  Joined joined;
  for (int tries = 0; tries < 3; ++tries) {
    HOLDFAST_LET(text, remote.charter(call.context));
    if (text) {
      HOLDFAST_LET(charter, read_charter(*text));
      joined.charter = std::move(charter);
      break;
    }
    HOLDFAST_TRY(check_no_streams(call, remote));
    if (call.has("recover"))
      return fail(Code::not_found, "there is no remote to recover; leave out --recover to create a new one",
                  remote.place());
    joined.charter = {.id = to_hex(random_secret(16)), .made_at = iso8601(call.context.clock->now())};
    joined.charter.encrypt = call.flag("encrypt");
    joined.secret.clear();
    if (joined.charter.encrypt) {
      joined.secret = random_secret(kPhraseBytes);
      joined.charter.check = key_check(remote_key(joined.secret, joined.charter.id), joined.charter.id);
    }
    HOLDFAST_LET(outcome, remote.found(call.context, write_charter(joined.charter)));
    joined.founded = outcome == RemoteOutcome::done;
    if (joined.founded) return joined;
    joined.secret.clear();
  }
  if (joined.charter.id.empty()) return fail(Code::sync_transport_failed, "the remote has no charter", remote.place());
  if (!joined.charter.encrypt) {
    if (call.flag("encrypt"))
      return fail(Code::conflict,
                  "this remote already exists and is not encrypted; an encrypted one needs another place",
                  remote.place());
    if (call.has("recover"))
      return fail(Code::conflict,
                  "this remote is not encrypted, so no recovery phrase belongs to it: check that this is the right "
                  "place; what is shared here can be read by everybody who can read it",
                  remote.place());
    return joined;
  }
  if (!call.has("recover"))
    return fail(Code::invalid_argument,
                "this remote is encrypted: add it with --recover - and type its recovery phrase", remote.place());
  HOLDFAST_LET(secret, read_recovery_phrase(call.text("recover")));
  joined.secret = secret;
  if (key_check(remote_key(secret, joined.charter.id), joined.charter.id) == joined.charter.check) return joined;
  HOLDFAST_LET(removed, removed_remote(call.context, home, joined.charter.id));
  HOLDFAST_LET(all, earlier_secrets(call.context, remote, joined.charter, secret, removed.key.earlier));
  if (!all) return fail(Code::invalid_argument, "this is the recovery phrase of another remote", remote.place());
  joined.secret = all->front();
  for (const std::string& later : std::span(*all).subspan(1)) joined.keys.push_back({.secret = later, .write = true});
  return joined;
}

// Only the person may decide that a server need not prove its identity, not an address that somebody gave them.
Result<void> apply_insecure(const Call& call, std::string& url) {
  if (!is_postgres_address(url)) {
    if (!call.flag("allow_insecure")) return {};
    return fail(Code::invalid_argument, "--allow-insecure is only for PostgreSQL addresses");
  }
  HOLDFAST_LET(address, read_postgres_address(url));
  if (address.allow_insecure && !call.flag("allow_insecure"))
    return fail(Code::invalid_argument,
                "the address contains allow_insecure=true, so any server could answer for this one; leave it out, or "
                "add --allow-insecure if you want this",
                address.place);
  if (call.flag("allow_insecure") && !address.allow_insecure)
    url += std::string(url.contains('?') ? "&" : "?") + "allow_insecure=true";
  return {};
}

// The remote to add, as far as it can be checked without writing.
struct NewRemote {
  std::string name, url, machine;
};

Result<NewRemote> new_remote(const Call& call) {
  std::string name = call.text("name");
  std::string url = call.text("url");
  HOLDFAST_TRY(apply_insecure(call, url));
  if (!is_safe_name(name) || name == "all")
    return fail(Code::invalid_argument, "not a valid name for a remote: " + name);
  std::string machine = call.has("as") ? call.text("as") : host_name(*call.stores.settings().files);
  // Lists use "here" for this machine, and --machine takes "all" for every machine.
  if (machine == "here" || machine == "all")
    return fail(Code::invalid_argument,
                "not a valid name for a machine: " + machine + " is reserved; choose another name with --as");
  if (!is_safe_name(machine) || machine.size() > kMaxMachineName)
    return fail(Code::invalid_argument, "not a valid name for a machine: " + machine);
  HOLDFAST_TRY(check_directory(*call.stores.settings().files, url));
  return NewRemote{std::move(name), std::move(url), std::move(machine)};
}

Failure known_already(const std::string& name) {
  return fail(Code::already_exists, "remote " + name + " already exists; see holdfast remote list");
}

Result<std::string> would_add(Call& call) {
  HOLDFAST_LET(meant, new_remote(call));
  if (const auto known = requested_remotes(call, meant.name)) return known_already(meant.name);
  HOLDFAST_LET(remote, open_remote(call.context, *call.stores.settings().files, meant.url));
  HOLDFAST_LET(charter, remote->charter(call.context));
  if (!charter) HOLDFAST_TRY(check_no_streams(call, *remote));
  return (charter ? "join the remote at " : "create a new remote at ") + remote->place() + " as " + meant.machine +
         ", sharing nothing yet";
}

Result<std::string> add(Call& call) {
  HOLDFAST_LET(meant, new_remote(call));
  const auto& [name, url, machine] = meant;
  HOLDFAST_LET(access, open_sync(call, true));
  if (access.home->remote(call.context, name)) return known_already(name);
  HOLDFAST_LET(remote, open_remote(call.context, *call.stores.settings().files, url));
  HOLDFAST_LET(joined, found_or_join(call, *access.home, *remote));
  HOLDFAST_LET(others, access.home->remotes(call.context));
  for (const RemoteSettings& other : others)
    if (other.id == joined.charter.id)
      return fail(Code::already_exists, "this remote is already known as " + other.name);
  RemoteSettings settings{name, url, joined.charter.id};
  settings.secret = joined.secret;
  settings.keys = joined.keys;
  settings.machine = machine;
  HOLDFAST_LET(was_here, resume_removed(call.context, *access.home, settings, *remote));
  HOLDFAST_LET(key, access.home->device(call.context));
  JsonWriter json = begin_answer();
  json.key("name").string(name).key("url").string(url).key("id").string(settings.id).key("machine").string(machine);
  json.key("device").string(device_id(key.public_key)).key("encrypted").boolean(joined.charter.encrypt);
  json.key("made").boolean(joined.founded);
  if (joined.founded && joined.charter.encrypt) {
    json.key("recovery_phrase").string(recovery_phrase(joined.secret));
    json.key("note").string(
        "write the recovery phrase down now: it is never shown again, other machines need it, and "
        "without it nobody can read this remote");
  } else {
    std::string withheld;
    for (const ProjectShare& one : settings.shares) withheld += (withheld.empty() ? "" : ", ") + one.project;
    json.key("note").string(
        "nothing is shared yet; run holdfast remote share PROJECT --with " + name +
        " to share a project, and holdfast sync to read what others share" +
        (was_here ? "; the sync also erases what this machine published there earlier from "
                    "projects that are not shared again by then"
                  : "") +
        (withheld.empty() ? "" : "; as before, this is withheld until it is shared by name: " + withheld) +
        old_key_note(settings));
  }
  return json.end_object().take();
}

void write_settings(JsonWriter& json, const RemoteSettings& settings) {
  json.begin_object().key("name").string(settings.name).key("url").string(settings.url);
  json.key("id").string(settings.id).key("encrypted").boolean(!settings.secret.empty());
  json.key("machine").string(settings.machine).key("shares").begin_array();
  for (const ProjectShare& share : settings.shares) {
    json.begin_object().key("project").string(share.project).key("identity").string(share.identity);
    json.key("policy").string(share.policy).end_object();
  }
  json.end_array().key("devices").begin_array();
  for (const auto& [id, device] : settings.devices) {
    json.begin_object().key("id").string(id).key("name").string(device.name);
    json.key("trust").string(trust_name(device.trust)).key("since").string(device.since).end_object();
  }
  json.end_array().end_object();
}

Result<std::string> list(Call& call) {
  const auto home = open_sync_home(call.context, call.stores, false);
  if (!home && home.error().code != Code::not_found) return fail(home.error());
  std::vector<RemoteSettings> remotes;
  if (home) {
    HOLDFAST_LET(known, (*home)->remotes(call.context));
    remotes = std::move(known);
  }
  const Page page = page_of(call);
  JsonWriter json = begin_answer();
  json.key("remotes").begin_array();
  std::size_t shown = 0;
  for (std::size_t i = page.skip; i < remotes.size() && shown < page.limit; ++i, ++shown)
    write_settings(json, remotes[i]);
  json.end_array();
  write_page(json, page, shown, remotes.size());
  return json.end_object().take();
}

Result<void> add_server(const Call& call, const std::string& url, JsonWriter& json) {
  HOLDFAST_LET(server, check_postgres(call.context, url));
  json.key("server").string("PostgreSQL " + server.server).key("role").string(server.role);
  json.key("schema").string(server.schema).key("schema_version").uint64(server.version);
  json.key("tls").boolean(server.encrypted).key("read_only").boolean(server.read_only);
  json.key("missing_rights").strings(server.missing);
  if (!server.missing_for_search) return {};
  json.key("missing_index_rights").strings(*server.missing_for_search);
  return {};
}

// Takes the name of a known remote, or the address of one to be added: a remote can only be added once it has tables.
Result<std::string> migrate(Call& call) {
  std::string url = call.text("name");
  if (is_postgres_address(url)) {
    HOLDFAST_TRY(apply_insecure(call, url));
  } else {
    if (call.flag("allow_insecure"))
      return fail(Code::invalid_argument,
                  "--allow-insecure is only for an address; a remote that was added keeps what was chosen then");
    HOLDFAST_LET(access, open_sync(call, false));
    HOLDFAST_LET(settings, access.home->remote(call.context, url));
    url = settings.url;
  }
  if (!is_postgres_address(url))
    return fail(Code::invalid_argument, "only a PostgreSQL remote has tables; this one needs no migration");
  HOLDFAST_LET(done, migrate_postgres(call.context, url));
  JsonWriter json = begin_answer();
  json.key("schema").string(done.schema).key("from").uint64(done.from).key("to").uint64(done.to).key("note");
  json.string(done.from == done.to ? "the tables are up to date"
                                   : "the tables exist; devices need privileges on them, see the guide to sync");
  return json.end_object().take();
}

Result<std::string> check(Call& call) {
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(settings, access.home->remote(call.context, call.text("name")));
  HOLDFAST_LET(remote, open_remote(call.context, *call.stores.settings().files, settings.url));
  HOLDFAST_TRY(check_remote(call.context, settings, *remote));
  HOLDFAST_LET(heads, remote->heads(call.context));
  HOLDFAST_LET(key, access.home->device(call.context));
  HOLDFAST_LET(ids, access.home->own_ids(call.context));
  HOLDFAST_LET(own, access.home->own_stream(call.context, settings.name));
  JsonWriter json = begin_answer();
  json.key("name").string(settings.name).key("place").string(remote->place()).key("reachable").boolean(true);
  json.key("encrypted").boolean(!settings.secret.empty());
  if (is_postgres_address(settings.url)) HOLDFAST_TRY(add_server(call, settings.url, json));
  json.key("streams").begin_array();
  for (const RemoteStream& stream : heads) {
    const bool mine = ids.contains(stream.id.device);
    const bool is_current = stream.id == StreamId{device_id(key.public_key), own.epoch};
    HOLDFAST_LET(cursor, access.home->cursor(call.context, settings.name, stream.id));
    json.begin_object().key("device").string(stream.id.device).key("epoch").uint64(stream.id.epoch);
    const std::string machine = mine ? settings.machine : settings.machine_of(stream.id.device);
    json.key("machine").string(machine).key("own").boolean(mine);
    json.key("segments").uint64(stream.head.seq);
    json.key("read").uint64(is_current ? own.head.seq : cursor.head.seq).end_object();
  }
  // Read it as other machines would.
  HOLDFAST_LET(checked, check_own_stream(call.context, *access.home, settings, *remote, heads));
  HOLDFAST_LET(left, left_readable(call.context, *access.home, settings.name));
  std::ranges::move(left, std::back_inserter(checked.findings));
  json.end_array().key("checked_segments").uint64(checked.segments).key("checked_chunks").uint64(checked.chunks);
  json.key("damaged").uint64(checked.findings.size());
  if (!checked.damage.empty()) json.key("note").string("run holdfast sync " + settings.name + " to publish it again");
  write_findings(json, "findings", checked.findings);
  return json.end_object().take();
}

// Finds a device by its name or the beginning of its id. `own` is the id of this device, which is never returned.
Result<std::string> device_meant(const RemoteSettings& settings, std::string_view own, std::string_view text) {
  std::vector<std::string> found;
  for (const auto& [id, device] : settings.devices)
    if (device.name == text || (text.size() >= 4 && id.starts_with(text))) found.push_back(id);
  if (found.size() == 1) return found.front();
  if (found.empty() && (text == settings.machine || (text.size() >= 4 && own.starts_with(text))))
    return fail(Code::invalid_argument, std::string(text) + " is this machine; name the other one");
  if (found.empty()) return fail(Code::not_found, "no device " + std::string(text) + " was seen at " + settings.name);
  return fail(Code::not_found,
              std::string(text) + " is ambiguous; use the id of the device: " + found[0] + ", " + found[1]);
}

Result<std::string> device_named(const Call& call) {
  HOLDFAST_LET(remotes, requested_remotes(call, call.text("name")));
  HOLDFAST_LET(home, open_sync_home(call.context, call.stores, false));
  HOLDFAST_LET(key, home->device(call.context));
  HOLDFAST_LET(id, device_meant(remotes.front(), device_id(key.public_key), call.text("device")));
  const std::string& machine = remotes.front().devices[id].name;
  return machine.empty() ? id : machine;
}

Result<std::string> would_trust(Call& call) {
  HOLDFAST_LET(machine, device_named(call));
  return "trust " + machine + " as your own: what is forgotten there is forgotten here too";
}

Result<std::string> would_revoke(Call& call) {
  HOLDFAST_LET(machine, device_named(call));
  return "stop reading from " + machine + "; on an encrypted remote, also keep it from reading anything new";
}

Result<std::string> would_pair(Call& call) {
  HOLDFAST_LET(machine, device_named(call));
  return call.has("code") ? "trust " + machine + " as your own, if this is its code"
                          : "show the code to compare with the one on " + machine;
}

Result<std::string> trust(Call& call) {
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(settings, access.home->remote(call.context, call.text("name")));
  HOLDFAST_LET(own, access.home->device(call.context));
  HOLDFAST_LET(id, device_meant(settings, device_id(own.public_key), call.text("device")));
  settings.devices[id].trust = DeviceTrust::trusted;
  allow_reader(settings, id);
  HOLDFAST_TRY(access.home->save(call.context, settings));
  JsonWriter json = begin_answer();
  json.key("device").string(id).key("machine").string(settings.devices[id].name);
  json.key("trust").string(trust_name(DeviceTrust::trusted)).key("note");
  json.string("it is trusted as your own: what is forgotten there is forgotten here too");
  return json.end_object().take();
}

Result<std::string> revoke(Call& call) {
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(settings, access.home->remote(call.context, call.text("name")));
  HOLDFAST_LET(own, access.home->device(call.context));
  HOLDFAST_LET(id, device_meant(settings, device_id(own.public_key), call.text("device")));
  const bool again =
      settings.devices[id].trust == DeviceTrust::revoked && !settings.key().lock.empty() && !settings.last_safe_key;
  settings.devices[id].trust = DeviceTrust::revoked;
  const bool changed = !settings.secret.empty() && !again;
  const std::string secret = changed ? rotate_key(settings) : "";
  HOLDFAST_LET(had, sessions_read_by(call.context, *access.home, settings, id));
  // One document: a revoked device never has the key, and the key is never older than the revocation.
  HOLDFAST_TRY(access.home->save(call.context, settings));
  JsonWriter json = begin_answer();
  json.key("device").string(id).key("machine").string(settings.devices[id].name);
  json.key("trust").string(trust_name(DeviceTrust::revoked)).key("had_read").begin_array();
  for (const auto& [key, row] : had) {
    json.begin_object().key("agent").string(key.layout).key("id").string(key.id);
    const JsonView view(row);
    const std::string title = view.find("title").as_string().value_or("");
    json.key("title").string(title.empty() ? view.find("first_prompt").as_string().value_or("") : title);
    json.key("project").string(view.find("project").as_string().value_or("")).end_object();
  }
  json.end_array();
  if (changed) {
    json.key("readers").begin_array();
    for (const std::string& reader : settings.keys.back().readers) json.string(settings.devices[reader].name);
    json.end_array().key("recovery_phrase").string(recovery_phrase(secret));
  }
  json.key("note");
  if (changed)
    json.string(
        "nothing more is read from it; the key changes with the next sync, and it cannot read anything newer. It keeps "
        "what it has read. Write the new recovery phrase down now: it is never shown again, and it replaces the "
        "previous one, which " +
        settings.devices[id].name + " has");
  else
    json.string(std::string("nothing more is read from it; it keeps what it has read") +
                (again ? "" : ", and because this remote is not encrypted, anyone with access to it can read it"));
  return json.end_object().take();
}

// Pairs two devices of one person: both compute the same code from their keys; the person compares and confirms it.
Result<std::string> pair(Call& call) {
  HOLDFAST_LET(access, open_sync(call, false));
  HOLDFAST_LET(settings, access.home->remote(call.context, call.text("name")));
  HOLDFAST_LET(key, access.home->device(call.context));
  std::string first = device_id(key.public_key);
  HOLDFAST_LET(other, device_meant(settings, first, call.text("device")));
  std::string second = other;
  if (second < first) std::swap(first, second);
  HOLDFAST_LET(code, code_to_compare("holdfast pair\n" + settings.id + "\n" + first + "\n" + second + "\n"));
  const std::string& machine = settings.devices[other].name;
  if (call.has("code") && call.text("code") != code)
    return fail(Code::invalid_argument, "this is not the code of these two devices; if " + machine + " does not show " +
                                            code + ", someone is intercepting the connection");
  if (call.has("code")) {
    settings.devices[other].trust = DeviceTrust::trusted;
    allow_reader(settings, other);
    HOLDFAST_TRY(access.home->save(call.context, settings));
  }
  JsonWriter json = begin_answer();
  json.key("machine").string(machine).key("device").string(other).key("code").string(code);
  const bool trusted = settings.devices[other].trust == DeviceTrust::trusted;
  json.key("paired").boolean(trusted).key("note");
  if (trusted)
    json.string(machine + " is trusted as your own here: what is forgotten there is forgotten here too");
  else
    json.string("run holdfast pair " + settings.name + " " + settings.machine + " on " + machine +
                "; if it shows the same code, confirm on both with --code " + code);
  return json.end_object().take();
}

const Parameter kAllowInsecure{.name = "allow_insecure",
                               .help = "do not require PostgreSQL on another machine to prove its identity with TLS",
                               .type = ParamType::boolean};
const Parameter kName{.name = "name", .help = "the name of a remote", .required = true, .positional = true};
const Parameter kDevice{
    .name = "device", .help = "a machine's name, or the id of its device", .required = true, .positional = true};
const Parameter kProject{
    .name = "project", .help = "the directory of a project", .required = true, .positional = true, .path = true};
const Parameter kWith{.name = "with", .help = "the name of a remote", .required = true};

}  // namespace

Handler remote_dry_run(std::string_view method) {
  constexpr std::pair<std::string_view, Handler> kLooks[] = {{"remote.add", would_add},
                                                             {"remote.index", would_index},
                                                             {"remote.share", would_share_with_remote},
                                                             {"remote.unshare", would_unshare_with_remote},
                                                             {"remote.trust", would_trust},
                                                             {"remote.revoke", would_revoke},
                                                             {"remote.pair", would_pair},
                                                             {"sync.run", would_sync},
                                                             {"sync.watch", would_sync}};
  for (const auto& [name, look] : kLooks)
    if (name == method) return look;
  return nullptr;
}

std::span<const Operation> remote_operations() {
  static const std::vector<Operation> all{
      {.method = "remote.add",
       .help = "add a remote, a place where your machines share sessions",
       .use = Use::write,
       .parameters = {{.name = "name", .help = "name of the remote", .required = true, .positional = true},
                      {.name = "url",
                       .help = "its address: dir:/path or postgres://host/database?schema=NAME",
                       .required = true,
                       .positional = true},
                      {.name = "as", .help = "name of this machine on the remote (default: its host name)"},
                      {.name = "encrypt",
                       .help = "encrypt everything on the remote; the recovery phrase is shown only once",
                       .type = ParamType::boolean},
                      {.name = "recover", .help = "the recovery phrase of an encrypted remote", .secret = true},
                      kAllowInsecure},
       .result = "name:string url:string id:string machine:string device:string encrypted:boolean made:boolean "
                 "recovery_phrase?:string note:string",
       .errors = {Code::already_exists, Code::conflict, Code::sync_transport_failed, Code::newer_schema},
       .handler = add,
       .example = "remote add nas dir:/mnt/nas/holdfast --encrypt"},
      {.method = "remote.list",
       .help = "list remotes, what is shared with each, and the devices seen there",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "remotes:object[] total:integer next:integer?",
       .handler = list,
       .example = "remote list"},
      {.method = "remote.check",
       .help = "check that a remote can be reached, and that everything this machine published there is undamaged",
       .use = Use::write,
       .parameters = {kName},
       .result = "name:string place:string reachable:boolean encrypted:boolean server?:string role?:string "
                 "schema?:string schema_version?:integer tls?:boolean read_only?:boolean missing_rights?:string[] "
                 "missing_index_rights?:string[] streams:object[] checked_segments:integer checked_chunks:integer "
                 "damaged:integer note?:string findings:finding[]",
       .errors = {Code::sync_transport_failed, Code::newer_schema},
       .handler = check,
       .example = "remote check nas"},
      {.method = "remote.migrate",
       .help = "create or update the tables of a PostgreSQL remote",
       .use = Use::write,
       .parameters = {{.name = "name",
                       .help = "the name of a remote, or the address of one to add",
                       .required = true,
                       .positional = true},
                      kAllowInsecure},
       .result = "schema:string from:integer to:integer note:string",
       .errors = {Code::sync_transport_failed, Code::newer_schema},
       .handler = migrate,
       .example = "remote migrate postgres:///holdfast?schema=team"},
      index_remote_operation(),
      {.method = "remote.remove",
       .help = "forget a remote and the sessions of other machines that came from it",
       .use = Use::write,
       .parameters = {kName,
                      {.name = "erase",
                       .help = "also erase what this machine published there",
                       .type = ParamType::boolean}},
       .result = "removed:string erased:boolean note?:string",
       .errors = {Code::sync_transport_failed},
       .handler = remove_remote,
       .preview = would_remove_remote,
       .example = "remote remove nas --erase --yes"},
      {.method = "remote.share",
       .help = "share the sessions of a project through a remote, from the next sync on",
       .use = Use::write,
       .parameters = {kProject,
                      kWith,
                      {.name = "policy",
                       .help = "share sessions in full, or only messages without secrets, paths, titles and pictures",
                       .words = {"full", "redacted"}}},
       .result = "project:string identity:string with:string policy:string note:string",
       .errors = {Code::conflict},
       .handler = share_with_remote,
       .example = "remote share ~/src/thing --with nas"},
      {.method = "remote.unshare",
       .help = "stop sharing a project; the next sync erases what was shared",
       .use = Use::write,
       .parameters = {kProject, kWith},
       .result = "project:string with:string note:string",
       .handler = unshare_with_remote,
       .example = "remote unshare ~/src/thing --with nas"},
      {.method = "remote.pair",
       .help = "trust another device as your own, after comparing a code on both devices",
       .use = Use::write,
       .parameters = {kName, kDevice, {.name = "code", .help = "confirm with the code that both devices show"}},
       .result = "machine:string device:string code:string paired:boolean note:string",
       .handler = pair,
       .example = "pair nas laptop",
       .command = "pair"},
      {.method = "remote.trust",
       .help = "trust a device as your own: what is forgotten there is forgotten here too",
       .use = Use::write,
       .parameters = {kName, kDevice},
       .result = "device:string machine:string trust:string note:string",
       .handler = trust,
       .example = "remote trust nas laptop"},
      {.method = "remote.revoke",
       .help = "stop reading from a device; on an encrypted remote, also keep it from reading anything new",
       .use = Use::write,
       .parameters = {kName, kDevice},
       .result = "device:string machine:string trust:string had_read:object[] readers?:string[] "
                 "recovery_phrase?:string note:string",
       .handler = revoke,
       .example = "remote revoke nas laptop"},
  };
  return all;
}

}  // namespace holdfast::inline v1
