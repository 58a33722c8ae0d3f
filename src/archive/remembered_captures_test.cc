#include "archive/remembered_captures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "archive/archive_testing.h"
#include "archive/rewrite_archive.h"

namespace holdfast::inline v1 {
namespace {

constexpr char kCache[] = "/data/cache";

std::string told(const Versions& files) {
  std::string text;
  for (const auto& [place, file] : files) {
    text += " " + place.root + ":" + place.path + " " + std::to_string(file->size) + " " + std::to_string(file->mode) +
            " " + std::to_string(file->mtime_ns) + " " + std::to_string(file->ctime_ns) + " " +
            std::to_string(file->inode) + " " + std::to_string(file->worse) + std::to_string(file->gone) + " " +
            std::to_string(file->holed) + " " + std::to_string(file->lacks);
    for (const FileBlock& block : file->blocks) text += " " + block.name + "/" + std::to_string(block.size);
    text += "\n";
  }
  return text;
}

// Everything that a state says.
std::string told(const CaptureState& state) {
  std::string text = std::to_string(state.captures) + " " + std::to_string(state.last_number) + " " + state.first_at +
                     " " + state.last_at + " " + std::to_string(state.log_end) + " " +
                     std::to_string(state.unfinished) + "\n";
  for (const auto& [pack, named] : state.named_until)
    text += std::to_string(pack) + " " + std::to_string(named.end) + " " + named.name + "\n";
  for (const Finding& finding : state.findings) text += std::to_string(finding.offset) + finding.consequence + "\n";
  for (const auto& [key, session] : state.sessions)
    text += key.layout + " " + key.store + " " + key.id + " " + std::to_string(session.number) + " " + session.at +
            " " + session.first_at + " " + session.shown_at + " " + session.device + " " +
            std::to_string(session.inner) + " " + session.row + " " + session.origin + "\n" + told(session.last) +
            "shown\n" + told(session.head);
  return text;
}

struct RememberedCapturesTest : testing::Test {
  void SetUp() override { must(disk.put_file("/data/keep", "")); }

  std::string anew() { return told(must(Archive::open({}, disk, kArchivePath))->state()); }
  std::string remembered(const std::string& containing = {}) {
    return told(must(Archive::open({}, disk, kArchivePath, {.cache = kCache, .containing = containing}))->state());
  }
  std::string file() const {
    for (const std::string& path : disk.paths())
      if (path.starts_with(std::string(kCache) + "/captures-")) return path;
    return {};
  }
  // Of a session with some files, some of which are worse than before, gone, or elsewhere.
  void capture(int n, const std::string& cache = kCache) {
    auto writer = must(ArchiveWriter::open({}, disk, kArchivePath, ArchiveOrder::chunks_first, cache));
    EXPECT_EQ(told(writer->state()), anew());
    const std::string id = "session-" + std::to_string(n);
    const CaptureKey key{"made-up", "/s", id};
    const auto known = writer->state().sessions.find(key);
    Capture capture;
    capture.session = key;
    capture.at = "2026-11-16T00:00:" + std::to_string(10 + step_ % 50) + ".000Z";
    capture.inner = n == 3;
    capture.row = R"({"title":"t)" + std::to_string(step_) + R"(","project":"/p/)" + std::to_string(n % 2) + "\"}";
    for (const std::string name : {"a.jsonl", "b.json", "c.jsonl"}) {
      const std::uint64_t what = random_() % 10;
      if (what < 3) continue;
      const Place place{"home", id + "/" + name};
      const auto* const last = known == writer->state().sessions.end() ? nullptr : &known->second.last;
      const auto before = last == nullptr || !last->contains(place) ? nullptr : last->at(place);
      if (what == 3 && before != nullptr) {
        capture.files.push_back({.place = place, .version = nullptr, .keep = 0, .moved = true});
        continue;
      }
      FileVersion version;
      if (before != nullptr) version.blocks = before->blocks;
      const std::string piece = some_bytes(++step_, 3000);
      version.blocks.push_back({must(writer->add_chunk({}, piece)), static_cast<std::uint32_t>(piece.size())});
      for (const FileBlock& block : version.blocks) version.size += block.size;
      version.inode = random_();
      version.inode >>= 1U;
      version.mtime_ns = -5;
      version.worse = what == 4;
      version.gone = what == 5;
      version.holed = what == 6 ? version.size + 7 : 0;
      version.lacks = what == 7 ? 3 : 0;
      capture.files.push_back({place, std::make_shared<FileVersion>(version), before ? before->blocks.size() : 0});
    }
    must(writer->add({}, std::move(capture)));
    must(writer->close({}));
  }

