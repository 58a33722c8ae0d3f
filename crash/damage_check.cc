#include <holdfast/append_log.h>
#include <holdfast/checksums.h>
#include <holdfast/log_reader.h>

#include <algorithm>

#include "damage.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

class Checker {
 public:
  Checker(const DamageStore& store, const DamageCase& which, std::uint64_t seed, FlipTally& tally, Outcome& outcome)
      : store_(store),
        case_(which),
        seed_(seed),
        tally_(tally),
        outcome_(outcome),
        damaged_(damage(store.bytes[static_cast<std::size_t>(which.victim)], which.at, which.harm,
                        (seed * 1000 + which.variant) * 1'000'000 + which.at * 64 + static_cast<unsigned>(which.harm))),
        disk_(store.disk(which.victim).clone()) {
    if (is_flip(which.harm))
      disk_->flip_bit(victim_path(which.victim),
                      which.at * 8 + static_cast<unsigned>(which.harm) - static_cast<unsigned>(Harm::flip0));
    else
      (void)disk_->put_file(victim_path(which.victim), damaged_.bytes);
    changed_ = damaged_.bytes != store.bytes[static_cast<std::size_t>(which.victim)];
  }

  void run() {
    if (!open_roots()) return;
    check_commit();
    for (int which = 0; which < 2; ++which) {
      check_sums(which, false);
      check_log(which);
      check_sums(which, true);
    }
    check_document();
    check_numbers();
  }

 private:
  void broken(std::uint64_t Outcome::* count, const std::string& how) {
    std::string text = "--seed " + std::to_string(seed_) + " --replay " + case_.text() + ": " + how;
    for (const auto& finding : findings_) text += " [" + finding.kind + " " + finding.file + "]";
    outcome_.fail(count, std::move(text));
  }

  bool hits(Victim victim) const { return case_.victim == victim; }

  bool open_roots() {
    const bool b_first = (case_.at + static_cast<std::size_t>(case_.harm)) % 2 == 1;
    for (const bool b : {b_first, !b_first}) {
      auto root = Root::open({}, *disk_, b ? "/b" : "/a");
      if (!root) {
        broken(&Outcome::unopenable, std::string("root ") + (b ? "B: " : "A: ") + root.error().text());
        return false;
      }
      (b ? b_ : a_) = *root;
      std::ranges::copy((*root)->findings(), std::back_inserter(findings_));
    }
    return true;
  }

  std::uint64_t generation(const char* path) {
    const auto bytes = disk_->read_file(path);
    const auto found = bytes ? generation_of(*bytes) : std::nullopt;
    if (!found) broken(&Outcome::altered, std::string(path) + " holds bytes that nobody wrote");
    return found.value_or(0);
  }

  // All of the commit is there or none of it; if damage undid it, that is reported.
  void check_commit() {
    const std::uint64_t two = generation("/a/two.json");
    const std::uint64_t three = generation("/b/sub/three.json");
    const std::string latest = a_->directory().read_symlink("latest").value_or("");
    happened_ = two == store_.begun;
    const bool may_happen = hits(Victim::pending) || hits(Victim::pointer);
    if (two != three || latest != std::to_string(two)) broken(&Outcome::wrong, "half a commit");
    if (two != store_.done && !(may_happen && happened_)) broken(&Outcome::wrong, "a commit that nobody made");
    const bool told = std::ranges::any_of(findings_, [](const Finding& each) { return each.kind == "journal"; });
    // An empty journal cannot be distinguished from none.
    if (may_happen && !happened_ && !told && !(hits(Victim::pending) && damaged_.bytes.empty()))
      broken(&Outcome::wrong, "a commit was dropped without a word");
    if (told && !hits(Victim::pending) && !hits(Victim::pointer) && !hits(Victim::applied))
      broken(&Outcome::wrong, "a journal was set aside that was not damaged");
  }

