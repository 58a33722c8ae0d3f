// The archive: random histories of one home. Agents write; what they wrote is captured, compacted, forgotten by line
// or as a session, and restored; processes are killed and the power is cut at any call to the disk. Whatever was
// captured and acknowledged must stay readable as it was, what was noted as forgotten must be gone for good, a
// restored session must be whole or absent, and every remaining chunk and line must be valid.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_set>

#include "archive/capture_file.h"
#include "archive/find_text.h"
#include "archive/forget_lines.h"
#include "archive/restore_captured.h"
#include "archive/rewrite_archive.h"
#include "archive/verify_archive.h"
#include "crash/disk/sim_file_system.h"
#include "parts.h"
#include "sim_parts.h"

namespace holdfast::lab {
namespace {

constexpr char kArchive[] = "/data/archive";
constexpr char kStore[] = "/home/me/.claude";
constexpr int kSessions = 3;

class KillAtCall final : public SimObserver {
 public:
  KillAtCall(std::uint64_t at, bool inside) : at_(at), inside_(inside) {}
  Injection before(const SimCall&) override {
    if (count_++ != at_) return {};
    killed = true;
    return {.kind = inside_ ? Injection::Kind::kill_inside : Injection::Kind::kill_before};
  }
  bool killed = false;

 private:
  std::uint64_t at_, count_ = 0;
  bool inside_;
};

std::string id_of(std::uint64_t n) { return "aaaaaaaa-0000-4000-8000-00000000000" + std::to_string(n); }
std::string path_of(std::uint64_t n) { return "projects/-p/" + id_of(n) + ".jsonl"; }
CaptureKey key_of(std::uint64_t n) { return {"claude-code", kStore, id_of(n)}; }

struct AgentLog {
  std::string bytes = {};             // as the agent has it
  std::set<std::string> may_be = {};  // what the archive may show; exactly one of them must be shown once acknowledged
  bool captured = false;              // captured and acknowledged
  bool may_be_gone = false;           // forgotten, or about to be
  bool gone = false;                  // certainly gone
};

class ArchiveHistory {
 public:
  ArchiveHistory(std::uint64_t seed, Outcome& outcome)
      : seed_(seed), random_(seed), outcome_(outcome), disk_(std::make_unique<SimFileSystem>(seed)) {}

  void run() {
    (void)disk_->put_file("/data/keep", "");
    const std::uint64_t steps = 10 + random_.below(20);
    for (std::uint64_t n = 0; n < steps && !failed_; ++n) step();
    if (!failed_) judge();
    ++outcome_.cases;
  }

 private:
  void broken(std::uint64_t Outcome::* count, const std::string& what) {
    failed_ = true;
    outcome_.fail(count, "--replay " + std::to_string(seed_) + ": " + what);
  }

  void step() {
    const std::uint64_t n = random_.below(kSessions);
    const std::uint64_t what = random_.below(100);
    if (what < 40) return write(n);
    KillAtCall killer(random_.chance(50) ? random_.below(160) : UINT64_MAX, random_.chance(50));
    disk_->set_observer(&killer);
    if (what < 70)
      capture();
    else if (what < 80)
      compact();
    else if (what < 88)
      forget_word();
    else if (what < 92)
      forget_session(n);
    else if (what < 94)
      lose_list();
    else
      restore(n);
    disk_->set_observer(nullptr);
    if (killer.killed && random_.chance(70)) {
      auto chooser = Chooser::random(1, random_.next());
      constexpr CrashModel kModels[] = {CrashModel::ordered, CrashModel::ext4_nul, CrashModel::weak};
      disk_ = disk_->crash(kModels[random_.below(3)], chooser);
      // What the agents wrote survives: the agents are not under test here.
      for (std::uint64_t i = 0; i < kSessions; ++i) put(i);
    } else if (killer.killed) {
      disk_->kill();
    }
    look();
  }

  // ---- operations

  void put(std::uint64_t n) {
    if (!logs_[n].bytes.empty()) (void)disk_->put_file(std::string(kStore) + "/" + path_of(n), logs_[n].bytes);
  }
  void write(std::uint64_t n) {
    AgentLog& log = logs_[n];
    if (random_.chance(8)) log.bytes.clear();
    const std::string word = random_.chance(15) ? word_ : "";
    log.bytes += "{\"n\":" + std::to_string(random_.next()) + ",\"text\":\"" + word + "\"}\n";
    if (random_.chance(5)) log.bytes += "{\"long\":\"" + std::string(kBlockBytes, 'x') + "\"}\n";
    put(n);
  }

  // Opens a writer and finishes everything that was begun.
  Result<std::unique_ptr<ArchiveWriter>> writer() {
    HOLDFAST_LET(opened, ArchiveWriter::open({}, *disk_, kArchive));
    const auto& sessions = opened->state().sessions;
    if (!opened->forgotten_lines().pending &&
        std::ranges::none_of(opened->forgotten(), [&](const CaptureKey& key) { return sessions.contains(key); }))
      return opened;
    static const std::set<CaptureKey> kNone;
    HOLDFAST_TRY(forget_lines({}, *opened, opened->forgotten_lines().pending ? nullptr : &kNone));
    HOLDFAST_TRY(opened->note_forgetting_done({}));
    opened.reset();
    return ArchiveWriter::open({}, *disk_, kArchive);
  }

