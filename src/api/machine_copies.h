// Compares the copies of a session on this machine with those that sync has read from others. Thread-safety: one
// thread per object.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "api/session_name.h"
#include "archive/archive.h"
#include "archive/continuation.h"

namespace holdfast::inline v1 {

// Reads blocks of an archive; loads its packs at the first read.
class BlocksOf {
 public:
  BlocksOf(const Context& context, FileSystem& files, std::string path)
      : context_(context), files_(files), path_(std::move(path)) {}
  std::optional<std::string> read(const FileBlock& block);

 private:
  const Context& context_;
  FileSystem& files_;
  const std::string path_;
  bool looked_ = false;
  std::unique_ptr<Directory> directory_;
  std::optional<Packs> packs_;
};

// What was read of one stream, with the `forms` of its StreamCursor.
struct KnownForms {
  const CaptureState& state;
  const std::map<std::string, std::string>& forms;
};
// A session that was shared in full and then redacted, or the other way round, may be here in both forms, each perhaps
// in an epoch of its own: the copies in the form that was changed first. The other form represents the session.
std::set<const CapturedPair*> earlier_copies(const std::vector<KnownForms>& streams_of_device);

// Copies that came together.
struct CopySource {
  std::string_view path = {};             // of the stream's archive; empty for this machine's own
  decltype(SessionCopy::read) read = {};  // blocks of it
  std::function<bool(const CapturedSession& session)> is_here = {};  // with all bytes; empty: this does not matter
  std::function<bool(const CapturedPair& one)> is_replaced = {};     // by another copy, so it is left out; empty: none
};

// The copies of each session, by layout and id. What is added must outlive this.
class Copies {
 public:
  void add(const CaptureState& state, const CopySource& source);

  // Whether another copy represents this one. A copy represents those that it continues. Of equal copies this
  // machine's does, otherwise one that is here, otherwise that of the newest epoch of the first device, otherwise the
  // one that was published last.
  bool is_behind(const CaptureKey& key, const CapturedSession& session) const;
  // The sessions of this machine that are behind another machine's copy, and when they were last changed.
  std::map<SessionName, std::string> continued_elsewhere() const;

 private:
  struct Copy {
    std::string_view path;
    SessionCopy copy;
    std::function<bool(const CapturedSession& session)> is_here;
  };
  static bool is_before(const Copy& one, const Copy& other);
  static bool is_behind(const std::vector<Copy>& all, const Copy& mine);

  std::map<std::pair<std::string_view, std::string_view>, std::vector<Copy>> copies_;
};

// What was read of one stream.
struct ReadStream {
  std::string path;
  std::unique_ptr<Archive> archive;
  std::set<CaptureKey> replaced;                  // as replaced_sessions()
  std::map<std::string, std::string> forms = {};  // as in its StreamCursor

  // Whether the copy in a later epoch takes its place.
  bool is_replaced(const CapturedPair& one) const;
};
// The sessions of a device in its streams, without parts of others. True if all bytes are here of the copy that lists
// show, or of every branch.
std::map<SessionName, bool> sessions_here(const std::vector<ReadStream>& streams);

struct CopiesElsewhere {
  // Sessions of this machine that the copy of another one continues, and their updated_at when they were captured: the
  // copy does not continue a session that was changed since then.
  std::map<SessionName, std::string> continued;
  HandOffs handed_off;  // as the machines report about their own sessions
};

// For all known machines. Works offline; ignores what cannot be read.
CopiesElsewhere copies_elsewhere(const Call& call);

}  // namespace holdfast::inline v1
