// A home whose lines run as an ordinary user, to whom the permissions of files apply.
#pragma once

#include "tests/cli/cli_testing.h"
#include "tests/cli/ordinary_user_testing.h"

namespace holdfast::inline v1 {

struct OrdinaryUser : CliHome {
  // Runs a line as a user to whom permissions apply.
  int user(const std::string& line) {
    std::ofstream(home + "/as_user") << "H=" << public_binary() << "\ncd $HOME/desk\n" << line << "\n";
    return sh(give_home() + "; exec " + as_ordinary_user() + "sh $HOME/as_user");
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
