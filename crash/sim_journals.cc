// Commits whose journal or log was suspect before they began. The power is cut
// after every change to the disk, and once more after every change that recovery
// makes: a commit is there whole or not at all, and its line once.
#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>

#include "disk/forwarding_testing.h"
#include "disk/poison.h"
#include "sim_parts.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

constexpr std::string_view kLine = "{\"line\":1}\n";

// A file system on which the first sync of a log reports success without syncing.
struct LyingSystem final : FileSystem {
  struct Log final : ForwardingFile {
    Log(std::unique_ptr<File> file, LyingSystem& of) : ForwardingFile(std::move(file)), system(of) {}
    Result<void> sync() override {
      if (!system.lie) return ForwardingFile::sync();
      std::exchange(system.lie, nullptr)();
      return {};
    }
    LyingSystem& system;
  };
  struct Folder final : ForwardingDirectory {
    Folder(std::unique_ptr<Directory> directory, LyingSystem& of)
        : ForwardingDirectory(std::move(directory)), system(of) {}
    Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
      HOLDFAST_LET(file, ForwardingDirectory::open(path, mode));
      if (path != "log") return file;
      return std::make_unique<Log>(std::move(file), system);
    }
    LyingSystem& system;
  };

  LyingSystem(FileSystem& given, std::function<void()> before) : inner(given), lie(std::move(before)) {}
  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override {
    HOLDFAST_LET(directory, inner.open_directory(path, create));
    return std::make_unique<Folder>(std::move(directory), *this);
  }
  Result<FileSystemKind> kind_of(std::string_view path) override { return inner.kind_of(path); }
  std::uint64_t entropy() override { return inner.entropy(); }

  FileSystem& inner;
  std::function<void()> lie;
};

class Journals final : public SimObserver {
 public:
  Journals(const char* what, Outcome& outcome) : what_(what), outcome_(outcome) {}

  // The name of a new journal whose directory could not be synced may never become durable. `stays`: it
  // cannot be removed at once either.
  void lost_name(bool stays) {
    stays_ = stays;
    for (const char* path : {"/a/one.json", "/a/two.json"}) (void)disk_.put_file(path, document_text(1));
    auto root = Root::open({}, disk_, kRootA);
    if (!root) return broken(root.error().text());
    fails_ = "/a/.holdfast";
    disk_.set_observer(this);
    const auto first = commit(*root, 2, false);
    disk_.set_observer(nullptr);
    stays_ = false;
    if (!fails_.empty()) return broken("the journal's directory is not synced");
    if (first) broken("a commit is acknowledged over a failed sync");
    before_ = first || first.error().code == Code::durability_unknown || first.error().code == Code::unfinished ? 0 : 1;
    run(*root, 3, false);
  }

  // A journal that was durable before the commit was refused has no effect after a power loss.
  void taken_back() {
    for (const char* path : {"/a/one.json", "/a/two.json"}) (void)disk_.put_file(path, document_text(1));
    auto earlier = Root::open({}, disk_, kRootA);
    if (!earlier || !commit(*earlier, 2, false)) return broken("the first commit fails");
    auto root = Root::open({}, disk_, kRootA);
    struct Late final : SimObserver {
      Injection before(const SimCall& call) override {
        const bool journal = call.path.ends_with("/journal");
        pending = pending || (journal && call.kind == SimCallKind::write_at);
        if (!pending || failed || call.kind != SimCallKind::sync_directory) return {};
        failed = true;
        return {Injection::Kind::fail, EIO};
      }
      bool pending = false, failed = false;
    } late;
    disk_.set_observer(&late);
    const auto refused = root ? commit(*root, 3, false) : fail(root.error());
    disk_.set_observer(nullptr);
    if (refused || !late.failed) return broken("a commit is acknowledged over a failed sync");
    before_ = generation_ = 2;
    decided_ = true;
    if (refused.error().code == Code::durability_unknown) return broken(refused.error().text());
    auto nothing = Chooser::random(1, 0);
    judge(*disk_.crash(CrashModel::weak, nothing), "power lost after the answer");
  }