  SimFileSystem disk;
  std::mt19937_64 random_{11};
  int step_ = 0;
};

TEST_F(RememberedCapturesTest, SaysWhatTheLogSays) {
  for (int n = 0; n < 60; ++n) {
    capture(n % 5);
    if (n % 3 == 0) {
      EXPECT_EQ(remembered(), anew());
    }
    if (n % 20 == 19) {
      auto writer = must(ArchiveWriter::open({}, disk, kArchivePath));
      must(compact_archive({}, *writer));
      writer.reset();
      EXPECT_EQ(remembered(), anew());
    }
  }
  EXPECT_EQ(remembered(), anew());
}

TEST_F(RememberedCapturesTest, AddsWhatIsNewAndIsWrittenAnewWhenItIsLong) {
  std::size_t most = 0, rewritten = 0, before = 0;
  for (int n = 0; n < 1500; ++n) {
    capture(n % 3);
    remembered();
    const std::size_t size = disk.read_file(file()).value_or("").size();
    rewritten += size < before ? 1 : 0;
    most = std::max(most, size);
    before = size;
    if (rewritten > 1) break;
  }
  EXPECT_GT(rewritten, 1U);
  EXPECT_LT(most, std::size_t{2} << 20);
  EXPECT_EQ(remembered(), anew());
}

// Two readers have seen different ends of the log.
TEST_F(RememberedCapturesTest, SlowerProcessDoesNotUndoWhatAFasterOneKnew) {
  capture(1);
  remembered();
  const std::string first = must(disk.read_file(file()));
  capture(2);
  remembered();
  const std::string slower = must(disk.read_file(file())).substr(first.size());
  must(disk.put_file(file(), first));
  capture(3);
  capture(2);
  remembered();
  const std::string faster = must(disk.read_file(file())).substr(first.size());
  ASSERT_FALSE(slower.empty() || faster.empty());
  for (const std::string& both : {first + faster + slower, first + slower + faster}) {
    must(disk.put_file(file(), both));
    EXPECT_EQ(remembered(), anew());
    EXPECT_EQ(remembered(), anew());
  }
}

TEST_F(RememberedCapturesTest, WrongBytesAreNotBelieved) {
  for (int n = 0; n < 4; ++n) capture(n);
  const std::string right = anew();
  remembered();
  capture(1);
  const std::string now = anew();
  ASSERT_NE(now, right);
  remembered();
  const std::string bytes = must(disk.read_file(file()));
  for (std::size_t at = 0; at < bytes.size(); at += at < 200 ? 1 : 7) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(wrong[at] ^ 4);
    must(disk.put_file(file(), wrong));
    ASSERT_EQ(remembered(), now) << at;
    must(disk.put_file(file(), bytes.substr(0, at)));
    ASSERT_EQ(remembered(), now) << at;
  }
}

