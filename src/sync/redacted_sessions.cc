#include "sync/redacted_sessions.h"

#include <algorithm>
#include <set>

#include "archive/archive_writer.h"
#include "archive/rewrite_archive.h"
#include "base/hash.h"
#include "sync/content.h"
#include "sync/push.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kRules = "5";  // another number: all sessions are redacted again
constexpr std::string_view kStore = "/redacted";
constexpr std::string_view kFormat =
    "{\"format\":\"holdfast\",\"version\":1,\"compat\":[],\"ro_compat\":[],\"incompat\":[],\"store_id\":\"sto_"
    "redacted\","
    "\"device_id\":\"dev_redacted\",\"created_at\":\"2026-01-01T00:00:00.000Z\"}\n";

std::string alias_of(const SigningKey& device, const RemoteSettings& settings, const std::string& what) {
  return to_hex(keyed_hash(device.seed, "holdfast alias\n" + settings.id + "\n" + what + "\n")).substr(0, 24);
}

// A different value means that the original has changed.
std::string state_of(const CapturedSession& session) {
  std::string all(kRules);
  for (const auto& [place, version] : session.head)
    all += "\n" + place.root + "\n" + place.path + "\n" + version->hash();
  return sha256_hex(all);
}

// The number of bytes of it that are forgotten.
std::uint64_t forgotten_bytes(const CapturedSession& session) {
  std::uint64_t bytes = 0;
  for (const auto& [place, version] : session.head) bytes += forgotten_bytes(*version);
  return bytes;
}

Result<std::shared_ptr<FileVersion>> stored(const Context& context, ArchiveWriter& writer, std::string_view bytes,
                                            std::uint64_t cut = 0) {
  auto version = std::make_shared<FileVersion>();
  version->size = bytes.size();
  if (cut > 0) version->holed = bytes.size() + cut;
  version->mode = 0600;
  for (std::size_t at = 0; at < bytes.size(); at += kBlockBytes) {
    const std::string_view part = bytes.substr(at, kBlockBytes);
    HOLDFAST_LET(chunk, writer.add_chunk(context, part));
    version->blocks.push_back({chunk, static_cast<std::uint32_t>(part.size())});
  }
  return version;
}

Result<void> add(const Context& context, ArchiveWriter& writer, const CaptureKey& key, const CapturedSession& session,
                 const std::string& bytes, const std::string& origin) {
  Capture capture{.at = session.at, .first_at = session.first_at, .session = key};
  JsonWriter row;
  row.begin_object().key("title").string("(redacted)").key("rules").string(kRules);
  for (const char* when : {"created_at", "updated_at"})
    if (const auto said = JsonView(session.row).find(when).as_string()) row.key(when).string(*said);
  capture.row = row.end_object().take();
  capture.origin = origin;
  HOLDFAST_LET(log, stored(context, writer, bytes, forgotten_bytes(session)));
  HOLDFAST_LET(format, stored(context, writer, kFormat));
  capture.files.push_back({{"data", "projects/none/sessions/" + key.id + "/messages.jsonl"}, std::move(log)});
  capture.files.push_back({{"data", "FORMAT"}, std::move(format)});
  return writer.add(context, std::move(capture));
}

}  // namespace

std::string identity_alias(const SigningKey& device, const RemoteSettings& settings, const std::string& identity) {
  return "alias:" + alias_of(device, settings, "project\n" + identity);
}

CaptureKey redacted_key(const SigningKey& device, const RemoteSettings& settings, const CaptureKey& session) {
  return {"holdfast", std::string(kStore),
          "ses_" + alias_of(device, settings, "session\n" + session.layout + "\n" + session.store + "\n" + session.id)};
}

