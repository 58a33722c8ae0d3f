// A device for tests and the laboratory: a disk with an archive, a home and a remote.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "archive/archive_writer.h"
#include "sync/charter.h"
#include "sync/redacted_sessions.h"
#include "sync/remote_keys.h"
#include "sync/run_sync.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

inline Charter test_charter(std::string_view secret) {
  Charter charter{std::string(31, '0') + "7", "2026-11-16T00:00:00.000Z", !secret.empty()};
  if (charter.encrypt) charter.check = key_check(remote_key(secret, charter.id), charter.id);
  return charter;
}

// Redaction for tests: removes lines with SECRET in them, and begins with the alias.
inline Result<std::string> redacted_lines(Packs& packs, const FileVersion& version, const std::string& alias) {
  std::string all, told = alias + "\n";
  HOLDFAST_TRY(read_version(packs, version, [&](std::string_view part) -> Result<void> {
    all += part;
    return {};
  }));
  for (std::size_t at = 0, end = 0; at < all.size(); at = end + 1) {
    end = std::min(all.find('\n', at), all.size());
    if (!all.substr(at, end - at).contains("SECRET")) told += all.substr(at, end - at) + "\n";
  }
  return told;
}

struct TestDevice {
  static constexpr const char* kArchive = "/data/archive";
  static constexpr const char* kHome = "/data/sync";

  FileSystem& files;
  std::string name;
  std::string secret;

  TestDevice(FileSystem& disk, std::string called, std::string key = {})
      : files(disk), name(std::move(called)), secret(std::move(key)) {}

  // Captures a session of one file with these bytes, in that project.
  Result<void> record(const std::string& id, const std::string& project, const std::string& bytes) const {
    HOLDFAST_LET(writer, ArchiveWriter::open({}, files, kArchive));
    FileVersion version;
    for (std::size_t at = 0; at < bytes.size(); at += kBlockBytes) {
      const std::string_view part = std::string_view(bytes).substr(at, kBlockBytes);
      HOLDFAST_LET(chunk, writer->add_chunk({}, part));
      version.blocks.push_back({chunk, static_cast<std::uint32_t>(part.size())});
    }
    version.size = bytes.size();
    Capture capture;
    capture.session = {"made-up", "/s", id};
    capture.at = "2026-11-16T00:00:00.000Z";
    capture.row =
        JsonWriter().begin_object().key("title").string(id).key("project").string(project).end_object().take();
    capture.files.push_back({{"home", id + ".jsonl"}, std::make_shared<FileVersion>(version)});
    HOLDFAST_TRY(writer->add({}, std::move(capture)));
    return writer->close({});
  }

  Result<std::unique_ptr<SyncHome>> home() const { return SyncHome::open({}, files, kHome, true); }
  Result<RemoteSettings> settings(const SyncHome& in) const {
    auto known = in.remote({}, "r");
    if (known) return known;
    RemoteSettings fresh{"r", "simulated", test_charter(secret).id};
    fresh.secret = secret;
    fresh.machine = name;
    return fresh;
  }
  Result<void> share(const std::string& project, const std::string& policy = "full") const {
    HOLDFAST_LET(in, home());
    HOLDFAST_LET(now, settings(*in));
    std::erase_if(now.shares, [&](const ProjectShare& one) { return one.project == project; });
    if (policy != "local-only") now.shares.push_back({"path:" + project, project, policy});
    now.narrowed |= policy != "full";
    return in->save({}, now);
  }
  Result<void> trust(const std::string& device, DeviceTrust trust) const {
    HOLDFAST_LET(in, home());
    HOLDFAST_LET(now, settings(*in));
    now.devices[device].trust = trust;
    if (trust == DeviceTrust::trusted) allow_reader(now, device);
    return in->save({}, now);
  }
  // Returns the secret of the new key, if there is one.
  Result<std::string> revoke(const std::string& device) const {
    HOLDFAST_LET(in, home());
    HOLDFAST_LET(now, settings(*in));
    now.devices[device].trust = DeviceTrust::revoked;
    std::string later = now.secret.empty() ? "" : rotate_key(now);
    HOLDFAST_TRY(in->save({}, now));
    return later;
  }
  Result<SyncReport> sync(Remote& remote) const {
    HOLDFAST_LET(in, home());
    HOLDFAST_LET(lock, in->lock());
    HOLDFAST_LET(now, settings(*in));
    auto archive = Archive::open({}, files, kArchive);
    SyncReport report;
    std::unique_ptr<Archive> redacted;
    if (archive) {
      // What may be shared of a session: its lines except the secret ones.
      const auto redact = [&](const CaptureKey&, const CapturedSession& session, const RedactedNames& names) {
        return redacted_lines((*archive)->packs(), *session.head.begin()->second, names.session);
      };
      HOLDFAST_LET(made, redacted_sessions({}, *in, now, (*archive)->state(), redact, report.pushed.findings));
      redacted = std::move(made);
    }
    HOLDFAST_TRY(run_sync({}, *in, now, remote, archive ? archive->get() : nullptr, redacted.get(), report));
    return report;
  }
  Result<PullReport> fetch_all(Remote& remote) const {
    HOLDFAST_LET(in, home());
    HOLDFAST_LET(now, settings(*in));
    HOLDFAST_LET(streams, in->streams("r"));
    PullReport report;
    for (const StreamId& stream : streams) {
      HOLDFAST_LET(replaced, replaced_sessions({}, *in, "r", stream));
      const auto wanted = [&](const CaptureKey& key, const auto&) { return !replaced.contains(key); };
      HOLDFAST_TRY(fetch({}, *in, now, remote, stream, wanted, report));
    }
    return report;
  }
  Result<std::string> device() const {
    HOLDFAST_LET(in, home());
    HOLDFAST_LET(key, in->device({}));
    return device_id(key.public_key);
  }

  // The texts of redacted sessions of others, without the first line.
  std::vector<std::string> redacted() const {
    std::vector<std::string> all;
    const auto in = home();
    const auto streams = in ? (*in)->streams("r") : Result<std::vector<StreamId>>(std::vector<StreamId>());
    for (const StreamId& stream : *streams) {
      const auto archive = Archive::open({}, files, (*in)->from("r", stream));
      if (!archive) continue;
      for (const auto& [key, session] : (*archive)->state().sessions) {
        std::string text;
        if (key.store != "/redacted") continue;
        (void)read_version((*archive)->packs(), *session.head.rbegin()->second,
                           [&](std::string_view part) -> Result<void> {
                             text += part;
                             return {};
                           });
        all.push_back(text.substr(text.find('\n') + 1));
      }
    }
    return all;
  }

  // "id=hash of the blocks" of every session of others; "id=bytes" if `bytes`.
  std::vector<std::string> others(bool bytes = false) const {
    std::vector<std::string> all;
    const auto in = home();
    const auto streams = in ? (*in)->streams("r") : Result<std::vector<StreamId>>(std::vector<StreamId>());
    for (const StreamId& stream : *streams) {
      const auto archive = Archive::open({}, files, (*in)->from("r", stream));
      if (!archive) continue;
      for (const auto& [key, session] : (*archive)->state().sessions) {
        const FileVersion& version = *session.head.begin()->second;
        if (!bytes) {
          all.push_back(key.id + "=" + version.hash());
          continue;
        }
        std::string text;
        const auto read = read_version((*archive)->packs(), version, [&](std::string_view part) -> Result<void> {
          text += part;
          return {};
        });
        all.push_back(key.id + "=" + (read ? text : std::string("not here")));
      }
    }
    std::ranges::sort(all);
    return all;
  }
};

}  // namespace holdfast::inline v1
