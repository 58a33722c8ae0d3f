// Stars, tags and titles that people give to sessions of any agent: in Holdfast's own files, shown by ls and show.
#include "tests/cli/serve_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

struct UserNotes : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    claude("aaaa1111-0000-4000-8000-000000000001", "\"why does login fail?\"");
    claude("bbbb2222-0000-4000-8000-000000000002", "\"write the docs\"");
  }
  std::string bytes_of_claude() {
    sh("find $HOME/.claude -type f -exec sha256sum {} + | sort; find $HOME/.claude | sort");
    return out;
  }
};

TEST_F(UserNotes, ListAndShowIncludeNotesAndLeaveAgentFilesAlone) {
  const std::string before = bytes_of_claude();
  ASSERT_EQ(sh("$H star aaaa && $H tag aaaa login '#urgent' && $H rename aaaa 'Login page'"), 0) << err;
  EXPECT_EQ(bytes_of_claude(), before);
  ASSERT_EQ(sh("$H ls"), 0);
  EXPECT_NE(out.find("* Login page #login #urgent"), std::string::npos) << out;
  EXPECT_NE(out.find("write the docs"), std::string::npos) << out;
  for (const std::string filter : {"--starred", "--tag login", "--starred --tag urgent"}) {
    ASSERT_EQ(sh("$H ls --json " + filter), 0) << err;
    EXPECT_EQ(field({"total"}), "1") << filter;
    const JsonItem first = *JsonView(out).find("sessions").elements().begin();
    const JsonView session = first.value;
    EXPECT_TRUE(session.find("starred").as_bool().value_or(false)) << out;
    EXPECT_EQ(session.find("tags").raw(), R"(["login","urgent"])") << out;
    EXPECT_TRUE(session.find("title").is_string("Login page")) << out;
  }
  EXPECT_EQ(sh("$H ls --tag nothing"), 1);
  for (const std::string command : {"$H show aaaa --format json", "$H call session.get '{\"id\":\"aaaa\"}'"}) {
    ASSERT_EQ(sh(command), 0) << err;
    EXPECT_EQ(field({"session", "title"}), "Login page") << out;
    EXPECT_EQ(field({"session", "starred"}), "true") << out;
  }
  ASSERT_EQ(sh("$H show aaaa"), 0) << err;
  EXPECT_TRUE(out.starts_with("Login page\n")) << out;
  EXPECT_NE(out.find("\nstarred · #login #urgent\n"), std::string::npos) << out;
  ASSERT_EQ(sh("$H show aaaa --format md"), 0) << err;
  EXPECT_NE(out.find("starred · "), std::string::npos) << out;
  ASSERT_EQ(sh("$H show bbbb"), 0) << err;
  EXPECT_EQ(out.find("starred"), std::string::npos) << out;
  EXPECT_EQ(bytes_of_claude(), before);
}