  bool was_hit(const WrittenLog::Line& line) const {
    if (damaged_.begin == damaged_.old_end) return damaged_.begin >= line.begin && damaged_.begin < line.end;
    return damaged_.begin < line.end && damaged_.old_end > line.begin;
  }

  bool victim_log(int which) const { return hits(which == 0 ? Victim::ours : Victim::shared); }
  const WrittenLog& log(int which) const { return store_.logs[static_cast<std::size_t>(which)]; }

  // Every change of covered bytes is reported, and nothing else.
  void check_sums(int which, bool appended) {
    const auto report = verify_checksums({}, *a_, log(which).path);
    if (!report) return broken(&Outcome::unopenable, "checksums: " + report.error().text());
    const auto count = [&](std::string_view kind) {
      return std::ranges::count_if(report->findings, [&](const Finding& each) { return each.kind == kind; });
    };
    if (victim_log(which)) {
      const bool covered = std::ranges::any_of(log(which).lines, [&](const WrittenLog::Line& each) {
        return each.covered && damaged_.bytes.compare(std::min(each.begin, damaged_.bytes.size()),
                                                      each.end - each.begin, each.text + "\n") != 0;
      });
      // When the log grows again, the part that was cut off is forgotten.
      const bool still_there =
          !appended || (is_flip(case_.harm) && disk_->read_file("/a/" + log(which).path)->starts_with(damaged_.bytes));
      if (covered && still_there && count("checksum") == 0)
        broken(&Outcome::wrong, "the checksums do not see the damage");
      return;
    }
    if (count("checksum") != 0) broken(&Outcome::wrong, "the checksums accuse a log that is not damaged");
    const bool side_car = which == 0 && hits(Victim::side_car);
    if (!side_car && count("side_car") != 0) broken(&Outcome::wrong, "the checksums accuse themselves without reason");
    if (side_car && changed_ && !appended && count("side_car") == 0 && report->uncovered == 0)
      broken(&Outcome::wrong, "damage of the side-car is not seen");
  }

  void check_log(int which) {
    const std::string path = "/a/" + log(which).path;
    const std::string before = disk_->read_file(path).value_or("");
    LogOptions options;
    options.mode = which == 0 ? LogMode::ours : LogMode::shared;
    options.sync_interval = {};
    auto opened = AppendLog::open({}, a_, log(which).path, options);
    if (!opened) return broken(&Outcome::unopenable, log(which).path + ": " + opened.error().text());
    check_kept(which, before, disk_->read_file(path).value_or(""));
    if (auto ack = (*opened)->append({}, kProbe); !ack)
      return broken(&Outcome::unopenable, log(which).path + ": append: " + ack.error().text());
    const std::string after = disk_->read_file(path).value_or("");
    if (!after.ends_with('\n')) broken(&Outcome::wrong, "the log does not end in a newline");
    read_back(which);
  }

  // A repair cuts only an unfinished last line, and keeps it in quarantine.
  void check_kept(int which, const std::string& before, const std::string& after) {
    if (which == 0 && !after.empty() && !after.ends_with('\n')) broken(&Outcome::wrong, "the tail was not repaired");
    if (after.starts_with(before)) return;
    const std::size_t tail = before.rfind('\n') + 1;  // npos + 1 == 0
    if (which == 1 || after != before.substr(0, tail))
      return broken(&Outcome::altered, "opening changed complete lines");
    if (!quarantined(*disk_, *a_, std::string_view(before).substr(tail)))
      broken(&Outcome::lost, "a tail was cut without a copy");
  }