  // A journal file that cannot be synced any more must not block the root: a new file replaces it.
  void bad_file() {
    for (const char* path : {"/a/one.json", "/a/two.json"}) (void)disk_.put_file(path, document_text(1));
    auto root = Root::open({}, disk_, kRootA);
    if (!root) return broken(root.error().text());
    struct Bad final : SimObserver {
      Injection before(const SimCall& call) override {
        const bool journal = call.path.ends_with("/journal");
        return due && journal && call.kind == SimCallKind::sync ? Injection{Injection::Kind::fail, EIO} : Injection{};
      }
      void after(const SimCall& call) override {
        if (call.kind == SimCallKind::rename && call.to == "/a/two.json") due = true;
        if (call.kind == SimCallKind::remove && call.path.ends_with("/journal")) due = false;
      }
      bool due = false;
    } bad;
    disk_.set_observer(&bad);
    (void)commit(*root, 2, false);
    auto next = Root::open({}, disk_, kRootA);
    const auto done = next ? replace_document({}, **next, "probe.json", "{}") : Result<Revision>(fail(next.error()));
    disk_.set_observer(nullptr);
    if (!done) broken("nothing can be changed any more: " + done.error().text());
    generation_ = 2;
    decided_ = true;
    auto nothing = Chooser::random(1, 0);
    judge(*disk_.crash(CrashModel::weak, nothing), "power lost after the answer");
  }

  // Another process could not sync its line and reports that; our next sync succeeds without writing that line.
  void suspect_log() {
    for (const char* path : {"/a/one.json", "/a/two.json"}) (void)disk_.put_file(path, document_text(1));
    (void)disk_.put_file("/a/log", "{\"n\":0}\n");
    auto other = Root::open({}, disk_, kRootA);
    if (!other) return broken(other.error().text());
    LyingSystem way(disk_, [&] { (void)Poison(**other, "log").mark(**other, 8); });
    auto root = Root::open({}, way, kRootA);
    if (!root) return broken(root.error().text());
    (void)disk_.foreign_append("/a/log", "{\"other\":\"" + std::string(100, 'o') + "\"}\n");
    before_ = 1;
    run(*root, 2, true);
  }

  // What others appended without a sync may be lost after a power loss, and with it the position of our line.
  void short_log() {
    for (const char* path : {"/a/one.json", "/a/two.json"}) (void)disk_.put_file(path, document_text(1));
    (void)disk_.put_file("/a/log", "{\"n\":0}\n");
    auto root = Root::open({}, disk_, kRootA);
    if (!root) return broken(root.error().text());
    (void)disk_.foreign_append("/a/log", "{\"foreign\":\"" + std::string(100, 'f') + "\"}\n");
    before_ = 1;
    run(*root, 2, true);
  }

  // What recovery has finished stays finished: a document that is later written back with its old content stays.
  void brought_back() {
    for (const char* path : {"/a/one.json", "/a/two.json"}) (void)disk_.put_file(path, document_text(1));
    auto root = Root::open({}, disk_, kRootA);
    if (!root) return broken(root.error().text());
    Commit removal(*root);
    removal.remove(*root, "one.json");
    removal.put(*root, "two.json", document_text(2));
    Again again([&](const SimCall&) {
      auto nothing = Chooser::random(1, 0);
      const auto killed = disk_.clone();
      auto next = Root::open({}, *killed, kRootA);
      if (!next || killed->exists("/a/one.json")) return;  // it was not committed yet
      if (const auto back = replace_document({}, **next, "one.json", document_text(1)); !back)
        return broken("a document does not come back: " + back.error().text());
      ++outcome_.cases;
      const auto dark = killed->crash(CrashModel::weak, nothing);
      if (const auto opened = Root::open({}, *dark, kRootA); !opened) return broken(opened.error().text());
      if (dark->read_file("/a/one.json").value_or("") != document_text(1))
        broken("a document that came back is removed by a commit that was finished before");
    });
    disk_.set_observer(&again);
    const auto done = removal.run({});
    disk_.set_observer(nullptr);
    if (!done) broken(done.error().text());
    // The commit's own journal, once acknowledged, does not undo it either.
    if (const auto back = replace_document({}, **root, "one.json", document_text(1)); !back)
      return broken(back.error().text());
    auto nothing = Chooser::random(1, 0);
    const auto dark = disk_.crash(CrashModel::weak, nothing);
    if (const auto opened = Root::open({}, *dark, kRootA); !opened) return broken(opened.error().text());
    if (dark->read_file("/a/one.json").value_or("") != document_text(1))
      broken("a document that came back is removed by a commit that was done before");
  }

  Injection before(const SimCall& call) override {
    if (stays_ && call.kind == SimCallKind::remove && call.path.ends_with("/journal"))
      return {Injection::Kind::fail, EIO};
    if (fails_.empty() || call.kind != SimCallKind::sync_directory || call.path != fails_ ||
        !disk_.exists(fails_ + "/journal"))
      return {};
    fails_.clear();
    return {Injection::Kind::fail, EIO};
  }
  void after(const SimCall& call) override {
    if (watching_) each_state(disk_, "power lost after call " + std::to_string(call.index));
  }