// A large session is printed while it is read.
TEST_F(UserNotes, ShowIncludesNotesOfLargeSession) {
  ClaudeLog log(home, "cccc3333-0000-4000-8000-000000000003");
  for (int i = 0; i < 30; ++i) log.prompt(std::string(300'000, 'x'));
  ASSERT_EQ(sh("$H star cccc && $H tag cccc big && $H rename cccc 'Many words'"), 0) << err;
  ASSERT_EQ(sh("$H show cccc | head -n 4"), 0) << err;
  EXPECT_TRUE(out.starts_with("Many words\n")) << out.substr(0, 300);
  EXPECT_NE(out.find("\nstarred · #big\n"), std::string::npos) << out.substr(0, 1000);
}

TEST_F(UserNotes, CanBeRemoved) {
  ASSERT_EQ(sh("$H star aaaa && $H tag aaaa a b c && $H rename aaaa X"), 0) << err;
  ASSERT_EQ(sh("$H star aaaa --remove && $H tag aaaa a c --remove && $H rename aaaa ''"), 0) << err;
  ASSERT_EQ(sh("$H ls --json --tag b"), 0);
  EXPECT_EQ(out.find("\"starred\""), std::string::npos) << out;
  EXPECT_NE(out.find(R"("tags":["b"])"), std::string::npos) << out;
  EXPECT_NE(out.find("why does login fail?"), std::string::npos) << out;
  EXPECT_EQ(sh("$H ls --starred"), 1);
  ASSERT_EQ(sh("$H tag aaaa b --remove && cat $HOME/.local/share/holdfast/notes/notes.json"), 0) << err;
  EXPECT_NE(out.find(R"({"schema_version":1,"sessions":{}})"), std::string::npos) << out;
}

TEST_F(UserNotes, RejectsInvalidNotes) {
  for (const std::string line : {"$H tag aaaa 'two words'", "$H tag aaaa \"$(printf 'x\\033[31m')\"", "$H tag aaaa a,b",
                                 "$H rename aaaa \"$(printf 'two\\nlines')\"", "$H tag aaaa"})
    EXPECT_EQ(sh(line), 2) << line;
  EXPECT_EQ(sh("$H star nothing"), 3);
  EXPECT_FALSE(std::filesystem::exists(home + "/.local/share/holdfast/notes/notes.json"));
  ASSERT_EQ(sh("$H star aaaa --dry-run"), 0) << err;
  EXPECT_FALSE(std::filesystem::exists(home + "/.local/share/holdfast/notes/notes.json"));
}

TEST_F(UserNotes, RejectionSaysWhatIsWrong) {
  const std::pair<std::string, std::string> all[] = {
      {"$H tag aaaa 'two words'", "a tag must be one word"},
      {"$H tag aaaa a,b", "a tag must be without commas"},
      {"$H tag aaaa -- -x", "a tag must be without a dash at the beginning"},
      {"$H tag aaaa \"$(printf 'x\\033[31m')\"", "a tag must be without control characters"},
      {"$H tag aaaa " + std::string(65, 'x'), "a tag must be at most 64 bytes long"},
      {"$H rename aaaa \"$(printf 'two\\nlines')\"", "a title must be one line"},
      {"$H rename aaaa \"$(printf 'a\\033[31m')\"", "a title must be without control characters"},
      {"$H rename aaaa '   '", "a title must be more than spaces"}};
  for (const auto& [line, why] : all) {
    EXPECT_EQ(sh(line), 2) << line;
    EXPECT_TRUE(err.contains(why)) << line << err;
  }
}

// A call that is refused has stored none of its tags.
TEST_F(UserNotes, RefusesMoreTagsThanASessionCanHave) {
  ASSERT_EQ(sh("$H tag aaaa $(seq -f t%g 1 31)"), 0) << err;
  for (const std::string option : {"", " --dry-run"}) {
    EXPECT_EQ(sh("$H tag aaaa a b" + option), 2) << out;
    EXPECT_TRUE(err.contains("a session can have at most 32 tags; this would make 33")) << err;
  }
  EXPECT_EQ(sh("$H ls --tag a"), 1) << out;
  ASSERT_EQ(sh("$H tag aaaa t1 a"), 0) << "one of them is there already: " << err;
  EXPECT_EQ(sh("$H ls --tag a"), 0) << err;
}

TEST_F(UserNotes, DryRunDescribesRemoval) {
  const auto would = [&](const std::string& words) {
    EXPECT_EQ(sh("$H " + words + " --dry-run"), 0) << err;
    return out + err;
  };
  const std::string session = "session aaaa1111-0000-4000-8000-000000000001 of claude-code:";
  EXPECT_TRUE(would("star aaaa").contains("would mark " + session)) << out << err;
  EXPECT_TRUE(would("star aaaa --remove").contains("would do nothing: " + session)) << out << err;
  EXPECT_TRUE(would("tag aaaa x --remove").contains(" is not tagged #x")) << out << err;
  EXPECT_TRUE(would("rename aaaa ''").contains(" has its own title")) << out << err;
  ASSERT_EQ(sh("$H star aaaa && $H tag aaaa x && $H rename aaaa Login"), 0) << err;
  EXPECT_TRUE(would("star aaaa").contains(" already has a star")) << out << err;
  EXPECT_TRUE(would("star aaaa --remove").contains("would remove the star from " + session)) << out << err;
  EXPECT_TRUE(would("tag aaaa x y --remove").contains("would remove #x from " + session)) << out << err;
  EXPECT_TRUE(would("tag aaaa x y").contains("would tag " + session)) << out << err;
  EXPECT_TRUE(would("rename aaaa New").contains(" the title New")) << out << err;
  EXPECT_TRUE(would("rename aaaa ''").contains(" its own title again")) << out << err;
  ASSERT_EQ(sh("$H ls --starred --tag x --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"title\":\"Login\"")) << out;
}

TEST_F(UserNotes, KeepsUnknownMembersAndToleratesDamage) {
  const std::string file = home + "/.local/share/holdfast/notes/notes.json";
  ASSERT_EQ(sh("$H star aaaa"), 0) << err;
  sh("sed -i 's/\"starred\":true/\"starred\":true,\"colour\":\"red\"/' " + file + "; $H tag aaaa x; cat " + file);
  EXPECT_NE(out.find(R"("colour":"red")"), std::string::npos) << out;
  sh("echo garbage > " + file + "; rm -rf $HOME/.local/share/holdfast/notes/.holdfast");
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "2");
  EXPECT_NE(out.find("notes.json"), std::string::npos) << out;
}

TEST_F(UserNotes, ServeAcceptsNotesOnlyWithWrite) {
  {
    const ServeProcess server(home);
    EXPECT_EQ(server.call("session.star", R"({"id":"aaaa"})").status, 403);
    EXPECT_EQ(server.call("hello").body.find("session.star"), std::string::npos);
  }
  const ServeProcess server(home, {"--write"});
  EXPECT_NE(server.call("hello").body.find("session.star"), std::string::npos);
  const HttpReply starred = server.call("session.star", R"({"id":"claude-code/aaaa1111-0000-4000-8000-000000000001"})");
  EXPECT_EQ(starred.status, 200) << starred.body;
  EXPECT_NE(starred.body.find("\"starred\":true"), std::string::npos) << starred.body;
  EXPECT_EQ(JsonView(server.call("session.list", R"({"starred":true})").body).find("total").as_int64(), 1);
  EXPECT_EQ(server.call("session.delete", R"({"id":"aaaa"})").status, 403);
}

TEST_F(UserNotes, RemovingMissingNoteReportsNothingToRemove) {
  ASSERT_EQ(sh("$H tag aaaa nothere --remove"), 0) << err;
  EXPECT_TRUE(out.starts_with("nothing to remove: claude-code/aaaa1111 is not tagged #nothere")) << out;
  ASSERT_EQ(sh("$H star aaaa --remove"), 0) << err;
  EXPECT_TRUE(out.starts_with("nothing to remove: claude-code/aaaa1111 has no star")) << out;
  ASSERT_EQ(sh("$H star aaaa && $H star aaaa --remove"), 0) << err;
  EXPECT_TRUE(out.contains("removed the star from claude-code/aaaa1111")) << out;
  ASSERT_EQ(sh("$H rename aaaa ''"), 0) << err;
  EXPECT_TRUE(out.starts_with("nothing to restore: claude-code/aaaa1111 has its own title")) << out;
  ASSERT_EQ(sh("$H rename aaaa Login && $H rename aaaa ''"), 0) << err;
  EXPECT_TRUE(out.contains("gave claude-code/aaaa1111 its own title again")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