// A reader takes no lock. What it had remembered of the log that it read must not count for the one that took its
// place.
TEST_F(RememberedCapturesTest, LogIsReplacedWhileItIsFolded) {
  const std::string log = std::string(kArchivePath) + "/" + std::string(kCaptureLog);
  for (const bool warm : {false, true}) {
    for (int n = 0; n < 6; ++n) capture(n % 3, warm ? kCache : "");
    if (warm) remembered();
    for (int n = 0; n < 4; ++n) capture(n % 3, "");
    // A log that is longer, whose lines are valid and say something else.
    const std::string now = must(disk.read_file(log));
    std::string other;
    for (std::string_view rest = now; !rest.empty();) {
      std::string line(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(line.size() + 1);
      if (const std::size_t crc = line.find(R"(,"crc":)"); crc != std::string::npos)
        line.replace(crc, std::string::npos, "}");
      other += line.insert(line.find(R"("title":")") + 9, "of quite another log, ") + "\n";
    }
    ASSERT_GE(other.size(), now.size());
    const auto directory = must(disk.open_directory(kArchivePath, false));
    Packs packs = must(Packs::load({}, *directory));
    RememberedCaptures memory(disk, kCache, kArchivePath);
    bool replaced = false;
    const auto seen = [&](const Capture&, const CapturedSession&) {
      if (std::exchange(replaced, true)) return;
      must(disk.put_file(log + ".new", other));
      must(directory->rename(std::string(kCaptureLog) + ".new", kCaptureLog));
    };
    const std::string before = anew();
    EXPECT_EQ(told(must(load_captures({}, *directory, packs, {.until = {}, .seen = seen}, &memory))), before);
    ASSERT_TRUE(replaced);
    ASSERT_NE(anew(), before);
    EXPECT_EQ(remembered(), anew());
  }
}

// Lines that contradict what is remembered are right, and nothing of them is damage.
TEST_F(RememberedCapturesTest, WrongMemoryIsReplaced) {
  for (int n = 0; n < 9; ++n) capture(n % 3, "");
  {
    const auto directory = must(disk.open_directory(kArchivePath, false));
    Packs packs = must(Packs::load({}, *directory));
    CaptureState wrong = must(load_captures({}, *directory, packs));
    for (auto& [key, session] : wrong.sessions) session.number += 100;
    RememberedCaptures memory(disk, kCache, kArchivePath);
    memory.note(*must(directory->open(kCaptureLog, OpenMode::read)), wrong, {});
  }
  ASSERT_NE(remembered(), anew());
  for (int n = 0; n < 9; ++n) capture(n % 3, "");
  EXPECT_EQ(remembered(), anew());
  for (int n = 0; n < 9; ++n) {
    capture(n % 3, "");
    EXPECT_EQ(remembered(), anew());
  }
}

// Damage in the log is found although the size and everything else is as it was.
TEST_F(RememberedCapturesTest, DamageInTheLogIsFound) {
  for (int n = 0; n < 4; ++n) capture(n);
  remembered();
  const std::string log = std::string(kArchivePath) + "/" + std::string(kCaptureLog), bytes = must(disk.read_file(log));
  std::size_t found = 0, flipped = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 13) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    must(disk.put_file(log, wrong));
    ASSERT_EQ(remembered(), anew()) << at;
    found += must(Archive::open({}, disk, kArchivePath, {.cache = kCache}))->state().findings.empty() ? 0 : 1;
    ++flipped;
  }
  EXPECT_GT(found * 50, flipped * 49) << "a line without the name of its checksum is one of an earlier version";
  for (std::size_t at = 0; at < bytes.size(); at += 13) {
    must(disk.put_file(log, bytes.substr(0, at)));
    ASSERT_EQ(remembered(), anew()) << at;
  }
  must(disk.put_file(log, bytes));
  EXPECT_EQ(remembered(), anew());
}

TEST_F(RememberedCapturesTest, PacksThatAreAwayAreNoticed) {
  for (int n = 0; n < 4; ++n) capture(n);
  remembered();
  const std::string pack = std::string(kArchivePath) + "/" + pack_path(1), bytes = must(disk.read_file(pack));
  must(disk.put_file(pack, bytes.substr(0, bytes.size() - 100)));
  EXPECT_EQ(remembered(), anew());
  must(disk.put_file(pack, bytes));
  EXPECT_EQ(remembered(), anew());
}

TEST_F(RememberedCapturesTest, OneSessionComesWithThoseOfItsProject) {
  for (int n = 0; n < 40; ++n) capture(n % 5);
  EXPECT_EQ(remembered("session-1"), anew()) << "nothing was remembered yet";
  for (const std::string id : {"session-1", "session-3", "session-4"}) {
    const auto state = must(Archive::open({}, disk, kArchivePath, {.cache = kCache, .containing = id}))->state();
    const auto whole = must(Archive::open({}, disk, kArchivePath))->state();
    EXPECT_EQ(state.sessions.size(), id == "session-4" ? 3U : 2U) << "even numbers are of one project";
    for (const auto& [key, session] : state.sessions) {
      EXPECT_EQ(told(session.last), told(whole.sessions.at(key).last));
      EXPECT_EQ(told(session.head), told(whole.sessions.at(key).head));
    }
    EXPECT_TRUE(state.sessions.contains({"made-up", "/s", id}));
  }
  EXPECT_EQ(must(Archive::open({}, disk, kArchivePath, {.cache = kCache, .containing = "x-"}))->state().sessions.size(),
            0U);
  EXPECT_EQ(remembered(), anew());
}

}  // namespace
}  // namespace holdfast::inline v1
