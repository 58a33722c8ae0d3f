// A user to whom the permissions of files apply, unlike root: whoever runs the tests, or another user if that is root.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/paths_testing.h"
#include "disk/real_testing.h"

namespace holdfast::inline v1 {

inline constexpr int kOrdinaryUser = 65534;

// Put before a command, runs it as that user.
inline std::string as_ordinary_user(int user = kOrdinaryUser) {
  if (::geteuid() != 0) return {};
  const std::string id = std::to_string(user);
  return "setpriv --reuid=" + id + " --regid=" + id + " --clear-groups ";
}

// A command that gives everything in the home to that user.
inline std::string give_home(int user = kOrdinaryUser) {
  const std::string id = std::to_string(user);
  return ::geteuid() != 0 ? "true" : "chown -R " + id + ":" + id + " $HOME";
}

// The binary; a copy of it if it is below a folder that only its owner may enter, such as /root.
inline std::string public_binary() {
  namespace fs = std::filesystem;
  struct Copy {
    Copy() {
      fs::permissions(scratch.path(), fs::perms(0755));
      fs::copy_file(paths::binary(), path);
    }
    TemporaryDirectory scratch;
    const std::string path = scratch.path() + "/holdfast";
  };
  fs::path at = paths::binary();
  while (at.has_relative_path()) {
    at = at.parent_path();
    if ((fs::status(at).permissions() & fs::perms::others_exec) != fs::perms::none) continue;
    static const Copy copy;
    return copy.path;
  }
  return paths::binary();
}

// Put before its arguments, runs the binary as that user.
inline std::string ordinary_holdfast() { return as_ordinary_user() + public_binary() + " "; }

}  // namespace holdfast::inline v1
