// `ls` and `stats` give the same results with an index as without one, whatever
// programs, people and crashes do to the store and to the index.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "disk/real_testing.h"
#include "find/stats.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

// Hours ahead, so no file is too young to be trusted; or the real time.
class FarClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override {
    return system_clock().now() + std::chrono::hours(ahead);
  }
  std::chrono::steady_clock::time_point ticks() const override { return system_clock().ticks(); }
  void sleep(std::chrono::nanoseconds time) const override { system_clock().sleep(time); }
  int ahead = 0;
};

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void spit(const fs::path& path, std::string_view bytes, bool append = false) {
  std::ofstream file(path, std::ios::binary | (append ? std::ios::app : std::ios::trunc));
  file << bytes;
}

class IndexOracle : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(project()); }
  fs::path project() const { return fs::path(place_.path("home")) / "projects" / "-home-dev"; }
  std::string cache() const { return place_.path("cache"); }
  fs::path cache_file(std::string_view ending) const {
    for (const auto& entry : fs::directory_iterator(cache())) {
      if (entry.path().extension() == ending && entry.path().filename().string().starts_with("sessions-"))
        return entry.path();
    }
    return {};
  }

  static std::string line(Random& random) {
    static int number = 0;
    const std::string n = std::to_string(++number);
    const std::string day = "2026-11-" + std::to_string(10 + random() % 9) + "T0" + std::to_string(random() % 9);
    const std::string around = R"("uuid":"u)" + n + R"(","parentUuid":null,"sessionId":"s","timestamp":")" + day +
                               R"(:00:00.000Z","cwd":"/home/dev","gitBranch":"b)" + n + R"(","isSidechain":)" +
                               (random() % 8 == 0 ? "true" : "false");
    // Some ids repeat, as in copies.
    const std::string id = std::to_string(random() % 40);
    switch (random() % 6) {
      case 0: return R"({"type":"custom-title","customTitle":"title )" + n + R"(","sessionId":"s"})";
      case 1: return R"({"type":"user",)" + around + R"(,"message":{"role":"user","content":"prompt )" + id + R"("}})";
      case 2:
        return R"({"type":"user",)" + around +
               R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t)" + id +
               R"(","content":"done"}]},"toolUseResult":{"agentId":"a)" + id + R"("}})";
      default:
        return R"({"type":"assistant",)" + around + R"(,"costUSD":0.25,"message":{"role":"assistant","id":"m)" + id +
               R"(","model":"model-)" + std::to_string(random() % 3) + R"(","content":[{"type":"tool_use","id":"t)" +
               id + R"(","name":"Bash","input":{}}],"usage":{"input_tokens":)" + std::to_string(random() % 9) +
               R"(,"output_tokens":)" + n + "}}}";
    }
  }
  fs::path fresh_file(Random& random) const {
    return project() / ("s" + std::to_string(random() % 1'000'000) + ".jsonl");
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::recursive_directory_iterator(project())) {
      if (entry.is_regular_file()) all.push_back(entry.path());
    }
    std::ranges::sort(all);
    return all;
  }

  void edit(Random& random) const {
    const auto all = files();
    const auto lines = [&] {
      std::string text;
      for (auto left = random() % 4; left > 0; --left) text += line(random) + "\n";
      return text;
    };
    if (all.size() < 3 || random() % 12 == 0) return spit(fresh_file(random), lines() + line(random) + "\n");
    const fs::path& file = all[random() % all.size()];
    std::string bytes = slurp(file);
    struct stat before{};
    ::stat(file.c_str(), &before);
    const timespec times[2] = {before.st_atim, before.st_mtim};
    switch (random() % 14) {
      case 0: return spit(file, "{\"type\":\"user\",\"uu", true);  // torn, or still being written
      case 1: return spit(file, "\n", true);                       // and completed
      case 2: return fs::resize_file(file, bytes.empty() ? 0 : random() % bytes.size());
      case 3: fs::rename(file, fresh_file(random)); return;
      case 4: fs::remove(file); return;
      case 5:  // same size and old modification time
      case 6:
        if (const auto at = bytes.find("model-"); at != std::string::npos) bytes[at + 6] = 'x';
        if (const auto at = bytes.find("prompt "); at != std::string::npos) bytes[at] = 'P';
        spit(file, bytes);
        ::utimensat(AT_FDCWD, file.c_str(), times, 0);
        return;
      case 7: {  // replaced by rename: a new inode
        const fs::path other = place_.path("other");
        spit(other, random() % 2 == 0 ? bytes : bytes + lines());
        if (random() % 2 == 0) ::utimensat(AT_FDCWD, other.c_str(), times, 0);
        fs::rename(other, file);
        return;
      }
      case 8: return spit(file, std::string(5, '\0') + "\n", true);  // as after a power loss
      case 9: {                                                      // next to the session: its title, or a sub-agent
        const fs::path folder = project() / file.stem();
        fs::create_directories(folder / "subagents");
        if (random() % 2 == 0) return spit(folder / "custom-title.json", R"({"customTitle":"beside"})");
        return spit(folder / "subagents" / ("agent-x" + std::to_string(random() % 4) + ".jsonl"), lines(), true);
      }
      case 10: return fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(random() % 99));
      case 11: return spit(file, line(random), true);  // complete, without its newline
      default: return spit(file, lines(), true);
    }
  }

  // A last line that was cut off is a finding once the file is two seconds old. A clock that jumps back would hide
  // the finding again, so these files must be old by all of the clocks.
  void age_unfinished() const {
    for (const auto& entry : fs::recursive_directory_iterator(place_.path("home"))) {
      if (!entry.is_regular_file()) continue;
      const std::string bytes = slurp(entry.path());
      const auto limit = fs::file_time_type::clock::now() - std::chrono::hours(2);
      if (!bytes.empty() && bytes.back() != '\n' && entry.last_write_time() > limit)
        fs::last_write_time(entry.path(), entry.last_write_time() - std::chrono::hours(3));
    }
  }

  std::string told(const std::string& cache, bool briefly = false) const {
    StoreOptions options;
    options.layout = "claude-code";
    options.roots[""] = place_.path("home");
    options.cache = cache;
    Context context;
    context.clock = &clock_;
    const auto store = Store::open(context, real_file_system(), options);
    if (!store) return store.error().text();
    SessionFilter filter;
    filter.inner = true;
    const auto list = (*store)->list(context, filter);
    if (!list) return list.error().text();
    JsonWriter json;
    json.begin_array();
    for (const Session& session : list->sessions) write_session(json, session);
    std::string text = json.end_array().take();
    for (const Finding& finding : list->findings)
      text += "\n" + finding.file + " " + std::to_string(finding.offset) + " " + std::to_string(finding.length) + " " +
              finding.kind;
    for (const StatsBy by : {StatsBy::day, StatsBy::model, StatsBy::session}) {
      if (briefly && by != StatsBy::day) continue;
      Statistics statistics(by);
      const auto counts = count_store(context, **store, {});
      if (!counts) return counts.error().text();
      statistics.add(*counts);
      for (const auto& [key, row] : statistics.rows())
        text += "\n" + key + " " + std::to_string(row.sessions) + " " + std::to_string(row.prompts) + " " +
                std::to_string(row.answers) + " " + std::to_string(row.tool_calls) + " " +
                std::to_string(row.tool_results) + " " + std::to_string(row.usage.input) + " " +
                std::to_string(row.usage.output) + " " + std::to_string(row.cost_usd);
    }
    return text;
  }
  std::string truth() const { return told({}); }

  TemporaryDirectory place_;
  mutable FarClock clock_;
};

