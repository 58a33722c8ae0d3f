// The archive, one operation at a time: the first capture, another one, compaction, forgetting a session or a text, and
// restoring a session. At every call the power is cut or the process is killed, every sync fails, and another process
// captures; then the next process continues, and the power is cut once more. Also plants situations that crashes rarely
// leave.
#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "archive/capture_file.h"
#include "archive/find_text.h"
#include "archive/forget_lines.h"
#include "archive/restore_captured.h"
#include "archive/rewrite_archive.h"
#include "archive/verify_archive.h"
#include "base/hash.h"
#include "crash/disk/sim_file_system.h"
#include "parts.h"
#include "sim_interleaving.h"

namespace holdfast::lab {
namespace {

constexpr char kArchive[] = "/data/archive";
constexpr char kStore[] = "/home/me/.claude";
constexpr char kBack[] = "/back";
constexpr char kSecret[] = "sesame";
constexpr char kPrivate[] = "diary";

// Sessions of the scenes, by number. The archive has two versions of the first; both contain the secret.
enum : int { kGrown, kDiary, kOther, kLater, kVisitor };

std::string id_of(int n) { return "aaaaaaaa-0000-4000-8000-00000000000" + std::to_string(n); }
std::string main_of(int n) { return "projects/-p/" + id_of(n) + ".jsonl"; }
std::string beside_of(int n) { return "projects/-p/" + id_of(n) + "/subagents/agent-1.jsonl"; }
CaptureKey key_of(int n) { return {"claude-code", kStore, id_of(n)}; }

std::string line(int n, const std::string& text) {
  return "{\"n\":" + std::to_string(n) + ",\"text\":\"" + text + "\"}\n";
}
std::string text_of(int n, bool grown = true) {
  if (n == kDiary) return line(1, kPrivate) + line(2, "x");
  std::string text = line(n * 10, "first");
  if (n == kGrown) text += line(1, kSecret) + (grown ? line(2, std::string(900, 'y')) : "");
  return text;
}
std::string without_secret() { return line(0, "first") + line(2, std::string(900, 'y')); }
std::string beside_text(int n) { return line(n, "inside"); }

// No real time passes while waiting for a lock.
Context hurried() {
  static const JumpingClock clock;
  return {{}, {}, &clock};
}

Result<FileVersion> version_of(ArchiveWriter& writer, const std::string& bytes) {
  FileVersion version;
  const Context context = hurried();
  BlockMaker blocks(context, writer, version);
  HOLDFAST_TRY(blocks.add(bytes));
  HOLDFAST_TRY(blocks.end());
  version.size = bytes.size();
  return version;
}

// Captures like the library does.
Result<void> capture(ArchiveWriter& writer, int n, bool grown = true) {
  if (writer.forgotten().contains(key_of(n))) return {};
  Capture one;
  one.session = key_of(n);
  one.at = "2026-11-16T00:00:00.000Z";
  for (const auto& [path, bytes] :
       {std::pair(main_of(n), text_of(n, grown)), std::pair(beside_of(n), beside_text(n))}) {
    HOLDFAST_LET(version, version_of(writer, bytes));
    one.files.push_back({{"home", path}, std::make_shared<FileVersion>(std::move(version))});
  }
  HOLDFAST_TRY(writer.add(hurried(), std::move(one)));
  return writer.commit(hurried());
}

// Opens a writer and finishes everything that was begun, as every operation does first.
Result<std::unique_ptr<ArchiveWriter>> open_finished(FileSystem& files) {
  HOLDFAST_LET(opened, ArchiveWriter::open(hurried(), files, kArchive));
  const auto& sessions = opened->state().sessions;
  if (!opened->forgotten_lines().pending &&
      std::ranges::none_of(opened->forgotten(), [&](const CaptureKey& key) { return sessions.contains(key); }))
    return opened;
  static const std::set<CaptureKey> kNone;
  HOLDFAST_TRY(forget_lines(hurried(), *opened, opened->forgotten_lines().pending ? nullptr : &kNone));
  HOLDFAST_TRY(opened->note_forgetting_done(hurried()));
  opened.reset();
  return ArchiveWriter::open(hurried(), files, kArchive);
}

// ---- operations

Result<void> capture_one(FileSystem& files, int n, bool grown = true) {
  HOLDFAST_LET(writer, open_finished(files));
  if (auto done = capture(*writer, n, grown); !done) {
    // A repeated call must fail as well, unless it really succeeds.
    if (!capture(*writer, n, grown)) return done;
  }
  return writer->close(hurried());
}

Result<void> capture_other(FileSystem& files) { return capture_one(files, kOther); }

// Gives up after a failure.
Result<void> capture_once(FileSystem& files) {
  HOLDFAST_LET(writer, open_finished(files));
  HOLDFAST_TRY(capture(*writer, kOther));
  return writer->close(hurried());
}

Result<void> compact(FileSystem& files) {
  HOLDFAST_LET(writer, open_finished(files));
  HOLDFAST_TRY(compact_archive(hurried(), *writer));
  return {};
}

Result<void> forget_diary(FileSystem& files) {
  HOLDFAST_LET(writer, open_finished(files));
  HOLDFAST_TRY(writer->note_forgotten(hurried(), {key_of(kDiary)}));
  static const std::set<CaptureKey> kNone;
  HOLDFAST_TRY(forget_lines(hurried(), *writer, &kNone));
  return {};
}

Result<void> forget_secret(FileSystem& files) {
  HOLDFAST_LET(writer, open_finished(files));
  HOLDFAST_LET(found,
               find_text(hurried(), writer->root().directory(), writer->packs(), kSecret, writer->forgotten_lines()));
  HOLDFAST_TRY(writer->note_forgotten(hurried(), {}, found.hashes));
  HOLDFAST_TRY(forget_lines(hurried(), *writer, &found.in_lines));
  return writer->note_forgetting_done(hurried());
}

Result<void> bring_back(FileSystem& files) {
  HOLDFAST_LET(archive, Archive::open(hurried(), files, kArchive));
  HOLDFAST_LET(found, archive->find(id_of(kGrown)));
  HOLDFAST_TRY(restore_captured(hurried(), files, archive->packs(), found->first, found->second,
                                *find_layout("claude-code"), {}, {.root = kBack, .imports = kBack}));
  return {};
}

struct Deed {
  const char* name;
  Result<void> (*act)(FileSystem&);
  bool prepared = true;  // the archive already contains something
  int captures = -1;     // the session that it captures
  bool forgets_diary = false, forgets_secret = false, restores = false;
};

constexpr Deed kDeeds[] = {
    {.name = "the first capture", .act = &capture_other, .prepared = false, .captures = kOther},
    {.name = "another capture", .act = &capture_other, .captures = kOther},
    {.name = "a capture that is tried once", .act = &capture_once, .captures = kOther},
    {.name = "compaction", .act = &compact},
    {.name = "forgetting a session", .act = &forget_diary, .forgets_diary = true},
    {.name = "forgetting a text", .act = &forget_secret, .forgets_secret = true},
    {.name = "bringing a session back", .act = &bring_back, .restores = true},
};

// The disk after a power loss in which only synced data survived.
std::unique_ptr<SimFileSystem> dark(const SimFileSystem& disk) {
  auto nothing_else = Chooser::random(1, 0);
  return disk.crash(CrashModel::weak, nothing_else);
}

// ---- checks

class Judge {
 public:
  Judge(const Deed& deed, Outcome& outcome) : deed_(deed), outcome_(outcome) {}