  std::string without_forgotten(const ArchiveWriter& open, const std::string& bytes) {
    std::string kept;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = bytes.find('\n', at) + 1;
      const std::string line = bytes.substr(at, end - at);
      if (!open.forgotten_lines().contains(line)) kept += line;
      at = end;
    }
    return kept;
  }

  void capture() {
    auto open = writer();
    if (!open) return;
    auto store = disk_->open_directory(kStore, false);
    if (!store) return;
    std::map<std::uint64_t, std::string> made;
    for (std::uint64_t n = 0; n < kSessions; ++n) {
      if ((*open)->forgotten().contains(key_of(n)) || logs_[n].bytes.empty()) continue;
      const auto known = (*open)->state().sessions.find(key_of(n));
      const auto& sessions = (*open)->state().sessions;
      const Place place{"home", path_of(n)};
      const FileVersion* last = known == sessions.end() ? nullptr : known->second.last.at(place).get();
      const FileVersion* shown = known == sessions.end() ? nullptr : known->second.head.at(place).get();
      const auto version = capture_file({}, **open, **store, path_of(n), last, shown);
      if (!version || !*version) return;
      Capture one;
      one.session = key_of(n);
      one.at = "2026-11-16T00:00:00.000Z";
      std::size_t keep = 0;
      while (last != nullptr && keep < std::min(last->blocks.size(), (*version)->blocks.size()) &&
             last->blocks[keep] == (*version)->blocks[keep])
        ++keep;
      const bool worse = (*version)->worse;
      one.files.push_back({place, std::make_shared<FileVersion>(**version), keep, false});
      if (!worse) made[n] = without_forgotten(**open, logs_[n].bytes);
      if (!worse) logs_[n].may_be.insert(made[n]);
      if (!(*open)->add({}, std::move(one))) return;
    }
    if (!(*open)->close({})) return;
    for (const auto& [n, bytes] : made) {
      logs_[n].may_be = {bytes};
      logs_[n].captured = true;
      ++outcome_.acknowledged;
    }
  }

  void compact() {
    auto open = writer();
    if (open) (void)compact_archive({}, **open);
  }

  void forget_word() {
    auto open = writer();
    if (!open) return;
    const auto found = find_text({}, (*open)->root().directory(), (*open)->packs(), word_, (*open)->forgotten_lines());
    if (!found || found->in_lines.empty()) return;
    // Lines that the agents have and that are not captured yet, as in session.forget.
    std::unordered_set<std::string> hashes = found->hashes;
    for (const auto& [n, log] : logs_) {
      for (std::size_t at = 0; at < log.bytes.size(); at = log.bytes.find('\n', at) + 1) {
        const std::string line = log.bytes.substr(at, log.bytes.find('\n', at) - at);
        if (line.find(word_) != std::string::npos) hashes.insert((*open)->forgotten_lines().hash_of(line));
      }
    }
    // Both are possible until it is known to be noted.
    for (auto& [n, log] : logs_) {
      std::set<std::string> holed = log.may_be;
      for (const std::string& bytes : log.may_be) holed.insert(without(bytes, word_));
      log.may_be = std::move(holed);
    }
    maybe_forgotten_.insert(word_);
    const std::string word = word_;
    word_ = "word" + std::to_string(random_.next());
    if (!(*open)->note_forgotten({}, {}, hashes)) return;
    forgotten_.insert(word);
    for (auto& [n, log] : logs_) {
      std::set<std::string> holed;
      for (const std::string& bytes : log.may_be) holed.insert(without(bytes, word));
      log.may_be = std::move(holed);
    }
    if (forget_lines({}, **open, &found->in_lines)) (void)(*open)->note_forgetting_done({});
  }

  static std::string without(const std::string& bytes, const std::string& word) {
    std::string kept;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = bytes.find('\n', at) + 1;
      const std::string line = bytes.substr(at, end - at);
      if (line.find(word) == std::string::npos) kept += line;
      at = end;
    }
    return kept;
  }

  void forget_session(std::uint64_t n) {
    auto open = writer();
    if (!open || !(*open)->state().sessions.contains(key_of(n))) return;
    logs_[n].may_be_gone = true;
    if (!(*open)->note_forgotten({}, {key_of(n)})) return;
    logs_[n].gone = true;
    static const std::set<CaptureKey> kNone;
    (void)forget_lines({}, **open, &kNone);
  }

  // Somebody removes the list of what is forgotten, or puts an older one back. What the log repeats stays forgotten.
  void lose_list() {
    if (const auto open = writer(); !open) return;
    const std::string path = std::string(kArchive) + "/forgotten.json";
    const auto now = disk_->read_file(path);
    (void)disk_->put_file(path, older_list_);
    if (now && random_.chance(50)) older_list_ = *now;
  }

