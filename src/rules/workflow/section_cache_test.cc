#include "rules/workflow/section_cache.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "disk/real_testing.h"
#include "rules/rules_testing.h"
#include "rules/workflow/specification.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

// On the real file system, because its times and inodes are tested.
struct SectionCache : testing::TestWithParam<const char*> {
  TemporaryDirectory directory;
  const std::string project = directory.path() + "/p";
  const std::string spec = project + "/docs/requirements/auth/SPECIFICATION.md";
  TestClock clock;
  Context context;
  std::shared_ptr<Store> store;

  void SetUp() override {
    fs::create_directories(fs::path(spec).parent_path());
    put(spec, "# T\n\n## Alpha\n\none\n\n### Inner\n\nin\n\n## Beta\n\ntwo\n");
    context.clock = &clock;
    settle();
    open(true);
  }
  void open(bool write) {
    store.reset();
    StoreOptions options;
    options.layout = GetParam();
    options.roots = {{"", lopen() ? project : directory.path() + "/native"}};
    options.write = write;
    options.create = write;
    store = must(Store::open(context, real_file_system(), options));
  }
  bool lopen() const { return std::string_view(GetParam()) == "lopen"; }
  std::string caches() const {
    return lopen() ? project + "/.lopen/cache/sections" : directory.path() + "/native/cache/sections";
  }
  static void put(const std::string& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
  }
  static std::string get(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // From now on the files are old enough for their times to be trusted.
  void settle() { clock.now_ = system_clock().now() + std::chrono::seconds(10); }
  void same_times(const std::string& path, const struct stat& as) {
    const struct timespec times[2] = {as.st_atim, as.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
  CachedSection section(const std::string& header, bool subtree = false) {
    return must(read_section(context, *store, lopen() ? "" : project,
                             {"docs/requirements/auth/SPECIFICATION.md", header, subtree}));
  }
  std::string entry() const {
    for (const auto& file : fs::directory_iterator(caches())) return file.path().string();
    return {};
  }
};

TEST_P(SectionCache, L10_SecondReadIsHitWithSameContent) {
  const CachedSection first = section("alpha");
  EXPECT_FALSE(first.cached);
  EXPECT_EQ(first.content, "one");
  EXPECT_EQ(first.header, "Alpha");
  const CachedSection second = section("alpha");
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.content, "one");
  EXPECT_EQ(second.header, "Alpha");
  EXPECT_EQ(second.level, 2);
}

TEST_P(SectionCache, L10_SectionAndSubtreeAreTwoEntries) {
  EXPECT_EQ(section("Alpha").content, "one");
  const CachedSection tree = section("Alpha", true);
  EXPECT_FALSE(tree.cached);
  EXPECT_EQ(tree.content, "one\n\n### Inner\n\nin");
  EXPECT_EQ(section("Alpha").content, "one");
  EXPECT_TRUE(section("Alpha", true).cached);
}

TEST_P(SectionCache, L10_ChangedSourceIsMiss) {
  section("Alpha");
  put(spec, "# T\n\n## Alpha\n\nchanged\n");
  settle();
  const CachedSection again = section("Alpha");
  EXPECT_FALSE(again.cached);
  EXPECT_EQ(again.content, "changed");
}

TEST_P(SectionCache, L10_ChangeWithSameSizeAndTimeIsMiss) {
  struct stat before{};
  ASSERT_EQ(::stat(spec.c_str(), &before), 0);
  section("Alpha");
  std::string text = get(spec);
  text.replace(text.find("one"), 3, "ONE");
  put(spec, text);
  same_times(spec, before);
  const CachedSection again = section("Alpha");
  EXPECT_FALSE(again.cached);
  EXPECT_EQ(again.content, "ONE");
}

TEST_P(SectionCache, L10_TouchedSourceIsMissAndIdenticalCopyIsHit) {
  struct stat before{};
  ASSERT_EQ(::stat(spec.c_str(), &before), 0);
  section("Alpha");
  fs::copy_file(spec, spec + ".copy");
  same_times(spec + ".copy", before);
  fs::rename(spec + ".copy", spec);
  EXPECT_TRUE(section("Alpha").cached);
  fs::last_write_time(spec, fs::last_write_time(spec) - std::chrono::hours(1));
  EXPECT_FALSE(section("Alpha").cached);
}

TEST_P(SectionCache, L10_EditWithinSameTickIsDetected) {
  // By the clock, the source was written at this very moment: times prove nothing.
  clock.now_ = system_clock().now();
  struct stat before{};
  ASSERT_EQ(::stat(spec.c_str(), &before), 0);
  section("Alpha");
  EXPECT_TRUE(section("Alpha").cached);  // by comparing the bytes
  std::string text = get(spec);
  text.replace(text.find("one"), 3, "ONE");
  put(spec, text);
  same_times(spec, before);
  // No program can set the change time; here the entry is what a clock that had not
  // advanced would have left.
  struct stat now{};
  ASSERT_EQ(::stat(spec.c_str(), &now), 0);
  std::string bytes = get(entry());
  const auto ctime = [](const struct stat& of) {
    return "\"ctime_ns\":" + std::to_string(of.st_ctim.tv_sec * 1'000'000'000 + of.st_ctim.tv_nsec);
  };
  ASSERT_NE(bytes.find(ctime(before)), std::string::npos);
  bytes.replace(bytes.find(ctime(before)), ctime(before).size(), ctime(now));
  bytes.resize(bytes.find(",\"check\""));
  put(entry(), bytes + ",\"check\":\"" + xxh3_hex(bytes) + "\"}");
  const CachedSection again = section("Alpha");
  EXPECT_EQ(again.content, "ONE");
  EXPECT_FALSE(again.cached);
}

TEST_P(SectionCache, L14_DamagedEntryIsDroppedSilently) {
  section("Alpha");
  for (const std::string& damage : {std::string("{\"content\":\"on"), std::string("\0\1\2", 3), std::string()}) {
    put(entry(), damage);
    const CachedSection again = section("Alpha");
    EXPECT_FALSE(again.cached);
    EXPECT_EQ(again.content, "one");
    EXPECT_TRUE(again.findings.empty());
    EXPECT_TRUE(section("Alpha").cached);
  }
  std::string flipped = get(entry());
  flipped[flipped.find("one")] = 'u';  // still JSON
  put(entry(), flipped);
  EXPECT_EQ(section("Alpha").content, "one");
}

TEST_P(SectionCache, L14_ReportsAfterThreeFailures) {
  section("Alpha");
  for (int time = 1; time <= 3; ++time) {
    put(entry(), "{");
    const CachedSection again = section("Alpha");
    EXPECT_EQ(again.content, "one");
    ASSERT_EQ(again.findings.size(), time < 3 ? 0U : 1U) << time;
    if (time == 3) {
      EXPECT_EQ(again.findings[0].kind, "cache_failing");
    }
  }
  EXPECT_TRUE(section("Alpha").cached);
  put(entry(), "{");
  EXPECT_TRUE(section("Alpha").findings.empty());  // a good one in between resets the count
}

TEST_P(SectionCache, L14_UnwritableCacheStillReadsCorrectly) {
  fs::create_directories(fs::path(caches()).parent_path());
  put(caches(), "a file where the folder should be");
  for (int time = 1; time <= 4; ++time) {
    const CachedSection again = section("Alpha");
    EXPECT_EQ(again.content, "one");
    EXPECT_FALSE(again.cached);
    EXPECT_EQ(again.findings.size(), time < 3 ? 0U : 1U) << time;
  }
}

TEST_P(SectionCache, ReadOnlyStoreUsesCacheAndChangesNothing) {
  section("Alpha");
  open(false);
  EXPECT_TRUE(section("Alpha").cached);
  put(entry(), "{");
  EXPECT_EQ(section("Alpha").content, "one");
  EXPECT_EQ(get(entry()), "{");
  EXPECT_FALSE(section("Beta").cached);
  EXPECT_FALSE(section("Beta").cached);
}

TEST_P(SectionCache, RefusesMissingSectionsAndUnsafePaths) {
  const std::string at = lopen() ? "" : project;
  const auto code = [&](const SectionRequest& request) {
    const auto answer = read_section(context, *store, at, request);
    return answer ? Code::internal : answer.error().code;
  };
  EXPECT_EQ(code({"docs/requirements/auth/SPECIFICATION.md", "Gamma", false}), Code::not_found);
  EXPECT_EQ(code({"docs/none.md", "Alpha", false}), Code::not_found);
  EXPECT_EQ(code({"../x.md", "Alpha", false}), Code::unsafe_path);
  EXPECT_EQ(code({"/etc/passwd", "Alpha", false}), Code::unsafe_path);
  EXPECT_EQ(code({spec, "Gamma", false}), Code::not_found);
}

INSTANTIATE_TEST_SUITE_P(Lopen, SectionCache, testing::Values("lopen"));
INSTANTIATE_TEST_SUITE_P(Native, SectionCache, testing::Values("holdfast"));

struct LopenSectionCache : SectionCache {};

TEST_P(LopenSectionCache, L10_FileNameAndFieldsMatchLopen) {
  section("Alpha");
  std::string name = sha256_hex(spec + "::Alpha").substr(0, 16);
  for (char& c : name) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(fs::path(entry()).filename(), name + ".json");
  const std::string bytes = get(entry());
  const JsonView json(bytes);
  EXPECT_EQ(json.find("content").as_string(), "one");
  struct stat now{};
  ASSERT_EQ(::stat(spec.c_str(), &now), 0);
  const std::string time = json.find("file_modified_utc").as_string().value_or("");
  EXPECT_TRUE(time.ends_with("Z")) << time;
  const std::string ticks = std::to_string(10'000'000 + now.st_mtim.tv_nsec / 100).substr(1);
  EXPECT_NE((time.substr(0, time.size() - 1) + "0000000").find("." + ticks.substr(0, 3)), std::string::npos) << time;
  EXPECT_TRUE(json.find("cached_at_utc").as_string().has_value());
  EXPECT_EQ(bytes.find('\n'), std::string::npos);
}

TEST_P(LopenSectionCache, EntryWrittenByLopenIsReplaced) {
  section("Alpha");
  const std::string file = entry();
  put(file, R"({"content":"stale","file_modified_utc":"2026-01-01T00:00:00Z","cached_at_utc":"2026-01-01T00:00:00Z"})");
  const CachedSection again = section("Alpha");
  EXPECT_EQ(again.content, "one");
  EXPECT_FALSE(again.cached);
  EXPECT_TRUE(section("Alpha").cached);
}

INSTANTIATE_TEST_SUITE_P(Lopen, LopenSectionCache, testing::Values("lopen"));

}  // namespace
}  // namespace holdfast::inline v1