  // `done`: it was acknowledged. Changes the disk: the next process continues there, then the power is cut.
  void see(SimFileSystem& disk, bool done, const std::string& when) {
    ++outcome_.cases;
    when_ = when;
    files_back(disk, done);
    sessions(disk, done, false);
    if (deed_.restores && !done && !again(disk)) return;
    if (deed_.captures >= 0 && !done) {
      // The chunks it left are there: the same bytes are not written again.
      if (auto repeated = capture_one(disk, deed_.captures); !repeated) return broken(repeated.error());
      done = true;
      sessions(*dark(disk), done, false);
    }
    if (auto later = capture_one(disk, kLater); !later) return broken(later.error());
    later_ = true;
    for (SimFileSystem* const each : {&disk, dark(disk).release()}) {
      const std::unique_ptr<SimFileSystem> after(each == &disk ? nullptr : each);
      if (after) when_ += ", power lost later";
      files_back(*each, done);
      sessions(*each, done, true);
    }
    later_ = false;
  }

  void broken(const Error& error) { broken(error.text(), &Outcome::unopenable); }
  void broken(const std::string& how, std::uint64_t Outcome::* count = &Outcome::wrong) {
    outcome_.fail(count, std::string(deed_.name) + when_ + ": " + how);
  }

 private:
  // Repeats an interrupted call.
  bool again(SimFileSystem& disk) {
    if (auto done = bring_back(disk); !done) {
      broken(done.error());
      return false;
    }
    files_back(*dark(disk), true);
    return true;
  }