  void restore(std::uint64_t n) {
    auto archive = Archive::open({}, *disk_, kArchive);
    if (!archive) return;
    const auto found = (*archive)->find(id_of(n));
    if (!found) return;
    const std::string root = "/back/" + std::to_string(++restored_);
    const auto done = restore_captured({}, *disk_, (*archive)->packs(), (*found)->first, (*found)->second,
                                       *find_layout("claude-code"), {}, {.root = root, .imports = root});
    backs_[root + "/" + path_of(n)] = {logs_[n].may_be, done.has_value()};
  }

  // ---- checks

  std::string shown(Archive& archive, std::uint64_t n) {
    const auto found = archive.state().sessions.find(key_of(n));
    if (found == archive.state().sessions.end()) return "(none)";
    std::string bytes;
    const auto read = read_version(archive.packs(), *found->second.head.at({"home", path_of(n)}),
                                   [&](std::string_view part) -> Result<void> {
                                     bytes += part;
                                     return {};
                                   });
    return read ? bytes : "(" + read.error().text() + ")";
  }

  // Checks the archive right afterwards, as a reader finds it.
  void look() {
    if (failed_) return;
    for (const auto& [path, expected] : backs_) {
      const auto there = disk_->read_file(path);
      if (there && !expected.first.contains(*there)) return broken(&Outcome::altered, path + " came back wrong");
      if (!there && expected.second) return broken(&Outcome::lost, path + " was restored and is not there");
    }
    auto archive = Archive::open({}, *disk_, kArchive);
    if (!archive) {
      const bool any = std::ranges::any_of(logs_, [](const auto& one) { return one.second.captured; });
      if (any) broken(&Outcome::unopenable, archive.error().text());
      return;
    }
    for (auto& [n, log] : logs_) {
      const std::string bytes = shown(**archive, n);
      if (bytes == "(none)" && log.captured && !log.may_be_gone) return broken(&Outcome::lost, id_of(n) + " is lost");
      if (bytes == "(none)") continue;
      // Until a writer finishes the removal, forgotten lines may still be there.
      const bool known = log.may_be.contains(bytes) || std::ranges::any_of(forgotten_, [&](const std::string& word) {
                           return bytes.find(word) != std::string::npos && log.may_be.contains(without(bytes, word));
                         });
      if (!known && !log.gone) return broken(&Outcome::altered, id_of(n) + " is " + bytes.substr(0, 200));
      if (!log.gone && log.may_be.contains(bytes) && log.may_be.size() > 1 && !log.may_be_gone) log.may_be = {bytes};
    }
  }

  void judge() {
    {
      auto open = writer();
      if (!open) return broken(&Outcome::unopenable, open.error().text());
      for (auto& [n, log] : logs_) log.gone = log.gone || (*open)->forgotten().contains(key_of(n));
    }
    look();
    if (failed_) return;
    auto archive = Archive::open({}, *disk_, kArchive);
    if (!archive) return broken(&Outcome::unopenable, archive.error().text());
    const auto check = verify_archive({}, **archive);
    if (!check) return broken(&Outcome::altered, check.error().text());
    // A power loss may leave a part of a line that was never acknowledged.
    for (const Finding& damage : check->damage)
      if (damage.file != kCaptureLog) return broken(&Outcome::altered, damage.consequence);
    for (const auto& [n, log] : logs_) {
      if (log.gone && (*archive)->state().sessions.contains(key_of(n)))
        return broken(&Outcome::wrong, id_of(n) + " was forgotten and is there");
    }
    for (const auto& [name, place] : (*archive)->packs().all()) {
      const auto plain = (*archive)->packs().read(name);
      for (const std::string& word : forgotten_) {
        if (plain && plain->find(word) != std::string::npos)
          return broken(&Outcome::wrong, word + " was forgotten and is in a pack");
      }
    }
  }

  const std::uint64_t seed_;
  Random random_;
  Outcome& outcome_;
  std::unique_ptr<SimFileSystem> disk_;
  std::map<std::uint64_t, AgentLog> logs_;
  std::map<std::string, std::pair<std::set<std::string>, bool>> backs_;  // by file: allowed contents, required
  std::string word_ = "word0";
  std::set<std::string> forgotten_, maybe_forgotten_;
  std::string older_list_ = "{}";
  int restored_ = 0;
  bool failed_ = false;
};

}  // namespace

Outcome run_archive(const Options& options) {
  const std::uint64_t count = histories(options, 100, 400, 8000);
  auto outcome = in_parallel([&](unsigned worker, unsigned workers, Outcome& found) {
    if (worker == 0 && options.replay.empty()) run_archive_scenes(found);
    for (std::uint64_t n = worker; n < count; n += workers) {
      if (!options.replay.empty() && n > 0) break;
      const std::uint64_t seed = options.replay.empty() ? options.seed * 1'000'003 + n : std::stoull(options.replay);
      ArchiveHistory(seed, found).run();
    }
  });
  outcome.unit = "cases";
  return outcome;
}

}  // namespace holdfast::lab
