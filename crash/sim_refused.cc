// Commits that cannot be completed. Every rename of a commit fails in turn, as
// forbidden, until the commit has answered; the power is cut after every change
// to the disk. What was refused never happens, and nothing is ever half done.
#include <cerrno>

#include "sim_parts.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

constexpr const char* kDocuments[] = {"/a/one.json", "/a/two.json", "/b/three.json"};

class Refused final : public SimObserver {
 public:
  // `stuck`: nothing can be put back before the answer either.
  Refused(std::uint64_t failing, bool new_ones, bool stuck, Outcome& outcome)
      : failing_(failing), new_ones_(new_ones), stuck_(stuck), outcome_(outcome) {
    for (const char* path : kDocuments)
      if (!new_ones || path == kDocuments[0]) (void)disk_.put_file(path, document_text(1));
    (void)disk_.put_file("/b/keep", "");
  }

  // Returns whether there was such a rename.
  bool run() {
    auto a = Root::open({}, disk_, kRootA);
    auto b = Root::open({}, disk_, kRootB);
    if (!a || !b) return false;
    // A first commit that works; it becomes the previous version.
    if (!commit(*a, *b, 2)) broken("the first commit fails");
    shown_ = 2;
    disk_.set_observer(this);
    const auto done = commit(*a, *b, 3);
    disk_.set_observer(nullptr);
    if (renames_ <= failing_) return false;
    if (done) broken("acknowledged");
    if (!done && (done.error().code == Code::unfinished || done.error().code == Code::durability_unknown))
      broken("could be taken back, and was not: " + done.error().text());
    decided_ = true;
    look(disk_.clone(), "killed after the answer");
    cut("after the answer");
    if (!stuck_) written_since(*a);
    return true;
  }

  Injection before(const SimCall& call) override {
    const bool back = call.path.contains("/tmp/undo.") || call.kind == SimCallKind::remove;
    if (stuck_ && back && !refuses_.empty() && !call.path.contains("/journal")) return {Injection::Kind::fail, EIO};
    if (call.kind != SimCallKind::rename) return {};
    bool named = false;
    for (const char* path : kDocuments) named = named || call.to == path;
    if (!named) return {};
    if (refuses_.empty() && renames_++ == failing_) refuses_ = call.to;
    return call.to == refuses_ ? Injection{Injection::Kind::fail, EACCES} : Injection{};
  }

  void after(const SimCall& call) override {
    if (refuses_.empty()) return;
    cut("after call " + std::to_string(call.index));
    look(disk_.clone(), "killed after call " + std::to_string(call.index));
  }

 private:
  Result<CommitResult> commit(const std::shared_ptr<Root>& a, const std::shared_ptr<Root>& b,
                              std::uint64_t generation) {
    Commit commit(a);
    commit.put(a, "one.json", document_text(generation));
    commit.put(a, "two.json", document_text(generation));
    commit.put(b, "three.json", document_text(generation));
    return commit.run({});
  }

  // What was taken back is finished: the same bytes, written later by somebody, stay.
  void written_since(const std::shared_ptr<Root>& a) {
    if (auto done = replace_document({}, *a, "one.json", document_text(3)); !done)
      return broken("the next change is refused: " + done.error().text());
    auto nothing = Chooser::random(1, 0);
    const auto dark = disk_.crash(CrashModel::weak, nothing);
    if (auto opened = Root::open({}, *dark, kRootA); !opened) return broken(opened.error().text());
    if (dark->read_file(kDocuments[0]).value_or("") != document_text(3))
      broken("a later version is taken back after a power loss");
  }

  void cut(const std::string& when) {
    for (const CrashModel model : {CrashModel::ordered, CrashModel::weak}) {
      auto chooser = Chooser::random(6, disk_.calls());
      do {
        look(disk_.crash(model, chooser), "power lost " + when);
      } while (chooser.next());
    }
  }

  void look(const std::unique_ptr<SimFileSystem>& disk, const std::string& when) {
    ++outcome_.cases;
    for (const char* root : {kRootB, kRootA})
      if (auto opened = Root::open({}, *disk, root); !opened) return broken(when + ": " + opened.error().text());
    std::uint64_t seen[3];
    for (int i = 0; i < 3; ++i) seen[i] = generation_of(disk->read_file(kDocuments[i]).value_or("")).value_or(0);
    if (seen[0] != seen[1] || seen[1] != seen[2])
      return broken(when + ": half a commit: " + std::to_string(seen[0]) + ", " + std::to_string(seen[1]) + ", " +
                    std::to_string(seen[2]));
    if (seen[0] != shown_ && (decided_ || seen[0] != shown_ + 1))
      broken(when + ": what was refused is there: " + std::to_string(seen[0]));
  }

  void broken(const std::string& how) {
    outcome_.fail(&Outcome::wrong, "a commit whose rename " + std::to_string(failing_) + " is forbidden" +
                                       (new_ones_ ? ", of new documents" : "") +
                                       (stuck_ ? ", and cannot be taken back at once: " : ": ") + how);
  }

  const std::uint64_t failing_;
  const bool new_ones_;
  const bool stuck_;
  Outcome& outcome_;
  SimFileSystem disk_;
  std::uint64_t shown_ = 1;
  std::uint64_t renames_ = 0;
  std::string refuses_;
  bool decided_ = false;
};

}  // namespace

void run_refused(Outcome& outcome) {
  for (const bool new_ones : {false, true})
    for (const bool stuck : {false, true})
      for (std::uint64_t failing = 0; failing < 3; ++failing) (void)Refused(failing, new_ones, stuck, outcome).run();
}

}  // namespace holdfast::lab
