// The sync state of this home: its device key, the remotes it knows, and how far it is with each. Documents below
// $XDG_DATA_HOME/holdfast/sync, replaced durably as a whole. docs/formats/sync.md. Lifetime: the FileSystem must
// outlive the object. Thread-safety: one thread per object; one process at a time while syncing.
#pragma once

#include <holdfast/document.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sync/segment.h"

namespace holdfast::inline v1 {

// The policy of a project from which nothing is sent, although it is inside a shared one.
inline constexpr std::string_view kWithheld = "withheld";

// What a remote gets of a project.
struct ProjectShare {
  std::string identity;  // of the project (project_identity.h)
  std::string project;   // its directory with links resolved; older versions noted it as it was given
  std::string policy;    // "full", "redacted" or kWithheld
};

enum class DeviceTrust { seen, trusted, revoked };
std::string_view trust_name(DeviceTrust trust);

struct KnownDevice {
  std::string name = {};   // its own name for itself, in its newest epoch
  std::string named = {};  // when it took that name, by its own clock; "" if an older Holdfast noted it
  DeviceTrust trust = DeviceTrust::seen;
  std::string since = {};
  std::string key = {};  // public; "" if an older Holdfast met it
};

// A key of an encrypted remote after its first one (remote_keys.h).
struct LaterKey {
  std::string secret = {};             // 16 bytes
  bool write = false;                  // this device writes or wrote with it; the last such key is the current one
  std::set<std::string> readers = {};  // devices that should get it from this one
  std::set<std::string> given = {};    // devices that have it
};

// The key that an encrypted remote is written with.
struct CurrentKey {
  std::string lock = {};     // its id; empty if it is the remote's first one
  std::string earlier = {};  // the secrets before it, encrypted with it, as at the remote
};

struct RemoteSettings {
  std::string name, url, id;
  std::string secret = {};          // 16 bytes; empty if not encrypted
  std::vector<LaterKey> keys = {};  // in order of use
  // Set if a revoked device may have the key in use: the remote was removed here and added again with the phrase of
  // that key. The last key that they do not have; its id is empty if an older Holdfast did not note it.
  std::optional<CurrentKey> last_safe_key = {};
  std::string machine = {};  // the name of this device there
  std::vector<ProjectShare> shares = {};
  std::map<std::string, KnownDevice> devices = {};  // by id; other devices only
  bool narrowed = false;                            // something is shared less than when the last sync looked for it

  RemoteSecret key() const;
  std::set<std::string> revoked() const;
  // The name of another device there; its id if it has none.
  std::string machine_of(const std::string& device) const;
};

// What the log of an archive begins with: so many bytes, with this CRC-32C (log_mark.h).
struct LogMark {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
  bool operator==(const LogMark&) const = default;
};

// This device's own stream at a remote.
struct OwnStream {
  std::uint64_t epoch = 1;
  StreamHead head = {};
  std::optional<LogMark> log = {};              // of what was published; nullopt: not known
  std::uint64_t content = 0;                    // the last segment with ops; 0: none, or an older Holdfast wrote it
  std::uint64_t last_op = 0;                    // numbers are never reused, even if nothing is shared any more
  std::map<StreamId, std::uint64_t> told = {};  // how far others were told that their streams are read
  std::set<std::string> revoked = {};           // revoked devices that others were told about
  std::set<std::uint64_t> left = {};            // earlier epochs of this home
  std::map<std::uint64_t, std::uint64_t> ends = {};  // how many segments they had when this home left them, if known
  std::uint64_t forgotten = 0;  // how many names of forgotten sessions were looked for in all epochs of this home
};

// How far another device's stream is read, and what it says about itself.
struct StreamCursor {
  StreamHead head = {};
  std::optional<LogMark> log = {};                             // of what was read; nullopt: not known
  std::uint64_t content = 0;                                   // the last segment with content for this device
  std::string machine = {};                                    // its name, for people
  std::map<std::string, std::vector<std::string>> names = {};  // policy -> keys of chunk names, raw, newest last
  std::map<StreamId, std::uint64_t> seen = {};                 // how far it has read others
  std::set<std::string> withdrawn = {};           // sessions that are no longer shared: "layout\nstore\nid"
  std::map<std::string, std::string> forms = {};  // of those that are kept: the full copy, and the redacted one of the
                                                  // same session; by drop_name()
  bool lost = false;  // when last asked, the remote no longer had the segments that were read
};

// Erasures at the remote that are decided and not done yet.
struct Erasures {
  std::uint64_t epoch = 0;  // of the bodies
  std::set<std::uint64_t> bodies = {};
  std::set<std::string> chunks = {};
  bool empty() const { return bodies.empty() && chunks.empty(); }
};

class SyncHome {
 public:
  // Creates the directory if `create`; otherwise fails with not_found if it is missing.
  static Result<std::unique_ptr<SyncHome>> open(const Context& context, FileSystem& file_system,
                                                const std::string& path, bool create);

