// What this home remembers about remotes: its device, the remotes it knows, and how far it is with each.
// Documents below $XDG_DATA_HOME/holdfast/sync, replaced durably as a whole. docs/formats/sync.md.
// Lifetime: the FileSystem outlives it. Thread-safety: one thread an object; one process at a time while it syncs.
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

// What of a project goes to a remote.
struct ProjectShare {
  std::string identity;  // of the project (project_identity.h)
  std::string project;   // the directory that was named, for people
  std::string policy;    // "full", "redacted"; "withheld": nothing, though it lies in another one that is shared
};

enum class DeviceTrust { seen, trusted, revoked };
std::string_view trust_name(DeviceTrust trust);

struct KnownDevice {
  std::string name = {};  // as it calls itself
  DeviceTrust trust = DeviceTrust::seen;
  std::string since = {};
  std::string key = {};  // public; "": met by an older Holdfast
};

// A key of an encrypted remote that came after its first one (remote_keys.h).
struct LaterKey {
  std::string secret = {};             // 16 bytes
  bool write = false;                  // this device writes with it, or did; the last of these is for what follows
  std::set<std::string> readers = {};  // devices that are to get it from this one
  std::set<std::string> given = {};    // that it is there for
};

struct RemoteSettings {
  std::string name, url, id;
  std::string secret = {};          // 16 bytes of an encrypted one; empty: it is not
  std::vector<LaterKey> keys = {};  // in the order of their use
  std::string machine = {};         // what people call this device there
  std::vector<ProjectShare> shares = {};
  std::map<std::string, KnownDevice> devices = {};  // by id, others only

  RemoteSecret key() const;
  std::set<std::string> revoked() const;
};

// The own stream at a remote.
struct OwnStream {
  std::uint64_t epoch = 1;
  StreamHead head = {};
  std::uint64_t last_op = 0;                    // numbers are never used again, also when nothing is shared any more
  std::map<StreamId, std::uint64_t> told = {};  // how far others were told that they are read
  std::set<std::string> revoked = {};           // devices of which others were told that they are
  std::set<std::uint64_t> left = {};            // epochs that this home wrote before
};

// How far the stream of another device is read, and what it says of itself.
struct StreamCursor {
  StreamHead head = {};
  std::uint64_t content = 0;                                   // the last segment with something in it for us
  std::string machine = {};                                    // what people call it
  std::map<std::string, std::vector<std::string>> names = {};  // policy -> keys of chunk names, raw, the newest last
  std::map<StreamId, std::uint64_t> seen = {};                 // how far it has read others
  std::set<std::string> withdrawn = {};  // sessions that are no longer shared: "layout\nstore\nid"
};

// Erasures at the remote that are decided and not done.
struct Erasures {
  std::uint64_t epoch = 0;  // of the bodies
  std::set<std::uint64_t> bodies = {};
  std::set<std::string> chunks = {};
  bool empty() const { return bodies.empty() && chunks.empty(); }
};

class SyncHome {
 public:
  // Makes the directory when `create`; not_found otherwise.
  static Result<std::unique_ptr<SyncHome>> open(const Context& context, FileSystem& file_system,
                                                const std::string& path, bool create);

  FileSystem& files() const { return root_->file_system(); }
  const std::string& path() const { return root_->path(); }

  // Held while remotes are changed or synced; busy while another process does.
  Result<std::unique_ptr<File>> lock() const;

  // This home on this machine; made at first use.
  Result<SigningKey> device(const Context& context) const;

  Result<std::vector<RemoteSettings>> remotes(const Context& context) const;
  Result<RemoteSettings> remote(const Context& context, const std::string& name) const;  // not_found
  Result<void> save(const Context& context, const RemoteSettings& settings) const;
  // With everything that was read from it.
  Result<void> forget(const Context& context, const std::string& name) const;

  // An epoch that was given up is remembered like a remote of this name: own_stream, pending, erasures, published.
  static std::string left(const std::string& remote, std::uint64_t epoch) {
    return remote + "/left/" + std::to_string(epoch);
  }

  Result<OwnStream> own_stream(const Context& context, const std::string& remote) const;
  Result<void> save(const Context& context, const std::string& remote, const OwnStream& stream) const;
  // A segment on its way; nullopt: none.
  Result<std::optional<StreamSegment>> pending(const Context& context, const std::string& remote) const;
  Result<void> save_pending(const Context& context, const std::string& remote, const StreamSegment& segment) const;
  Result<void> drop_pending(const Context& context, const std::string& remote) const;
  Result<Erasures> erasures(const Context& context, const std::string& remote) const;
  Result<void> save(const Context& context, const std::string& remote, const Erasures& erasures) const;

  // Absolute: archives of what was published, and of what others did.
  std::string published(const std::string& remote, std::uint64_t epoch) const;
  std::string from(const std::string& remote, const StreamId& stream) const;
  // Streams of others that something is known of.
  Result<std::vector<StreamId>> streams(const std::string& remote) const;
  Result<StreamCursor> cursor(const Context& context, const std::string& remote, const StreamId& stream) const;
  Result<void> save(const Context& context, const std::string& remote, const StreamId& stream,
                    const StreamCursor& cursor) const;

 private:
  explicit SyncHome(std::shared_ptr<Root> root) : root_(std::move(root)) {}
  Result<std::optional<std::string>> load(const Context& context, const std::string& path) const;
  Result<void> replace(const Context& context, const std::string& path, std::string_view json) const;

  std::shared_ptr<Root> root_;
};

}  // namespace holdfast::inline v1