  void files_back(const SimFileSystem& disk, bool done) {
    const auto main = disk.read_file(std::string(kBack) + "/" + main_of(kGrown));
    const auto beside = disk.read_file(std::string(kBack) + "/" + beside_of(kGrown));
    if (main && *main != text_of(kGrown)) broken("the log came back as " + *main, &Outcome::altered);
    if (beside && *beside != beside_text(kGrown)) broken("a file came back as " + *beside, &Outcome::altered);
    if (main && !beside) broken("the log came back without what belongs to it", &Outcome::lost);
    if (deed_.restores && done && (!main || !beside)) broken("it is not there", &Outcome::lost);
  }

  static std::string shown(Archive& archive, int n, const std::string& path) {
    const auto found = archive.state().sessions.find(key_of(n));
    if (found == archive.state().sessions.end()) return "(none)";
    const auto version = found->second.head.find({"home", path});
    if (version == found->second.head.end()) return "(no file)";
    std::string bytes;
    const auto read = read_version(archive.packs(), *version->second, [&](std::string_view part) -> Result<void> {
      bytes += part;
      return {};
    });
    return read ? bytes : "(" + read.error().text() + ")";
  }

  // `finished`: a writer has been there since.
  void sessions(SimFileSystem& disk, bool done, bool finished) {
    auto archive = Archive::open(hurried(), disk, kArchive);
    if (!archive && !deed_.prepared && !done && archive.error().code == Code::not_found) return;
    if (!archive) return broken(archive.error());
    bool lines_noted = false, session_noted = false;
    if (const auto noted = load_forgotten(hurried(), (*archive)->directory())) {
      lines_noted = !noted->lines.hashes.empty();
      session_noted = noted->sessions.contains(key_of(kDiary));
    }
    if (done && deed_.forgets_diary && !session_noted) broken("it can be captured again");
    if (done && deed_.forgets_secret && !lines_noted) broken("the text can be captured again");
    for (int n = 0; n <= kVisitor; ++n) {
      const bool prepared = deed_.prepared && (n == kGrown || n == kDiary);
      const bool must = prepared || (n == deed_.captures && done) || (n == kLater && later_) ||
                        (n == kVisitor && visitor_acknowledged);
      const std::string is = shown(**archive, n, main_of(n));
      outcome_.acknowledged += must ? 1 : 0;
      if (n == kDiary && deed_.forgets_diary) {
        if (is != "(none)" && (done || (finished && session_noted))) broken("it is there");
        if (is == "(none)") continue;
      }
      if (is == "(none)" && must) broken(id_of(n) + " is gone", &Outcome::lost);
      if (is == "(none)") continue;
      const bool as_before = is == text_of(n);
      const bool holed = n == kGrown && deed_.forgets_secret && is == without_secret();
      const bool must_be_holed = n == kGrown && deed_.forgets_secret && (done || (finished && lines_noted));
      if (!as_before && !holed) broken(id_of(n) + " is " + is.substr(0, 200), &Outcome::altered);
      if (must_be_holed && !holed) broken("the text is there");
      if (shown(**archive, n, beside_of(n)) != beside_text(n)) broken(id_of(n) + " has lost a file", &Outcome::altered);
    }
    if (!finished) return;
    const auto check = verify_archive(hurried(), **archive);
    if (!check) return broken(check.error());
    // A half line left by a power loss was never acknowledged: all sessions must be there.
    for (const Finding& damage : check->damage)
      if (damage.file != kCaptureLog) broken(damage.consequence, &Outcome::altered);
    for (const auto& [name, place] : (*archive)->packs().all()) {
      const auto plain = (*archive)->packs().read(name);
      if (plain && (lines_noted || (done && deed_.forgets_secret)) && plain->contains(kSecret))
        broken("the text is in a pack");
      if (plain && (session_noted || (done && deed_.forgets_diary)) && plain->contains(kPrivate))
        broken("what was said in it is in a pack");
    }
  }