  void read_back(int which) {
    const WrittenLog& written = log(which);
    std::vector<int> seen(written.lines.size(), 0);
    std::vector<std::string> all;
    std::size_t last = 0;
    int probes = 0;
    auto reader = LogReader::open({}, a_->directory(), written.path, damage_read_options(case_.harm));
    if (!reader) return broken(&Outcome::unopenable, reader.error().text());
    Record record;
    while (true) {
      auto more = reader->next(record);
      if (!more) return broken(&Outcome::unopenable, more.error().text());
      if (!*more) break;
      all.emplace_back(record.bytes);
      if (const auto found = written.index.find(record.bytes); found != written.index.end()) {
        if (found->second < last) broken(&Outcome::wrong, "records are out of order");
        last = found->second;
        ++seen[last];
      } else if (record.bytes == kProbe) {
        ++probes;
      } else if (!(which == 0 && happened_ && record.bytes == store_.begun_line)) {
        check_strange(which, record);
      }
    }
    if (probes != 1) broken(&Outcome::lost, "the record appended after the damage is not there");
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const bool hit = victim_log(which) && was_hit(written.lines[i]);
      if (!hit) ++outcome_.acknowledged;
      if (!hit && seen[i] == 0) broken(&Outcome::lost, "collateral loss of " + written.lines[i].text.substr(0, 40));
      if (seen[i] > 1) broken(&Outcome::wrong, "a record is there twice");
    }
    if (const std::string how = compare_tail(*a_, written.path, case_.harm, all); !how.empty())
      broken(&Outcome::wrong, how);
  }

  // A record that nobody wrote must be the line that was hit, as it is now.
  void check_strange(int which, const Record& record) {
    const std::size_t begin = static_cast<std::size_t>(record.offset);
    const std::size_t end = begin + record.bytes.size();
    const bool here = victim_log(which) && begin < damaged_.new_end && end > damaged_.begin;
    const bool whole_line = here && damaged_.bytes.substr(begin, end - begin) == record.bytes &&
                            (begin == 0 || damaged_.bytes[begin - 1] == '\n') && damaged_.bytes[end] == '\n';
    if (here && is_garbage(case_.harm)) return;
    if (!whole_line || !is_flip(case_.harm))
      return broken(&Outcome::altered, "a record that nobody wrote: " + std::string(record.bytes.substr(0, 60)));
    if (!record.salvaged) ++tally_.silent;
  }

  void check_document() {
    const auto report = [this](std::uint64_t Outcome::* count, const std::string& how) { broken(count, how); };
    const std::string backup = hits(Victim::backup) ? damaged_.bytes : store_.backup;
    expect_document(*disk_, *a_, hits(Victim::document) ? damaged_.bytes : store_.document, backup, report);
    if (!hits(Victim::backup)) return;
    // Now the damaged backup is needed.
    const std::string half = store_.document.substr(0, store_.document.size() / 2);
    (void)disk_->put_file("/a/one.json", half);
    expect_document(*disk_, *a_, half, backup, report);
  }

  // A number is never handed out twice, nor if an undamaged line contains it.
  void check_numbers() {
    std::uint64_t highest = store_.number;
    if (hits(Victim::counter)) {
      const std::string& bytes = store_.bytes[static_cast<std::size_t>(Victim::counter)];
      const bool last_hit = damaged_.old_end > bytes.rfind('\n', bytes.size() - 2);
      // A cut removes numbers that nobody can know any more; after other damage
      // at least one bit remains that shows that there was one more.
      if (last_hit && !is_flip(case_.harm)) highest = 0;
    }
    expect_numbers(a_, highest, [this](std::uint64_t Outcome::* count, const std::string& how) { broken(count, how); });
  }

  const DamageStore& store_;
  const DamageCase& case_;
  const std::uint64_t seed_;
  FlipTally& tally_;
  Outcome& outcome_;
  const Damaged damaged_;
  const std::unique_ptr<SimFileSystem> disk_;
  bool changed_ = false;
  bool happened_ = false;
  std::shared_ptr<Root> a_, b_;
  std::vector<Finding> findings_;
};

}  // namespace

void check_damage(const DamageStore& store, const DamageCase& which, std::uint64_t seed, FlipTally& tally,
                  Outcome& outcome) {
  ++outcome.cases;
  if (is_flip(which.harm) && (which.victim == Victim::ours || which.victim == Victim::shared)) ++tally.flips;
  Checker(store, which, seed, tally, outcome).run();
}

}  // namespace holdfast::lab