  FileSystem& files() const { return root_->file_system(); }
  const std::string& path() const { return root_->path(); }

  // Must be held while remotes are changed or synced. Fails with busy while another process holds it.
  Result<std::unique_ptr<File>> lock() const;

  // The key of this home; created on first use. It stays the same when the home moves to another machine.
  Result<SigningKey> device(const Context& context) const;
  // Every key that this home has published with, that one first. Older versions made a key for each machine.
  Result<std::vector<SigningKey>> devices(const Context& context) const;
  // The ids of these.
  Result<std::set<std::string>> own_ids(const Context& context) const;

  Result<std::vector<RemoteSettings>> remotes(const Context& context) const;
  Result<RemoteSettings> remote(const Context& context, const std::string& name) const;  // not_found
  Result<void> save(const Context& context, const RemoteSettings& settings) const;
  // Removes the remote and everything that was read from it.
  Result<void> forget(const Context& context, const std::string& name) const;

  // The name under which an abandoned epoch is kept, for own_stream, pending, erasures and published.
  static std::string left(const std::string& remote, std::uint64_t epoch) {
    return remote + "/left/" + std::to_string(epoch);
  }

  // The name under which a remote may be read into a folder of its own, for streams, from and cursor.
  static std::string scratch(const std::string& remote) { return remote + "/read-back"; }
  // Removes that folder, if there is one.
  Result<void> clear_scratch(const std::string& remote) const;

  Result<OwnStream> own_stream(const Context& context, const std::string& remote) const;
  Result<void> save(const Context& context, const std::string& remote, const OwnStream& stream) const;
  // The segment that is being sent; nullopt if none.
  Result<std::optional<StreamSegment>> pending(const Context& context, const std::string& remote) const;
  Result<void> save_pending(const Context& context, const std::string& remote, const StreamSegment& segment) const;
  Result<void> drop_pending(const Context& context, const std::string& remote) const;
  Result<Erasures> erasures(const Context& context, const std::string& remote) const;
  Result<void> save(const Context& context, const std::string& remote, const Erasures& erasures) const;

  // Absolute paths of archives: of what was published here, and of what another device published.
  std::string published(const std::string& remote, std::uint64_t epoch) const;
  std::string from(const std::string& remote, const StreamId& stream) const;
  // Removes what is known of what was published in an epoch.
  Result<void> drop_published(const std::string& remote, std::uint64_t epoch) const;
  // Streams of other devices that are known here.
  Result<std::vector<StreamId>> streams(const std::string& remote) const;
  Result<StreamCursor> cursor(const Context& context, const std::string& remote, const StreamId& stream) const;
  Result<void> save(const Context& context, const std::string& remote, const StreamId& stream,
                    const StreamCursor& cursor) const;
  // Removes what was read of it.
  Result<void> drop_stream(const Context& context, const std::string& remote, const StreamId& stream) const;

 private:
  explicit SyncHome(std::shared_ptr<Root> root) : root_(std::move(root)) {}
  Result<std::optional<std::string>> load(const Context& context, const std::string& path) const;
  Result<void> replace(const Context& context, const std::string& path, std::string_view json) const;
  Result<void> save_key(const Context& context, const SigningKey& key) const;

  std::shared_ptr<Root> root_;
};

}  // namespace holdfast::inline v1
