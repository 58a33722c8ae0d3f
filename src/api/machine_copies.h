// Compares the copies of a session on this machine with those that sync has read from others. Thread-safety: one
// thread per object.
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

// The copies of each session, by layout and id. What is added must outlive this.
class Copies {
 public:
  // `path` is that of the stream they came in; empty for this machine's own.
  void add(const CaptureState& state, std::string_view path, const decltype(SessionCopy::read)& read);

  // Whether another copy represents this one. A copy represents those that it continues; of equal copies the one with
  // the first path does, so this machine's before all others.
  bool is_behind(const CaptureKey& key, const CapturedSession& session) const;
  // The sessions of this machine that are behind another machine's copy, and when they were last changed.
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
  // Sessions of this machine that the copy of another one continues, and their updated_at when they were captured: the
  // copy does not continue a session that was changed since then.
  std::map<SessionName, std::string> continued;
  HandOffs handed_off;  // as the machines report about their own sessions
};

// For all known machines. Works offline; ignores what cannot be read.
CopiesElsewhere copies_elsewhere(const Call& call);

}  // namespace holdfast::inline v1
