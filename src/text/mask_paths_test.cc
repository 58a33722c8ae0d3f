#include "text/mask_paths.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace holdfast::inline v1 {
namespace {

TEST(MaskPaths, MasksWordsWithSlashOrDrive) {
  EXPECT_EQ(without_paths("look at /home/me/src/x.cc:12, then ~/notes and src/a.h"),
            "look at [path], then [path] and [path]");
  EXPECT_EQ(without_paths(R"(in "C:\Users\me" or \\host\share)"), R"(in "[path]" or [path])");
  EXPECT_EQ(without_paths("git@example.org:me/thing.git"), "[path]");
  EXPECT_EQ(without_paths("--root=/srv/x;/etc"), "--root=[path];[path]");
}

TEST(MaskPaths, MasksPathsOfWindows) {
  EXPECT_EQ(without_paths(R"(in %USERPROFILE%\notes and %APPDATA%\app.txt, src\main.c)"),
            "in [path] and [path], [path]");
  EXPECT_EQ(without_paths(R"("%APPDATA%\my app\notes.txt" "C:\Program Files\x y")"), R"("[path]" "[path]")");
}

TEST(MaskPaths, MasksQuotedPathsWithSpaces) {
  EXPECT_EQ(without_paths(R"(open "/srv/a b/file two.txt" now)"), R"(open "[path]" now)");
  EXPECT_EQ(without_paths("cat '~/my notes/a.txt' `/x y/z`"), "cat '[path]' `[path]`");
  EXPECT_EQ(without_paths("'/a' and \"b\" or '/c d"), "'[path]' and \"b\" or '[path] d");
}

TEST(MaskPaths, MasksQuotedPathsThatBeginInAnyWay) {
  for (const char* path :
       {"$HOME/Acme Merger/x y.txt", "${PWD}/a b c", "$(git rev-parse --show-toplevel)/Acme Merger", "./board minutes",
        "../board minutes", ".\\board minutes", "file:///home/alice/board minutes", "$env:APPDATA\\Acme Merger",
        "%ProgramFiles(x86)%\\Acme Merger", "c:/Acme Merger/x y", "src/acme merger/board minutes.txt",
        "Acme Merger/board minutes.txt:12:3"})
    for (const auto& [open, close] :
         {std::pair("\"", "\""), {"'", "'"}, {"`", "`"}, {"‘", "’"}, {"“", "”"}, {"](", ")"}})
      if (!std::string_view(path).contains(close)) {
        EXPECT_EQ(without_paths(std::string("open ") + open + path + close + ": gone"),
                  std::string("open ") + open + "[path]" + close + ": gone");
      }
  EXPECT_EQ(without_paths(R"({\"file\":\"/srv/a b/c d\",\"n\":1})"), R"({\"file\":\"[path]\",\"n\":1})");
  EXPECT_EQ(without_paths("at f (/srv/Acme Merger Board/x.js:1:2)"), "at f ([path])");
  EXPECT_EQ(without_paths("`/a b/c': no such file"), "`[path]': no such file");
}

TEST(MaskPaths, MasksEscapedSpaces) {
  EXPECT_EQ(without_paths(R"(cat /Users/alice/Acme\ Merger/board\ minutes.txt now)"), "cat [path] now");
  EXPECT_EQ(without_paths(R"(cd ~/Acme\ Merger && ls My\ File\ \(1\).pdf)"), "cd [path] && ls [path]");
  EXPECT_EQ(without_paths(R"(grep 'a\(b\)' x \( y \))"), R"(grep 'a\(b\)' x \( y \))");
}

TEST(MaskPaths, MasksDoubledBackslashes) {
  EXPECT_EQ(without_paths(R"({"file":"src\\billing\\AcmeMerger.cs"})"), R"({"file":"[path]"})");
  EXPECT_EQ(without_paths(R"(in %APPDATA%\\Acme\\x and C:\\Users\\Alice Smith\\Plan.txt)"),
            "in [path] and [path] [path]");
}

TEST(MaskPaths, MasksKnownPlacesHoweverTheyAreWritten) {
  const std::string places[] = {"/home/me/Acme Merger", R"(C:\Users\Alice Smith)", "/app"};
  for (const char* text : {"/home/me/Acme Merger", "/home/me/Acme Merger/x.cc:3", R"(/home/me/Acme\ Merger/x)",
                           "/HOME/me/acme merger", "file:///home/me/Acme%20Merger/x", "C:\\Users\\Alice Smith\\x",
                           R"(c:\\users\\alice smith)", "/c/Users/x/home/me/Acme Merger", "C:/Users/Alice Smith/x",
                           "--root:/home/me/Acme Merger/x", "http://localhost:3000/@fs/home/me/Acme Merger/x"})
    EXPECT_EQ(without_paths(text + std::string(" and more"), places), "[path] and more") << text;
  EXPECT_EQ(without_paths("\"/home/me/Acme Merger/the plan.txt\": gone", places), "\"[path]\": gone");
  EXPECT_EQ(json_without_paths(R"({"prompt":"see /home/me/Acme Merger now"})", places),
            R"({"prompt":"see [path] now"})");
  for (const char* text : {"the Acme Merger", "https://example.org/app/x"})
    EXPECT_EQ(without_paths(text, places), text);
}

TEST(MaskPaths, KeepsQuotedProse) {
  for (const char* text : {"he said \"read it again\"", "don't say \"it's b.txt\" or 'so'",
                           "\"see https://example.org/a b.txt\"", "a \"b\" c.txt", "x = \"1/2 of it\""})
    EXPECT_EQ(without_paths(text), text);
  EXPECT_EQ(without_paths("(see src/a.cc, and others)"), "(see [path], and others)");
}

TEST(MaskPaths, KeepsOtherWords) {
  for (const char* text : {"", "a plain sentence.", "see https://example.org/a/b", "1/2 // 3", "x = y", "a\nb\tc"})
    EXPECT_EQ(without_paths(text), text);
}

TEST(MaskPaths, MasksEncodedBytes) {
  EXPECT_EQ(without_paths("data:image;base64," + std::string(4000, 'A')), "data:image;base64,[bytes]");
}

TEST(MaskPaths, KeepsJsonValid) {
  EXPECT_EQ(json_without_paths(R"({"file_path":"auth.cc","n":1,"command":"ls /tmp/x","a":["b/c",true]})"),
            R"({"file_path":"[path]","n":1,"command":"ls [path]","a":["[path]",true]})");
  EXPECT_EQ(json_without_paths(R"({"/home/me":"\u002fetc\u002fx"})"), R"({"[path]":"[path]"})");
  EXPECT_EQ(json_without_paths("not json"), "");
}

}  // namespace
}  // namespace holdfast::inline v1