std::map<std::string, OtherCopy> other_copies(const SigningKey& device, const RemoteSettings& settings,
                                              const std::set<CaptureKey>& gone, const SharedSessions& shared) {
  std::map<std::string, OtherCopy> found;
  for (const auto& [key, one] : shared)
    if (one.policy == "full") found[drop_name(redacted_key(device, settings, key))].fuller = drop_name(key);
  for (const CaptureKey& key : gone)
    if (const CaptureKey redacted = redacted_key(device, settings, key); shared.contains(redacted))
      found[drop_name(key)].redacted = drop_name(redacted);
  return found;
}

std::string redacted_path(const SyncHome& home, const RemoteSettings& settings) {
  return home.path() + "/remotes/" + settings.name + "/redacted";
}

bool has_current_redaction(std::string_view row) { return JsonView(row).find("rules").is_string(kRules); }

Result<std::unique_ptr<Archive>> redacted_sessions(const Context& context, const SyncHome& home,
                                                   const RemoteSettings& settings, const CaptureState& local,
                                                   const RedactSession& redact, std::vector<Finding>& findings) {
  const std::string path = redacted_path(home, settings);
  const bool wanted = std::ranges::any_of(settings.shares, [](const auto& one) { return one.policy == "redacted"; });
  if (!wanted && !home.files().open_directory(path, false)) return std::unique_ptr<Archive>();
  HOLDFAST_LET(device, home.device(context));
  HOLDFAST_LET(writer, ArchiveWriter::open(context, home.files(), path));
  // What an interrupted run stored may be forgotten by now, and no line says whose it is.
  HOLDFAST_LET(loose, drop_loose_bytes(context, *writer));
  if (loose) {
    writer.reset();
    HOLDFAST_LET(again, ArchiveWriter::open(context, home.files(), path));
    writer = std::move(again);
  }
  std::set<CaptureKey> gone, cut;
  for (const auto& [key, session] : writer->state().sessions) gone.insert(key);
  HOLDFAST_LET(shared, shared_sessions(context, home, local, settings, "redacted"));
  for (const auto& [key, one] : shared) {
    HOLDFAST_TRY(context.check());
    // Skip sub-agents, also those that their agent lists as sessions.
    const JsonView parent = JsonView(one.session->row).find("parent");
    if (one.session->inner || parent.find("kind").is_string("subagent")) continue;
    const CaptureKey own = redacted_key(device, settings, key);
    gone.erase(own);
    if (forgotten_bytes(*one.session) > 0) cut.insert(own);
    JsonWriter json;
    json.begin_object().key("state").string(state_of(*one.session));
    json.key("identity").string(identity_alias(device, settings, one.share));
    const std::string made = json.end_object().take();
    const auto known = writer->state().sessions.find(own);
    if (known != writer->state().sessions.end() && known->second.origin == made) continue;
    const auto alias = [&](std::string_view what) {
      return alias_of(device, settings, "in\n" + key.layout + "\n" + key.store + "\n" + std::string(what));
    };
    const auto bytes = redact(key, *one.session, {own.id, alias});
    if (!bytes) {
      findings.push_back(
          {key.id, 0, 0, "not_redacted", "it cannot be read, so it is not shared: " + bytes.error().message, 0});
      if (known != writer->state().sessions.end()) gone.insert(own);
      continue;
    }
    HOLDFAST_TRY(add(context, *writer, own, *one.session, *bytes, made));
  }
  HOLDFAST_TRY(writer->close(context));
  if (!gone.empty()) {
    writer.reset();
    HOLDFAST_LET(again, ArchiveWriter::open(context, home.files(), path));
    HOLDFAST_TRY(drop_sessions(context, *again, gone));
    writer = std::move(again);
  }
  // Earlier copies may contain the lines that were forgotten since.
  if (!cut.empty()) {
    writer.reset();
    HOLDFAST_LET(again, ArchiveWriter::open(context, home.files(), path));
    HOLDFAST_TRY(
        drop_replaced(context, *again, [&](const CaptureKey& key, const OpOrigin&) { return cut.contains(key); }));
  }
  return Archive::open(context, home.files(), path);
}

}  // namespace holdfast::inline v1
