#include "index/found_refs_cache.h"

#include <gtest/gtest.h>

#include "crash/disk/sim_testing.h"
#include "model/packing.h"

namespace holdfast {
namespace {

constexpr std::int64_t kLater = INT64_MAX / 2;

struct FoundRefsCacheTest : testing::Test {
  SimFileSystem disk;
  std::unique_ptr<Directory> directory;
  RootDirectories roots;
  const std::vector<SessionRef> refs{{"ses_1", {"data", "logs/a.jsonl"}, "one", "a hint", false},
                                     {"ses\n2", {"data", "logs/b.jsonl"}, "", "", true}};
  const Place logs{"data", "logs"}, titles{"data", "titles.json"}, other{"data", "other"};

  void SetUp() override {
    must(disk.put_file("/s/logs/a.jsonl", "{}\n"));
    must(disk.put_file("/s/logs/b.jsonl", "{}\n"));
    must(disk.put_file("/s/titles.json", "{}"));
    directory = must(disk.open_directory("/s", false));
    roots["data"] = directory.get();
  }
  Fingerprint print(std::string_view path) { return Fingerprint::of(must(directory->stat(path))); }
  FoundRefsCache file(std::string_view cache = "/cache") { return {disk, std::string(cache), "made-up:/s"}; }
  void save(std::int64_t looked_ns = kLater) {
    SeenFiles seen(roots);
    must(seen.list(logs));
    must(seen.list(other));
    file().save(FoundRefs(refs), seen, {{titles, print("titles.json")}}, looked_ns);
  }
  std::optional<FoundRefs> load() {
    SeenFiles seen(roots);
    return file().load(roots, seen);
  }
  std::string cached() {
    const auto cache = must(disk.open_directory("/cache", false));
    const auto names = must(cache->list(""));
    return names.size() == 1 ? "/cache/" + names.front().name : "";
  }
};

void expect_same(const FoundRef& found, const SessionRef& ref) {
  const SessionRef again = found.ref();
  EXPECT_EQ(again.id, ref.id);
  EXPECT_EQ(again.place, ref.place);
  EXPECT_EQ(again.project, ref.project);
  EXPECT_EQ(again.hint, ref.hint);
  EXPECT_EQ(again.inner, ref.inner);
  EXPECT_EQ(found.key, SessionKey::of(ref));
}

TEST_F(FoundRefsCacheTest, LoadsWhatWasSaved) {
  EXPECT_FALSE(load());
  save();
  const auto found = load();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->all().size(), refs.size());
  for (std::size_t i = 0; i < refs.size(); ++i) expect_same(found->all()[i], refs[i]);
}

TEST_F(FoundRefsCacheTest, ValidWhenFilesGrowInvalidWhenNamesChange) {
  save();
  must(disk.put_file("/s/logs/a.jsonl", "{}\n{}\n"));
  EXPECT_TRUE(load());
  must(disk.put_file("/s/logs/c.jsonl", "{}\n"));
  EXPECT_FALSE(load());
  must(directory->remove("logs/c.jsonl"));
  EXPECT_TRUE(load());
  must(directory->remove("logs/b.jsonl"));
  EXPECT_FALSE(load());
  must(directory->make_directory("logs/b.jsonl"));
  EXPECT_FALSE(load());
}

TEST_F(FoundRefsCacheTest, InvalidWhenMissingDirectoryAppears) {
  save();
  must(directory->make_directory("other"));
  EXPECT_FALSE(load());
}

TEST_F(FoundRefsCacheTest, InvalidWhenDocumentChanges) {
  save();
  must(disk.put_file("/s/titles.json", "{\"a\":1}"));
  EXPECT_FALSE(load());
  save();
  EXPECT_TRUE(load());
  must(directory->remove("titles.json"));
  EXPECT_FALSE(load());
}

TEST_F(FoundRefsCacheTest, RecentlyChangedDocumentIsNotTrusted) {
  save(print("titles.json").mtime_ns + 1'000'000'000);
  EXPECT_FALSE(load());
}

TEST_F(FoundRefsCacheTest, DamagedOrCutFileIsNotLoaded) {
  save();
  const std::string name = cached();
  const auto cache = must(disk.open_directory("/", false));
  std::string whole(static_cast<std::size_t>(must(cache->stat(name.substr(1))).size), '\0');
  must(must(cache->open(name.substr(1), OpenMode::read))->read_at(0, whole));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0x20);
    must(disk.put_file(name, broken));
    EXPECT_FALSE(load()) << at;
    must(disk.put_file(name, whole.substr(0, at)));
    EXPECT_FALSE(load()) << at;
  }
  must(disk.put_file(name, whole));
  EXPECT_TRUE(load());
}

TEST_F(FoundRefsCacheTest, ImpossibleSessionCountIsRejected) {
  Packer out;
  out.number(std::uint64_t{1} << 60);
  const auto holder = std::make_shared<const std::string>(out.take());
  EXPECT_FALSE(FoundRefs::unpack(holder, *holder));
}

TEST_F(FoundRefsCacheTest, SeenFilesCompareFingerprints) {
  SeenFiles seen(roots);
  must(seen.list(logs));
  const Fingerprint before = print("logs/a.jsonl");
  constexpr auto same = SeenFiles::Answer::same, unknown = SeenFiles::Answer::unknown;
  EXPECT_EQ(seen.ask("data", "logs/a.jsonl", before), same);
  EXPECT_EQ(seen.ask("data", "logs/a.jsonl", print("logs/b.jsonl")), SeenFiles::Answer::other);
  EXPECT_EQ(seen.ask("data", "logs/none", Fingerprint::missing()), same);
  EXPECT_EQ(seen.ask("data", "logs/none", before), unknown);
  EXPECT_EQ(seen.ask("data", "titles.json", before), unknown);
  EXPECT_EQ(SeenFiles().ask("data", "logs/a.jsonl", before), unknown);
}

}  // namespace
}  // namespace holdfast
