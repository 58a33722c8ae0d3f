// Several copies of one session: on this machine, and what sync has read of others. Thread-safety: one thread an
// object.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "api/session_name.h"
#include "archive/archive.h"
#include "archive/continuation.h"

namespace holdfast::inline v1 {

// Blocks of an archive; its packs are looked at when the first one is wanted.
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

// Who has a session, by layout and id. What is added outlives this.
class Copies {
 public:
  // `path`: of the stream that they came in; empty: this machine's own.
  void add(const CaptureState& state, std::string_view path, const decltype(SessionCopy::read)& read);

  // When several machines have a session, the copy that goes furthest represents those that it continues; of equal
  // ones the first, and this machine's before all others.
  bool is_behind(const CaptureKey& key, const CapturedSession& session) const;
  // Those of this machine that are behind another one's, and when they were changed last.
  std::map<SessionName, std::string> continued_elsewhere() const;

 private:
  struct Copy {
    std::string_view path;
    SessionCopy copy;
  };
  static bool is_behind(const std::vector<Copy>& all, const Copy& mine);

  std::map<std::pair<std::string_view, std::string_view>, std::vector<Copy>> copies_;
};

struct CopiesElsewhere {
  // Sessions of this machine that the copy of another one continues, and when they were changed last as they were
  // captured: what was changed since is not continued by it.
  std::map<SessionName, std::string> continued;
  HandOffs handed_off;  // as the machines say of their own sessions
};

// Of all machines that are known. Offline; what cannot be read has nothing to say.
CopiesElsewhere copies_elsewhere(const Call& call);

}  // namespace holdfast::inline v1
