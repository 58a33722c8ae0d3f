// Captures while files are written: a restored file is always one that existed, never a mixture of two.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_set>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

// A file that an agent changes in every possible way, and all versions that it ever had.
class ChangingFile {
 public:
  // `document`: one JSON object instead of lines.
  ChangingFile(std::string path, std::string first, bool document, unsigned seed)
      : path_(std::move(path)), bytes_(std::move(first)), document_(document), random_(seed) {
    fs::create_directories(fs::path(path_).parent_path());
    replace(bytes_);
  }

  void step() {
    switch (random_() % 12) {
      case 0: return replace(fresh());
      case 1: return rewrite(fresh());
      case 2: return in_place();
      case 3: return cut();
      case 4: fs::remove(path_); return replace(fresh());
      default: return document_ ? replace(fresh()) : append(line());
    }
  }

  const std::string& now() const { return bytes_; }
  bool was_version(const std::string& bytes) {
    const std::lock_guard lock(mutex_);
    return versions_.contains(std::hash<std::string>()(bytes));
  }

 private:
  // Called before a version is written, so that whoever sees the version finds it noted.
  void note(const std::string& bytes) {
    const std::lock_guard lock(mutex_);
    versions_.insert(std::hash<std::string>()(bytes));
    bytes_ = bytes;
  }
  std::string line() {
    const std::string text(random_() % 3000, static_cast<char>('a' + random_() % 26));
    return "{\"type\":\"mode\",\"n\":" + std::to_string(++count_) + ",\"text\":\"" + text + "\"}\n";
  }
  // Different bytes from the first line on, often across several blocks.
  std::string fresh() {
    const std::string mark = std::to_string(++count_);
    if (document_)
      return "{\"sessionId\":\"aaaaaaaa-0000-4000-8000-000000000001\",\"title\":\"" + mark +
             "\",\"history\":[],\"more\":\"" +
             std::string(random_() % 300'000, static_cast<char>('a' + random_() % 26)) + "\"}";
    std::string all;
    const std::size_t size = random_() % 400'000;
    while (all.size() < size)
      all += "{\"type\":\"mode\",\"of\":" + mark + ",\"text\":\"" + std::string(2000, 'z') + "\"}\n";
    return all + line();
  }

  void replace(const std::string& bytes) {
    const std::string temporary = path_ + ".new";
    std::ofstream(temporary, std::ios::binary) << bytes;
    note(bytes);
    fs::rename(temporary, path_);
  }
  void append(const std::string& bytes) {
    const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const std::string before = bytes_;
    // A page is seen whole or not at all, but a line can end on another page than it began.
    const std::size_t on_first_page = 4096 - before.size() % 4096;
    if (on_first_page < bytes.size()) note(before + bytes.substr(0, on_first_page));
    note(before + bytes);
    EXPECT_EQ(::write(file, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(file);
  }
  // Empties the file, then writes it piece by piece.
  void rewrite(const std::string& bytes) {
    note("");
    const int file = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    for (std::size_t at = 0; at < bytes.size(); at += 4096) {
      const std::string_view part = std::string_view(bytes).substr(at, 4096);
      note(bytes.substr(0, at + part.size()));
      EXPECT_EQ(::pwrite(file, part.data(), part.size(), static_cast<off_t>(at)), static_cast<ssize_t>(part.size()));
    }
    ::close(file);
  }
  // Overwrites the file from start to end with as many bytes.
  void in_place() {
    const std::string before = bytes_;
    std::string bytes = before;
    const char letter = static_cast<char>('A' + random_() % 26);
    for (char& one : bytes) one = one >= 'a' && one <= 'z' && !document_ ? letter : one;
    const int file = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    for (std::size_t at = 0; at < bytes.size(); at += 4096) {
      const std::string_view part = std::string_view(bytes).substr(at, 4096);
      note(bytes.substr(0, at + part.size()) + before.substr(at + part.size()));
      EXPECT_EQ(::pwrite(file, part.data(), part.size(), static_cast<off_t>(at)), static_cast<ssize_t>(part.size()));
    }
    ::close(file);
  }
  void cut() {
    const std::size_t size = bytes_.empty() ? 0 : random_() % bytes_.size();
    note(bytes_.substr(0, size));
    EXPECT_EQ(::truncate(path_.c_str(), static_cast<off_t>(size)), 0);
  }

  const std::string path_;
  std::string bytes_;
  const bool document_;
  std::minstd_rand random_;
  int count_ = 0;
  std::mutex mutex_;
  std::unordered_set<std::size_t> versions_;  // as hashes
};

struct ArchiveGrowth : CliHome {
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
};

TEST_F(ArchiveGrowth, RestoresOnlyVersionsThatExisted) {
  claude(id, "\"a prompt\"");
  const std::string log = ".claude/projects/-desk/" + id + ".jsonl", document = ".continue/sessions/" + id + ".json";
  ChangingFile lines(home + "/" + log, text(log), false, 1);
  ChangingFile whole(home + "/" + document, "{\"sessionId\":\"" + id + "\",\"title\":\"t\",\"history\":[]}", true, 2);
  std::atomic<bool> stop = false;
  std::thread agent([&] {
    while (!stop) {
      lines.step();
      whole.step();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  int came_back = 0;
  for (int i = 0; i < 40; ++i) {
    const int done = sh("$H archive run --json");
    EXPECT_TRUE(done == 0 || done == 5) << "it never stood still: " << out << err;
    const std::string to = "back" + std::to_string(i);
    for (const auto& [name, file, path] : {std::tuple{"claude-code/", &lines, "/projects/-desk/" + id + ".jsonl"},
                                           std::tuple{"continue/", &whole, "/sessions/" + id + ".json"}}) {
      if (sh("$H restore " + (name + id) + " --to $HOME/" + to) != 0) continue;
      ++came_back;
      const std::string bytes = text(to + path);
      if (!file->was_version(bytes)) {
        ADD_FAILURE() << name << " in round " << i << " was never there: " << bytes.size() << " bytes, "
                      << bytes.substr(0, 200);
      }
    }
    fs::remove_all(home + "/" + to);
  }
  stop = true;
  agent.join();
  EXPECT_GT(came_back, 20);
  // With no more writes, the version that is restored is the newest whole one.
  lines.step();
  std::ofstream(home + "/" + log, std::ios::app) << "{\"type\":\"mode\",\"last\":true}\n";
  ASSERT_EQ(sh("$H archive run && $H archive verify"), 0) << out << err;
  const std::string last = text(log);
  ASSERT_EQ(sh("rm -r $HOME/.claude && $H restore claude-code/" + id), 0) << err;
  EXPECT_EQ(text(log), last);
}

// Wherever the torn record ends: within a name, a text or a number, or where the next one could be its value.
TEST_F(ArchiveGrowth, ShowsRecordThatIsGluedToTornOne) {
  const std::string log = ".claude/projects/-desk/" + id + ".jsonl";
  const std::string torn = R"({"type":"mode","n":12,"message":{"text":"last words"}})";
  for (const std::string end : {"{\"ty", "\"n\":", "\"n\":1", "\"last w", "\"last words\"}"}) {
    fs::remove_all(home + "/.local");
    claude(id, "\"a prompt\"");
    const std::string whole = text(log);
    std::ofstream(home + "/" + log, std::ios::app) << torn << "\n";
    ASSERT_EQ(sh("$H archive run"), 0) << out << err;
    std::ofstream(home + "/" + log, std::ios::trunc)
        << whole << torn.substr(0, torn.find(end) + end.size()) << "{\"type\":\"mode\",\"new\":true}\n";
    ASSERT_EQ(sh("$H archive run"), 0) << out << err;
    const std::string last = text(log);
    ASSERT_EQ(sh("rm -r $HOME/.claude && $H restore claude-code/" + id), 0) << err;
    EXPECT_EQ(text(log), last) << end;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
