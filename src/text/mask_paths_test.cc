#include "text/mask_paths.h"

#include <gtest/gtest.h>

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
