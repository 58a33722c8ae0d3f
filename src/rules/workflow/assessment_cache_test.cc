#include "rules/workflow/assessment_cache.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "disk/real_testing.h"
#include "rules/rules_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct AssessmentCache : testing::TestWithParam<const char*> {
  TemporaryDirectory directory;
  const std::string project = directory.path() + "/p";
  TestClock clock;
  Context context;
  std::shared_ptr<Store> store;
  const AssessmentScope scope{"src-scope", {"src"}};

  void SetUp() override {
    fs::create_directories(project + "/src/inner");
    put("src/a.cc", "int a;\n");
    put("src/inner/b.cc", "int b;\n");
    put("README.md", "x\n");
    context.clock = &clock;
    settle();
    StoreOptions options;
    options.layout = GetParam();
    options.roots = {{"", lopen() ? project : directory.path() + "/native"}};
    options.write = true;
    options.create = true;
    store = must(Store::open(context, real_file_system(), options));
    must(keep("it works"));
  }
  bool lopen() const { return std::string_view(GetParam()) == "lopen"; }
  std::string at() const { return lopen() ? "" : project; }
  void put(const std::string& path, std::string_view text) const {
    std::ofstream file(project + "/" + path, std::ios::binary | std::ios::trunc);
    file << text;
  }
  void settle() { clock.now_ = system_clock().now() + std::chrono::seconds(10); }
  Result<CachedAssessment> keep(std::string_view content, std::string_view state = {}) {
    return store_assessment(context, *store, at(), scope, content, state);
  }
  CachedAssessment find() { return must(find_assessment(context, *store, at(), scope)); }
  bool hit() { return find().content.has_value(); }
  std::string entry() const {
    const std::string caches =
        lopen() ? project + "/.lopen/cache/assessments" : directory.path() + "/native/cache/assessments";
    for (const auto& file : fs::directory_iterator(caches)) return file.path().string();
    return {};
  }
};

TEST_P(AssessmentCache, L11_HitWhileNothingInScopeChanges) {
  EXPECT_EQ(find().content, "it works");
  put("README.md", "outside of the scope\n");
  EXPECT_TRUE(hit());
}

TEST_P(AssessmentCache, L11_ChangedFileIsMiss) {
  put("src/inner/b.cc", "int c;\n");
  settle();
  EXPECT_FALSE(hit());
}

TEST_P(AssessmentCache, L11_ChangeWithSameSizeAndTimeIsMiss) {
  struct stat before{};
  ASSERT_EQ(::stat((project + "/src/a.cc").c_str(), &before), 0);
  put("src/a.cc", "int z;\n");
  const struct timespec times[2] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, (project + "/src/a.cc").c_str(), times, 0), 0);
  EXPECT_FALSE(hit());
}

TEST_P(AssessmentCache, L11_AddedFileIsMiss) {
  put("src/new.cc", "");
  settle();
  EXPECT_FALSE(hit());
}

TEST_P(AssessmentCache, L11_RemovedFileIsMiss) {
  fs::remove(project + "/src/inner/b.cc");
  EXPECT_FALSE(hit());
  fs::remove_all(project + "/src");
  EXPECT_FALSE(hit());
}

TEST_P(AssessmentCache, L11_NewFolderOrChangeBehindLinkIsMiss) {
  fs::create_directories(directory.path() + "/linked");
  fs::create_directory_symlink(directory.path() + "/linked", project + "/src/link");
  fs::create_directory_symlink(project + "/src", directory.path() + "/linked/circle");
  must(keep("with a link"));
  EXPECT_TRUE(hit());
  std::ofstream(directory.path() + "/linked/far.cc") << "x";
  settle();
  EXPECT_FALSE(hit());
  must(keep("again"));
  fs::create_directories(project + "/src/empty");
  EXPECT_FALSE(hit());
}

TEST_P(AssessmentCache, L11_ChangeDuringAssessmentIsConflict) {
  put("src/a.cc", "int one;\n");
  settle();
  const std::string state = find().state;
  put("src/a.cc", "int two;\n");
  settle();
  const auto kept = keep("about one", state);
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, Code::conflict);
  EXPECT_FALSE(hit());
  must(keep("about two", find().state));
  EXPECT_EQ(find().content, "about two");
}

TEST_P(AssessmentCache, L11_RecentlyChangedFilesAreComparedByBytes) {
  clock.now_ = system_clock().now();
  must(keep("fresh"));
  EXPECT_TRUE(hit());
  settle();
  EXPECT_TRUE(hit());  // from now on by their times
  EXPECT_TRUE(hit());
  put("src/a.cc", "int q;\n");
  EXPECT_FALSE(hit());
}

TEST_P(AssessmentCache, L11_DifferentScopeIsMiss) {
  EXPECT_FALSE(must(find_assessment(context, *store, at(), {"src-scope", {"src", "README.md"}})).content);
  EXPECT_FALSE(must(find_assessment(context, *store, at(), {"other", {"src"}})).content);
  EXPECT_EQ(find_assessment(context, *store, at(), {"x", {"../p"}}).error().code, Code::unsafe_path);
}

TEST_P(AssessmentCache, L11_StoreFilesDoNotInvalidateProjectScope) {
  const AssessmentScope all{"all", {}};
  must(store_assessment(context, *store, at(), all, "everything", {}));
  EXPECT_EQ(must(find_assessment(context, *store, at(), all)).content, "everything");
  put("README.md", "y\n");
  settle();
  EXPECT_FALSE(must(find_assessment(context, *store, at(), all)).content);
}

TEST_P(AssessmentCache, L14_DamagedEntryIsMissAndReportedAfterThree) {
  for (int time = 1; time <= 3; ++time) {
    std::ofstream(entry(), std::ios::trunc) << "{\"content\":";
    const CachedAssessment found = find();
    EXPECT_FALSE(found.content);
    EXPECT_EQ(found.findings.size(), time < 3 ? 0U : 1U);
    must(keep("again"));
  }
  EXPECT_EQ(find().content, "again");
}

TEST_P(AssessmentCache, L11_EntryHasLopenFields) {
  std::ifstream file(entry());
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const JsonView json(bytes);
  EXPECT_EQ(json.find("content").as_string(), "it works");
  EXPECT_TRUE(json.find("cached_at_utc").as_string());
  const JsonView times = json.find("file_timestamps");
  EXPECT_TRUE(times.find(project + "/src/a.cc").as_string());
  EXPECT_TRUE(times.find(project + "/src/inner/b.cc").as_string());
  EXPECT_FALSE(times.find(project + "/README.md"));
}

INSTANTIATE_TEST_SUITE_P(Lopen, AssessmentCache, testing::Values("lopen"));
INSTANTIATE_TEST_SUITE_P(Native, AssessmentCache, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
