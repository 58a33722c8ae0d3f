#include "sim_verify.h"

#include <holdfast/log_reader.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "text/json_value.h"

namespace holdfast::lab {
namespace {

class Verifier {
 public:
  Verifier(SimFileSystem& disk, const Oracle& oracle, After after, std::uint64_t salt, const std::string& what,
           Outcome& outcome)
      : disk_(disk), oracle_(oracle), after_(after), salt_(salt), what_(what), outcome_(outcome) {}

  bool run() {
    if (!open_roots()) return false;
    for (int which = 0; which < 2; ++which) check_log(which);
    check_document();
    check_commit();
    check_count();
    check_number();
    return ok_;
  }

 private:
  void broken(std::uint64_t Outcome::* count, const std::string& how) {
    ok_ = false;
    std::string text = what_ + ": " + how;
    for (const auto& root : {a_, b_})
      if (root)
        for (const auto& finding : root->findings())
          text += " [" + finding.kind + " " + finding.file + ": " + finding.consequence + "]";
    outcome_.fail(count, std::move(text));
  }

  // Whichever root is opened first, what it shows must not change when the
  // other one is opened: a commit is visible in both or in none.
  bool open_roots() {
    const bool b_first = salt_ % 2 == 1;
    for (int i = 0; i < 2; ++i) {
      const bool b = (i == 0) == b_first;
      auto root = Root::open({}, disk_, b ? kRootB : kRootA);
      if (!root) {
        broken(&Outcome::unopenable, std::string("cannot open root ") + (b ? "B: " : "A: ") + root.error().text());
        return false;
      }
      (b ? b_ : a_) = *root;
      if (b && b_first) seen_first_ = disk_.read_file("/b/sub/three.json").value_or("");
    }
    if (b_first && disk_.read_file("/b/sub/three.json").value_or("") != seen_first_)
      broken(&Outcome::wrong, "a commit appeared in root B only when root A was opened");
    return true;
  }

  bool must_survive(const Line& line) const {
    if (line.acknowledged == Durability::power) return true;
    return after_ == After::process_death && (line.acknowledged == Durability::process || line.foreign);
  }

  void check_log(int which) {
    LogOptions options;
    options.mode = which == 0 ? LogMode::ours : LogMode::shared;
    options.sync_interval = {};
    const std::string path = std::string(kRootA) + "/" + kLogs[which];
    auto log = AppendLog::open({}, a_, kLogs[which], options);
    if (!log) return broken(&Outcome::unopenable, std::string(kLogs[which]) + ": " + log.error().text());
    if (which == 0) {
      const std::string bytes = disk_.read_file(path).value_or("");
      if (!bytes.empty() && bytes.back() != '\n') broken(&Outcome::wrong, "a log of ours does not end in a newline");
      check_fragments(bytes);
    }
    const std::string probe = "{\"probe\":" + std::to_string(salt_) + "}";
    if (auto ack = (*log)->append({}, probe); !ack)
      return broken(&Outcome::unopenable, std::string("cannot append again: ") + ack.error().text());
    read_and_compare(which, probe);
  }