 public:
  bool visitor_acknowledged = false;

 private:
  const Deed& deed_;
  Outcome& outcome_;
  std::string when_;
  bool later_ = false;
};

std::unique_ptr<SimFileSystem> prepared(const Deed& deed, Outcome& outcome) {
  auto disk = std::make_unique<SimFileSystem>();
  (void)disk->put_file("/data/keep", "");
  if (!deed.prepared) return disk;
  for (const auto& [n, grown] : {std::pair(kGrown, false), std::pair(kDiary, true), std::pair(kGrown, true)})
    if (auto done = capture_one(*disk, n, grown); !done)
      outcome.fail(&Outcome::unopenable, "an archive cannot be made: " + done.error().text());
  return disk;
}

// ---- the power is cut, or the process is killed, after every change to the disk

void cut_off(const Deed& deed, Outcome& outcome) {
  struct Cut final : SimObserver {
    void after(const SimCall& call) override { look(", cut off after call " + std::to_string(call.index), false); }
    void look(const std::string& when, bool done) {
      disk->set_observer(nullptr);
      judge->see(*disk->clone(), done, when + ", killed");
      for (const std::uint64_t states : {std::uint64_t{0}, std::uint64_t{4}}) {
        auto chooser = Chooser::random(states == 0 ? 1 : states, states == 0 ? 0 : disk->calls());
        do {
          judge->see(*disk->crash(CrashModel::weak, chooser), done, when + ", power lost");
        } while (chooser.next());
      }
      disk->set_observer(this);
    }
    SimFileSystem* disk = nullptr;
    Judge* judge = nullptr;
  };
  const auto disk = prepared(deed, outcome);
  Judge judge(deed, outcome);
  Cut cut;
  cut.disk = disk.get();
  cut.judge = &judge;
  disk->set_observer(&cut);
  const auto done = deed.act(*disk);
  if (!done) judge.broken(done.error());
  cut.look(", when it was acknowledged", true);
  disk->set_observer(nullptr);
}

// ---- a sync fails

struct Sickness final : SimObserver {
  Sickness(SimFileSystem& files, std::uint64_t at, bool for_good) : disk(files), number(at), stays(for_good) {
    disk.set_observer(this);
  }
  ~Sickness() override { disk.set_observer(nullptr); }
  Injection before(const SimCall& call) override {
    // The disk as left by a process that is killed now. Only for the name of a pack: other failures must be
    // noted first, and the note may come too late (docs/durability.md, window 1).
    if (count > number && in_packs && of_name) left.push_back(disk.clone());
    const bool sync = call.kind == SimCallKind::sync || call.kind == SimCallKind::sync_directory;
    if (sync && (stays ? count++ >= number : count++ == number)) {
      in_packs = call.path.contains("/packs");
      of_name = call.kind == SimCallKind::sync_directory;
      return {Injection::Kind::fail, EIO};
    }
    // The cleanup after the failure fails too; for marks see window 3.
    const bool refused =
        count > number && in_packs &&
        ((no_truncate && call.kind == SimCallKind::truncate) || (no_create && call.kind == SimCallKind::create));
    return refused ? Injection{Injection::Kind::fail, EIO} : Injection{};
  }
  SimFileSystem& disk;
  const std::uint64_t number;
  const bool stays;
  bool no_truncate = false, no_create = false, in_packs = false, of_name = false;
  std::uint64_t count = 0;
  std::vector<std::unique_ptr<SimFileSystem>> left;
};

struct How {
  const char* name;
  bool for_good = false, no_truncate = false, no_create = false;
};
constexpr How kHows[] = {{" fails"},
                         {" and all later ones fail", true},
                         {" fails, and nothing can be cut", false, true},
                         {" fails, and nothing can be made", false, false, true}};

void sick(const Deed& deed, const How& how, Outcome& outcome) {
  bool met = true;
  for (std::uint64_t number = 0; met; ++number) {
    const auto disk = prepared(deed, outcome);
    Judge judge(deed, outcome);
    bool done = false;
    std::vector<std::unique_ptr<SimFileSystem>> left;
    {
      Sickness sickness(*disk, number, how.for_good);
      sickness.no_truncate = how.no_truncate;
      sickness.no_create = how.no_create;
      done = deed.act(*disk).has_value();
      met = sickness.count > number;
      left = std::move(sickness.left);
    }
    const std::string when = ", sync " + std::to_string(number) + how.name;
    if (done) judge.see(*dark(*disk), done, when + ", power lost");
    judge.see(*disk, done, when);
    for (std::size_t call = 0; call < left.size(); ++call)
      judge.see(*left[call], false, when + ", killed " + std::to_string(call) + " calls later");
  }
}

// ---- another process captures at every call

void met(const Deed& deed, Outcome& outcome) {
  std::uint64_t calls = 1;
  for (std::uint64_t at = 0; at < calls; ++at) {
    const auto disk = prepared(deed, outcome);
    InterleavingFileSystem way(*disk);
    Judge judge(deed, outcome);
    way.meet(at, [&] { judge.visitor_acknowledged = capture_one(*disk, kVisitor).has_value(); });
    const auto done = deed.act(way);
    calls = std::max(calls, way.calls());
    way.clear_visits();
    const std::string when = ", somebody captures at call " + std::to_string(at);
    if (!done && done.error().code != Code::busy) judge.broken(when + ": " + done.error().text());
    judge.see(*disk, done.has_value(), when);
  }
}

// ---- situations that a crash leaves rarely, or that others cause

constexpr Deed kAnother = kDeeds[1];
constexpr char kPack[] = "/data/archive/packs/000001.zst";

// Flips the last bit of the chunk with these bytes.
bool damage(SimFileSystem& disk, const std::string& plain) {
  auto archive = Archive::open(hurried(), disk, kArchive);
  const ChunkPlace* const place = archive ? (*archive)->packs().find(sha256_hex(plain)) : nullptr;
  return place != nullptr && disk.flip_bit("/data/archive/" + pack_path(place->pack), place->end() * 8 - 1);
}

// Half a chunk: it is cut off, and a copy is kept.
void torn_pack(Outcome& outcome) {
  ++outcome.cases;
  const auto disk = prepared(kAnother, outcome);
  const std::string tail = disk->read_file(kPack).value_or("").substr(0, 70) + "torn";
  (void)disk->foreign_append(kPack, tail);
  const auto done = capture_other(*disk);
  const auto after = dark(*disk);
  const bool kept = std::ranges::any_of(after->tree(), [&](const SimEntry& entry) {
    return entry.path.contains("/.side/corrupt/") && entry.bytes == tail;
  });
  if (!done || !kept) outcome.fail(&Outcome::lost, "the torn end of a pack is gone");
  Judge(kAnother, outcome).see(*after, done.has_value(), ", after a torn chunk");
}

// A chunk that no line names, with a whole header and an incomplete rest: nobody trusts it, neither in the
// last pack nor in an earlier one.
void half_chunk(bool behind, Outcome& outcome) {
  struct Dies final : SimObserver {
    explicit Dies(SimFileSystem& files) : disk(files) {}
    void after(const SimCall& call) override {
      if (!left && call.kind == SimCallKind::append && call.path == kPack) left = disk.clone();
    }
    SimFileSystem& disk;
    std::unique_ptr<SimFileSystem> left;
  };
  const auto disk = prepared(kAnother, outcome);
  Dies dies(*disk);
  disk->set_observer(&dies);
  (void)capture_other(*disk);
  disk->set_observer(nullptr);
  if (!dies.left || !damage(*dies.left, text_of(kOther)))
    return outcome.fail(&Outcome::wrong, "half a chunk cannot be made");
  if (behind) (void)dies.left->put_file("/data/archive/packs/000002.zst", "");
  Judge(kAnother, outcome).see(*dies.left, false, behind ? ", half a chunk in a pack before" : ", half a chunk");
}

// Chunks that cannot be read may still be of use to somebody.
void unreadable_pack(Outcome& outcome) {
  ++outcome.cases;
  const auto disk = prepared(kAnother, outcome);
  if (!damage(*disk, text_of(kDiary))) return outcome.fail(&Outcome::wrong, "a chunk cannot be damaged");
  auto archive = Archive::open(hurried(), *disk, kArchive);
  const auto bytes =
      archive ? (*archive)->packs().packed_unverified(sha256_hex(text_of(kDiary))) : fail(archive.error());
  if (!bytes) return outcome.fail(&Outcome::wrong, "a damaged chunk is nowhere");
  (void)compact(*disk);
  const bool kept = std::ranges::any_of(disk->tree(), [&](const SimEntry& entry) {
    return entry.path.contains("/packs/") && entry.bytes.contains(*bytes);
  });
  if (!kept) outcome.fail(&Outcome::lost, "compaction removes what it cannot read");
}

// A file that appears while a session is being restored stays as it is.
void taken_place(Outcome& outcome) {
  struct Takes final : SimObserver {
    explicit Takes(SimFileSystem& files) : disk(files) {}
    Injection before(const SimCall& call) override {
      const bool comes = call.kind == SimCallKind::make_link || call.kind == SimCallKind::rename;
      if (comes && call.to.ends_with(main_of(kGrown))) (void)disk.put_file(call.to, "another");
      return {};
    }
    SimFileSystem& disk;
  };
  ++outcome.cases;
  const auto disk = prepared(kAnother, outcome);
  Takes takes(*disk);
  disk->set_observer(&takes);
  const auto done = bring_back(*disk);
  disk->set_observer(nullptr);
  if (done || disk->read_file(std::string(kBack) + "/" + main_of(kGrown)).value_or("") != "another")
    outcome.fail(&Outcome::lost, "a session that comes back replaces what somebody made meanwhile");
}

// If one file of a session cannot be read, nothing is written.
void half_readable(Outcome& outcome) {
  ++outcome.cases;
  const auto disk = prepared(kAnother, outcome);
  if (!damage(*disk, text_of(kGrown))) return outcome.fail(&Outcome::wrong, "a chunk cannot be damaged");
  const auto done = bring_back(*disk);
  if (done || disk->exists(std::string(kBack) + "/" + beside_of(kGrown)))
    outcome.fail(&Outcome::wrong, "a session comes back of which a file cannot be read");
}

// The lock file is removed and another process holds its successor, while a process is about to lock the old one.
void removed_lock(Outcome& outcome) {
  bool held = false;
  for (std::uint64_t at = 0; !held; ++at) {
    ++outcome.cases;
    const auto disk = prepared(kAnother, outcome);
    InterleavingFileSystem way(*disk);
    std::unique_ptr<ArchiveWriter> other;
    bool met = false;
    way.meet(at, [&] {
      met = true;
      held = !ArchiveWriter::open(hurried(), *disk, kArchive);
      auto directory = disk->open_directory("/data/archive/.side/locks", false);
      if (held || !directory) return;
      (void)(*directory)->remove("archive");
      if (auto opened = ArchiveWriter::open(hurried(), *disk, kArchive)) other = std::move(*opened);
    });
    const auto done = capture_other(way);
    way.clear_visits();
    if (!met) break;
    if (held || !other) continue;
    if (done) outcome.fail(&Outcome::wrong, "two write to the archive, at call " + std::to_string(at));
  }
}

}  // namespace

void run_archive_scenes(Outcome& outcome) {
  torn_pack(outcome);
  for (const bool behind : {false, true}) half_chunk(behind, outcome);
  unreadable_pack(outcome);
  taken_place(outcome);
  half_readable(outcome);
  removed_lock(outcome);
  for (const Deed& deed : kDeeds) {
    cut_off(deed, outcome);
    for (const How& how : kHows) sick(deed, how, outcome);
    met(deed, outcome);
  }
}

}  // namespace holdfast::lab
