// A home whose lines run as an ordinary user, to whom the permissions of files apply.
#pragma once

#include <unistd.h>

#include <filesystem>

#include "disk/real_testing.h"
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {

// A copy of the binary in a folder that is open to every user.
struct PublicBinary {
  PublicBinary() {
    std::filesystem::permissions(scratch.path(), std::filesystem::perms(0755));
    std::filesystem::copy_file(paths::binary(), path);
  }
  TemporaryDirectory scratch;
  const std::string path = scratch.path() + "/holdfast";
};

struct OrdinaryUser : CliHome {
  // The binary; a copy of it if it is below a folder that only its owner may enter, such as /root.
  static std::string reachable_binary() {
    namespace fs = std::filesystem;
    fs::path at = paths::binary();
    while (at.has_relative_path()) {
      at = at.parent_path();
      if ((fs::status(at).permissions() & fs::perms::others_exec) != fs::perms::none) continue;
      static const PublicBinary copy;
      return copy.path;
    }
    return paths::binary();
  }
  // Runs a line as a user to whom permissions apply.
  int user(const std::string& line) {
    std::ofstream(home + "/as_user") << "H=" << reachable_binary() << "\ncd $HOME/desk\n" << line << "\n";
    const std::string as = ::geteuid() != 0 ? ""
                                            : "chown -R 65534:65534 $HOME; exec setpriv --reuid=65534 "
                                              "--regid=65534 --clear-groups ";
    return sh(as + "sh $HOME/as_user");
  }
  // Creates a store of this layout with one session of one message; lines then use "$S".
  std::string store_of(const std::string& layout) {
    const std::string where = "S='--store " + layout + ":" + home + "/" + layout + "'\n";
    EXPECT_EQ(user(where + "mkdir $HOME/" + layout + "\n$H store create $S"), 0) << err;
    EXPECT_EQ(user(where + "$H session create --project $HOME/desk $S && $H message append @last hello $S"), 0) << err;
    return where;
  }
  std::string field_of(const std::string& where, const std::string& name) {
    EXPECT_EQ(user(where + "$H session get @last --json $S"), 0) << err;
    return field({"session", name});
  }
  void TearDown() override {
    sh("chmod -R u+rwX $HOME");
    CliHome::TearDown();
  }
};

}  // namespace holdfast::inline v1