  void read_and_compare(int which, const std::string& probe) {
    auto reader = LogReader::open({}, a_->directory(), kLogs[which]);
    if (!reader) return broken(&Outcome::unopenable, reader.error().text());
    const auto& lines = oracle_.logs[which].lines;
    std::unordered_map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < lines.size(); ++i) index.emplace(lines[i].text, i);
    std::vector<int> seen(lines.size(), 0);
    std::uint64_t latest = 0;
    bool probed = false;
    Record record;
    while (true) {
      auto more = reader->next(record);
      if (!more) return broken(&Outcome::unopenable, more.error().text());
      if (!*more) break;
      const auto found = index.find(record.bytes);
      if (found == index.end()) {
        if (record.bytes == probe)
          probed = true;
        else if (!record.bytes.starts_with("{\"probe\":"))
          broken(&Outcome::altered, "a record that nobody wrote: " + std::string(record.bytes.substr(0, 60)));
        continue;
      }
      if (++seen[found->second] > 1)
        broken(&Outcome::wrong, "a record is there twice: " + lines[found->second].text.substr(0, 40));
      // Commit lines may be written late, by recovery.
      const Line& line = lines[found->second];
      if (line.commit) continue;
      if (line.ended < latest) broken(&Outcome::wrong, "records are out of order");
      latest = std::max(latest, line.began);
    }
    if (!probed) broken(&Outcome::lost, "the record appended after recovery is not there");
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!must_survive(lines[i])) continue;
      ++outcome_.acknowledged;
      if (seen[i] == 0) broken(&Outcome::lost, std::string(kLogs[which]) + " lost " + lines[i].text.substr(0, 40));
    }
    if (which == 0)
      for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].commit) {
          commit_lines_[lines[i].text] = seen[i];
          if (lines[i].acknowledged == Durability::power) committed_lines_.insert(lines[i].text);
        }
  }

  // Bytes that were cut must be in quarantine.
  void check_fragments(const std::string& log) {
    for (const auto& fragment : oracle_.logs[0].fragments) {
      bool found = log.find(fragment) != std::string::npos;
      const auto names = a_->directory().list(a_->side("corrupt"));
      if (!found && names)
        for (const auto& name : *names)
          found =
              found ||
              disk_.read_file(std::string(kRootA) + "/" + a_->side("corrupt", name.name)).value_or("").find(fragment) !=
                  std::string::npos;
      if (!found) broken(&Outcome::lost, "a torn tail was cut and no copy is in quarantine");
    }
  }

  bool allowed(const OracleGroup& group, std::uint64_t generation) const {
    return generation == group.acknowledged || generation == group.in_flight ||
           std::ranges::find(group.undecided, generation) != group.undecided.end();
  }

  void check_document() {
    const auto& group = oracle_.document;
    const bool exists = disk_.exists("/a/one.json");
    if (!exists) {
      if (group.acknowledged != 0 && !oracle_.removing) broken(&Outcome::lost, "the document is gone");
      return;
    }
    ++outcome_.acknowledged;
    const auto loaded = load_document({}, *a_, "one.json");
    // A process that takes the lock finishes a pending removal.
    if (!loaded && loaded.error().code == Code::not_found && oracle_.removing) return;
    if (!loaded) return broken(&Outcome::unopenable, loaded.error().text());
    if (loaded->restored_from_backup) broken(&Outcome::wrong, "the document had to be restored from its backup");
    const auto generation = generation_of(loaded->bytes);
    if (!generation) return broken(&Outcome::altered, "the document holds bytes that nobody wrote");
    if (!allowed(group, *generation))
      broken(&Outcome::lost, "the document is at generation " + std::to_string(*generation) + ", acknowledged was " +
                                 std::to_string(group.acknowledged));
  }

  std::uint64_t shown(const char* path) {
    const auto bytes = disk_.read_file(path);
    if (!bytes) return 0;
    const auto generation = generation_of(*bytes);
    if (generation) return *generation;
    broken(&Outcome::altered, std::string(path) + " holds bytes that nobody wrote");
    return 0;
  }

  void check_commit() {
    const auto& group = oracle_.commit;
    const std::uint64_t two = shown("/a/two.json");
    const std::uint64_t three = shown("/b/sub/three.json");
    const auto link = a_->directory().read_symlink("latest");
    const std::uint64_t latest = link ? std::stoull(*link) : 0;
    if (two != three || two != latest)
      return broken(&Outcome::wrong, "half a commit: two.json " + std::to_string(two) + ", three.json " +
                                         std::to_string(three) + ", latest " + std::to_string(latest));
    if (!allowed(group, two))
      broken(&Outcome::lost, "the commit is at generation " + std::to_string(two) + ", acknowledged was " +
                                 std::to_string(group.acknowledged));
    for (const auto& [generation, line] : oracle_.generations) {
      const bool there = commit_lines_[line] == 1;
      if (generation == two && !there) broken(&Outcome::wrong, "half a commit: its log line is missing");
      if (generation > two && there && !committed_lines_.contains(line))
        broken(&Outcome::wrong, "half a commit: its log line is there");
    }
  }

  std::uint64_t counted(const char* path) {
    const auto bytes = disk_.read_file(path);
    if (!bytes) return 0;
    const auto count = static_cast<std::uint64_t>(JsonView(*bytes).find("count").as_int64().value_or(0));
    if (*bytes != count_text(count)) broken(&Outcome::altered, std::string(path) + " holds bytes that nobody wrote");
    return count;
  }

  void compare(const OracleCount& expected, const char* path) {
    const std::uint64_t count = counted(path);
    outcome_.acknowledged += expected.acknowledged;
    if (count < expected.acknowledged || count > expected.acknowledged + expected.undecided)
      broken(&Outcome::lost, std::string(path) + " counts " + std::to_string(count) + ", acknowledged were " +
                                 std::to_string(expected.acknowledged));
  }

  void check_count() {
    compare(oracle_.count, "/a/count.json");
    compare(oracle_.tally, "/a/tally.json");
    compare(oracle_.tally, "/b/tally.json");
    if (counted("/a/tally.json") != counted("/b/tally.json"))
      broken(&Outcome::wrong, "half a commit: the tallies of the two roots differ");
  }

  void check_number() {
    if (oracle_.numbers.empty()) return;
    const auto number = next_number({}, a_, "n");
    if (!number) return broken(&Outcome::unopenable, number.error().text());
    ++outcome_.acknowledged;
    if (oracle_.numbers.contains(*number)) broken(&Outcome::wrong, "a number was handed out twice");
  }

  SimFileSystem& disk_;
  const Oracle& oracle_;
  After after_;
  std::uint64_t salt_;
  const std::string& what_;
  Outcome& outcome_;
  bool ok_ = true;
  std::shared_ptr<Root> a_, b_;
  std::string seen_first_;
  std::map<std::string, int> commit_lines_;  // number of occurrences of each
  std::set<std::string> committed_lines_;    // of acknowledged commits
};

}  // namespace

bool verify(SimFileSystem& disk, const Oracle& oracle, After after, std::uint64_t salt, const std::string& what,
            Outcome& outcome) {
  return Verifier(disk, oracle, after, salt, what, outcome).run();
}

}  // namespace holdfast::lab