 private:
  struct Again final : SimObserver {
    explicit Again(std::function<void(const SimCall&)> told_of) : told(std::move(told_of)) {}
    void after(const SimCall& call) override { told(call); }
    std::function<void(const SimCall&)> told;
  };

  static Result<CommitResult> commit(const std::shared_ptr<Root>& root, std::uint64_t generation, bool line) {
    Commit commit(root);
    commit.put(root, "one.json", document_text(generation));
    commit.put(root, "two.json", document_text(generation));
    if (line) commit.append(root, "log", {std::string(kLine.substr(0, kLine.size() - 1))}, LogMode::shared);
    return commit.run({});
  }

  void run(const std::shared_ptr<Root>& root, std::uint64_t generation, bool line) {
    generation_ = generation;
    line_ = line;
    watching_ = true;
    disk_.set_observer(this);
    const auto done = commit(root, generation, line);
    disk_.set_observer(nullptr);
    watching_ = false;
    if (!done && done.error().code != Code::poisoned) return broken(done.error().text());
    decided_ = done.has_value();
    each_state(disk_, "power lost after the answer");
  }

  static void each_crash(const SimFileSystem& disk, std::uint64_t seed,
                         const std::function<void(const std::unique_ptr<SimFileSystem>&)>& look) {
    for (const std::uint64_t states : {std::uint64_t{0}, std::uint64_t{3}}) {
      auto chooser = Chooser::random(states == 0 ? 1 : states, states == 0 ? 0 : seed);
      do {
        look(disk.crash(CrashModel::weak, chooser));
      } while (chooser.next());
    }
  }

  void each_state(const SimFileSystem& disk, const std::string& when) {
    each_crash(disk, disk.calls() + 1, [&](const std::unique_ptr<SimFileSystem>& dark) {
      Again again([&](const SimCall& call) {
        each_crash(*dark, call.index + 1, [&](const std::unique_ptr<SimFileSystem>& darker) {
          judge(*darker, when + ", and again after call " + std::to_string(call.index));
        });
      });
      const auto copy = dark->clone();
      dark->set_observer(&again);
      const auto recovered = Root::open({}, *dark, kRootA);
      dark->set_observer(nullptr);
      if (!recovered) return broken(when + ": " + recovered.error().text());
      judge(*copy, when);
    });
  }

  void judge(SimFileSystem& disk, const std::string& when) {
    ++outcome_.cases;
    if (auto root = Root::open({}, disk, kRootA); !root) return broken(when + ": " + root.error().text());
    const auto one = generation_of(disk.read_file("/a/one.json").value_or("")).value_or(0);
    const auto two = generation_of(disk.read_file("/a/two.json").value_or("")).value_or(0);
    if (one != two) return broken(when + ": half a commit: " + std::to_string(one) + ", " + std::to_string(two));
    if (one != generation_ && (decided_ || (before_ != 0 && one != before_)))
      broken(when + ": generation " + std::to_string(one));
    if (!line_) return;
    const std::string log = disk.read_file("/a/log").value_or("");
    std::size_t lines = 0;
    for (std::size_t at = log.find(kLine); at != std::string::npos; at = log.find(kLine, at + 1)) ++lines;
    if (lines != (one == generation_ ? 1U : 0U))
      broken(when + ": the line is there " + std::to_string(lines) + " times");
  }

  void broken(const std::string& how) { outcome_.fail(&Outcome::wrong, std::string(what_) + ": " + how); }

  const char* const what_;
  Outcome& outcome_;
  SimFileSystem disk_;
  std::string fails_;
  bool watching_ = false, decided_ = false, line_ = false, stays_ = false;
  std::uint64_t before_ = 0;  // generation of the documents; 0: either
  std::uint64_t generation_ = 0;
};

}  // namespace

void run_journals(Outcome& outcome) {
  Journals("a journal whose name was lost", outcome).lost_name(false);
  Journals("a journal whose name was lost, and that stays", outcome).lost_name(true);
  Journals("a journal that was taken back", outcome).taken_back();
  Journals("a journal that takes no sync", outcome).bad_file();
  Journals("a log that others cannot sync", outcome).suspect_log();
  Journals("a log that others did not sync", outcome).short_log();
  Journals("a commit that recovery finished", outcome).brought_back();
}

}  // namespace holdfast::lab