TEST_F(IndexOracle, MatchesRebuildAfterAnyEdit) {
  Random random(static_cast<std::uint64_t>(::testing::UnitTest::GetInstance()->random_seed()) + 6);
  for (int round = 0; round < 200; ++round) {
    edit(random);
    if (random() % 3 == 0) edit(random);
    age_unfinished();
    // Clocks jump; with the clock ahead nothing is too young, so edits must differ in their times.
    clock_.ahead = random() % 3 == 0 ? 1 : random() % 9 == 0 ? -1 : 0;
    ASSERT_EQ(told(cache()), truth()) << "round " << round;
    if (clock_.ahead > 0) std::this_thread::sleep_for(std::chrono::milliseconds(11));
  }
}

TEST_F(IndexOracle, MatchesRebuildForManySessions) {
  Random random(3);
  for (int i = 0; i < 60; ++i) spit(fresh_file(random), line(random) + "\n" + line(random) + "\n");
  EXPECT_EQ(told(cache()), truth());
  EXPECT_EQ(told(cache()), truth());
}

TEST_F(IndexOracle, UnchangedFilesAreNotReopened) {
  Random random(4);
  for (int i = 0; i < 5; ++i) spit(fresh_file(random), line(random) + "\n");
  spit(fresh_file(random), "{\"damaged\n" + line(random) + "\n");
  clock_.ahead = 1;
  const std::string before = told(cache());
  EXPECT_EQ(before, truth());
  const int watch = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(watch, 0);
  ASSERT_GE(::inotify_add_watch(watch, project().c_str(), IN_OPEN), 0);
  const auto opened = [&] {
    std::vector<std::string> names;
    alignas(inotify_event) char buffer[16384];
    for (ssize_t size = ::read(watch, buffer, sizeof buffer); size > 0; size = ::read(watch, buffer, sizeof buffer)) {
      for (ssize_t at = 0; at < size;) {
        const auto* const event = reinterpret_cast<const inotify_event*>(buffer + at);
        if ((event->mask & IN_ISDIR) == 0 && event->len > 0) names.emplace_back(event->name);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    return names;
  };
  EXPECT_EQ(told(cache()), before);
  EXPECT_TRUE(opened().empty());
  EXPECT_EQ(truth(), before);
  EXPECT_FALSE(opened().empty());  // proves that the watch works
  ::close(watch);
}

TEST_F(IndexOracle, DamagedOrCutIndexDoesNotChangeResults) {
  Random random(5);
  for (int i = 0; i < 2; ++i) spit(fresh_file(random), line(random) + "\n" + line(random) + "\n");
  clock_.ahead = 1;
  const std::string want = told({}, true);
  ASSERT_EQ(told(cache(), true), want);
  for (const std::string_view ending : {".index", ".found", ".counts", ".shares"}) {
    fs::remove_all(cache());
    ASSERT_EQ(told(cache(), true), want);
    const fs::path file = cache_file(ending);
    const std::string good = slurp(file);
    ASSERT_GT(good.size(), 100u) << ending;
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
      spit(file, bad);
      if (ending == ".counts") fs::remove(cache_file(".shares"));  // otherwise the counts would not be read
      ASSERT_EQ(told(cache(), true), want) << ending << " byte " << at;
      spit(file, std::string_view(good).substr(0, at));
      if (ending == ".counts") fs::remove(cache_file(".shares"));
      ASSERT_EQ(told(cache(), true), want) << ending << " cut at " << at;
    }
  }
  // The damaged files were rewritten and are used: nothing is written if nothing is new.
  std::map<fs::path, fs::file_time_type> written;
  for (const auto& entry : fs::directory_iterator(cache())) written[entry.path()] = entry.last_write_time();
  ASSERT_EQ(told(cache(), true), want);
  for (const auto& entry : fs::directory_iterator(cache()))
    EXPECT_EQ(written[entry.path()], entry.last_write_time()) << entry.path();
}

TEST_F(IndexOracle, ConcurrentAndKilledProcessesDoNotChangeResults) {
  Random random(7);
  for (int i = 0; i < 8; ++i) spit(fresh_file(random), line(random) + "\n");
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // do not outlive a failed test
      for (;;) (void)told(cache());
    }
    children.push_back(pid);
  }
  for (int round = 0; round < 60; ++round) {
    edit(random);
    age_unfinished();
    ASSERT_EQ(told(cache()), truth()) << "round " << round;
    if (round % 15 == 14) {
      ::kill(children.back(), SIGKILL);
      ::waitpid(children.back(), nullptr, 0);
      children.pop_back();
    }
  }
  for (const pid_t pid : children) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  EXPECT_EQ(told(cache()), truth());
}

TEST_F(IndexOracle, UnusableCacheDoesNotChangeResults) {
  Random random(8);
  for (int i = 0; i < 8; ++i) spit(fresh_file(random), line(random) + "\n" + line(random) + "\n");
  const std::string want = truth();
  EXPECT_EQ(told("/proc/nowhere/cache"), want);
  spit(place_.path("plain"), "a file where a directory should be");
  EXPECT_EQ(told(place_.path("plain")), want);
  // The disk gets full while the index is written.
  for (const std::size_t room : {1U, 100U, 700U, 2000U}) {
    fs::remove_all(cache());
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{room, room};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      ::_exit(told(cache()) == want && told(cache()) == want ? 0 : 1);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0) << room;
    EXPECT_EQ(told(cache()), want) << room;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
