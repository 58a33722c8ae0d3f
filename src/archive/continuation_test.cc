// Copies of a session as two machines captured them: the same bytes in other pieces, in other directories,
// and with the bytes of one copy missing.
#include "archive/continuation.h"

#include <gtest/gtest.h>

#include <deque>

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

// The files of one machine.
struct Machine {
  explicit Machine(std::string name) : folder(std::move(name)) {}

  // `pieces`: sizes of the pieces after the last whole block; the rest is the last piece.
  SessionCopy capture(const std::string& bytes, const std::vector<std::size_t>& pieces = {}) {
    auto version = std::make_shared<FileVersion>();
    std::size_t piece = 0;
    for (std::size_t at = 0; at < bytes.size();) {
      std::size_t size = std::min(kBlockBytes, bytes.size() - at);
      if (size < kBlockBytes && piece < pieces.size()) size = pieces[piece++];
      const std::string part = bytes.substr(at, size);
      version->blocks.push_back({sha256_hex(part), static_cast<std::uint32_t>(size)});
      if (here) chunks[version->blocks.back().name] = part;
      at += size;
    }
    version->size = bytes.size();
    CapturedSession& session = sessions.emplace_back();
    session.head[{"home", "projects/" + folder + "/" + key.id + ".jsonl"}] = std::move(version);
    return {&key, &session, [this](const FileBlock& block) -> std::optional<std::string> {
              ++read;
              const auto found = chunks.find(block.name);
              return found == chunks.end() ? std::nullopt : std::optional(found->second);
            }};
  }

  const std::string folder;
  const CaptureKey key{"claude-code", "/home/" + folder + "/.claude", "cccccccc-0000-4000-8000-000000000001"};
  bool here = true;
  std::map<std::string, std::string> chunks = {};
  std::deque<CapturedSession> sessions = {};
  int read = 0;
};

struct Continuation : testing::Test {
  Machine a{"-srv-thing"}, b{"-home-me-thing"};
  const std::string block = std::string(kBlockBytes - 1, 'x') + "\n";
};

TEST_F(Continuation, SamePiecesAreComparedWithoutReading) {
  a.here = b.here = false;
  const SessionCopy two = a.capture("one\ntwo\n", {4}), three = b.capture("one\ntwo\nthree\n", {4, 4});
  EXPECT_TRUE(continues(three, two));
  EXPECT_FALSE(continues(two, three));
  EXPECT_TRUE(continues(two, b.capture("one\ntwo\n", {4}))) << "the same in another directory";
  EXPECT_EQ(log_bytes(three), 14u);
  EXPECT_EQ(a.read + b.read, 0);
}

TEST_F(Continuation, SameBytesInDifferentPiecesAreRecognised) {
  const SessionCopy two = a.capture("one\ntwo\n"), three = b.capture("one\ntwo\nthree\n", {6});
  EXPECT_TRUE(continues(three, two));
  EXPECT_FALSE(continues(two, three));
  const SessionCopy other = b.capture("one\nTWO\nthree\n", {6});
  EXPECT_FALSE(continues(other, two));
  EXPECT_FALSE(continues(b.capture("one\ntwo\nTHREE\n"), three)) << "as long, and another";
  EXPECT_FALSE(continues(three, b.capture("one\ntwo\nTHREE\n")));
}

TEST_F(Continuation, BytesOfOneCopySuffice) {
  b.here = false;
  const SessionCopy two = a.capture("one\ntwo\n", {4}), same = b.capture("one\ntwo\n");
  EXPECT_TRUE(continues(two, same) && continues(same, two));
  const SessionCopy cut_there = b.capture("one\ntwo\nthree\n", {8});
  EXPECT_TRUE(continues(cut_there, two)) << "a piece ends where the shorter one does";
  const SessionCopy short_one = b.capture("one\n"), long_one = a.capture("one\ntwo\n");
  EXPECT_TRUE(continues(long_one, short_one)) << "the longer one is here";
  EXPECT_FALSE(continues(b.capture("one\ntwo\nthree\n"), two)) << "nobody can tell yet";
  b.here = true;
  EXPECT_TRUE(continues(b.capture("one\ntwo\nthree\n"), two));
}

TEST_F(Continuation, FullBlocksCompareByNameAndTailsByBytes) {
  const SessionCopy shorter = a.capture(block + "tail\n");
  EXPECT_TRUE(continues(b.capture(block + "tail\n" + block + block), shorter));
  EXPECT_LE(a.read + b.read, 1) << "one block";
  EXPECT_FALSE(continues(b.capture(block + "TAIL\n" + block + block), shorter)) << "they went apart in the tail";
  std::string changed = block;
  changed[7] = 'y';
  a.read = b.read = 0;
  EXPECT_FALSE(continues(b.capture(changed + "tail\nmore\n"), shorter));
  EXPECT_EQ(a.read + b.read, 0);
}

TEST_F(Continuation, MissingLogIsNotAContinuation) {
  const SessionCopy whole = a.capture("one\n"), other = b.capture("one\ntwo\n");
  CapturedSession nothing;
  EXPECT_FALSE(continues({&b.key, &nothing, {}}, whole));
  EXPECT_FALSE(continues(other, {&a.key, &nothing, {}})) << "there is nothing to continue";
}

TEST_F(Continuation, OtherFilesOfTheSessionAreIgnored) {
  const SessionCopy two = a.capture("one\ntwo\n"), three = b.capture("one\ntwo\nthree\n");
  auto beside = std::make_shared<FileVersion>();
  beside->blocks.push_back({sha256_hex("todo"), 4});
  beside->size = 4;
  a.sessions.back().head[{"home", "todos/" + a.key.id + "-agent.json"}] = beside;
  EXPECT_EQ(log_bytes(two), 8u);
  EXPECT_TRUE(continues(three, two));
}

// Hostile: a list of blocks that no capture makes.
TEST_F(Continuation, OversizedBlockListIsNotRead) {
  const std::string much(5 * kBlockBytes, 'z');
  const SessionCopy odd = a.capture(much), other = b.capture(much);
  auto version = std::make_shared<FileVersion>();
  version->blocks.push_back({sha256_hex(much.substr(0, 7)), 7});
  version->blocks.push_back({sha256_hex(much.substr(7)), static_cast<std::uint32_t>(much.size() - 7)});
  version->size = much.size();
  a.sessions.back().head.begin()->second = version;
  EXPECT_FALSE(continues(other, odd));
  EXPECT_EQ(a.read + b.read, 0);
}

}  // namespace
}  // namespace holdfast::inline v1
