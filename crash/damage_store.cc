#include <holdfast/append_log.h>
#include <holdfast/commit.h>
#include <holdfast/counter.h>
#include <holdfast/document.h>

#include <algorithm>
#include <charconv>

#include "damage.h"
#include "sim_world.h"

namespace holdfast::lab {
namespace {

constexpr std::array<const char*, kVictimCount> kVictimNames{"ours",    "shared",  "document", "backup", "pending",
                                                             "pointer", "applied", "side_car", "poison", "counter"};
constexpr std::array<const char*, kVictimCount> kVictimPaths{"/a/ours.jsonl",
                                                             "/a/shared.jsonl",
                                                             "/a/one.json",
                                                             "/a/.holdfast/backup/one.json",
                                                             "/a/.holdfast/journal",
                                                             "/b/.holdfast/journal",
                                                             "/a/.holdfast/journal",
                                                             "/a/.holdfast/sums/ours.jsonl",
                                                             "/a/.holdfast/poison/ours.jsonl",
                                                             "/a/.holdfast/counters/n"};
constexpr std::array<const char*, kHarmCount> kHarmNames{
    "cut",   "nul",   "nul_block", "nul_line", "hole", "flip0",     "flip1",  "flip2",      "flip3",
    "flip4", "flip5", "flip6",     "flip7",    "over", "over_long", "insert", "insert_line"};

// Records of many shapes: nested objects, brackets in strings, escapes, emoji.
std::string make_record(std::uint64_t id, Random& random) {
  static constexpr std::array<std::string_view, 6> kTexts{
      "plain words", "f() { return \\\"}\\\"; }", "\\u00e9\\n{\\\"id\\\":", "\xf0\x9f\x8c\x8a caf\xc3\xa9", "[1,2],{}",
      "\\\\"};
  std::string text = "{\"id\":" + std::to_string(id);
  const std::string words(kTexts[random.below(kTexts.size())]);
  switch (random.below(4)) {
    case 0: text += ",\"text\":\"" + words + "\""; break;
    case 1: text += ",\"nested\":{\"a\":{\"b\":[1,{\"c\":\"" + words + "\"}]}}"; break;
    case 2: text += ", \"n\":-1.5e3,\"list\":[true,null,{}],\"t\":\"" + words + "\""; break;
    default: text += ",\"call\":[{\"name\":\"" + words + "\",\"args\":{\"x\":1}}]"; break;
  }
  if (random.chance(40))
    text += ",\"pad\":\"" + std::string(random.below(240), static_cast<char>('a' + id % 26)) + "\"";
  // Twice, so no flipped bit turns one record into another.
  return text + ",\"i\":" + std::to_string(id) + "}";
}

std::string make_document(std::uint64_t generation, Random& random) {
  std::string text =
      "{\n  \"schema_version\": 1,\n  \"generation\": " + std::to_string(generation) + ",\n  \"items\": [";
  for (int i = 0; i < 4; ++i)
    text += (i ? ",\n    " : "\n    ") + make_record(generation * 10 + static_cast<unsigned>(i), random);
  return text + "\n  ]\n}\n";
}

// Clones the disk when the journal of root A is on the medium and nothing is visible yet.
class JournalCatcher final : public SimObserver {
 public:
  explicit JournalCatcher(SimFileSystem& disk) : disk_(disk) {}
  void after(const SimCall& call) override {
    if (!caught && call.kind == SimCallKind::sync && call.path == "/a/.holdfast/journal") caught = disk_.clone();
  }
  std::unique_ptr<SimFileSystem> caught;

 private:
  SimFileSystem& disk_;
};

LogOptions options_of(int which) {
  LogOptions options;
  options.mode = which == 0 ? LogMode::ours : LogMode::shared;
  options.sync_interval = {};
  return options;
}

class Maker {
 public:
  Maker(DamageStore& store, std::uint64_t seed) : store_(store), random_(seed), disk_(seed) {}

  Result<void> run() {
    HOLDFAST_TRY(disk_.put_file("/a/keep", ""));
    HOLDFAST_TRY(disk_.put_file("/b/keep", ""));
    HOLDFAST_LET(a, Root::open({}, disk_, "/a"));
    HOLDFAST_LET(b, Root::open({}, disk_, "/b"));
    store_.logs[0].path = "ours.jsonl";
    store_.logs[1].path = "shared.jsonl";
    HOLDFAST_TRY(commit(a, b, store_.done = 1 + random_.below(3)));
    for (int which = 0; which < 2; ++which) HOLDFAST_TRY(fill(a, which));
    store_.backup = make_document(1, random_);
    store_.document = make_document(2, random_);
    HOLDFAST_TRY(replace_document({}, *a, "one.json", store_.backup));
    HOLDFAST_TRY(replace_document({}, *a, "one.json", store_.document));
    for (int i = 0; i < 11; ++i) {
      HOLDFAST_LET(number, next_number({}, a, "n"));
      store_.number = number;
    }
    disk_.sync_all();
    store_.quiet = disk_.clone();
    store_.poisoned = disk_.clone();
    HOLDFAST_TRY(store_.poisoned->put_file(victim_path(Victim::poison), "100\n"));
    JournalCatcher catcher(disk_);
    disk_.set_observer(&catcher);
    HOLDFAST_TRY(commit(a, b, store_.begun = store_.done + 3));
    disk_.set_observer(nullptr);
    if (!catcher.caught) return fail(Code::internal, "the commit wrote no journal");
    catcher.caught->sync_all();
    store_.pending = std::move(catcher.caught);
    for (int i = 0; i < kVictimCount; ++i) {
      const auto victim = static_cast<Victim>(i);
      auto bytes = store_.disk(victim).read_file(victim_path(victim));
      // Without a backup there is nothing to damage; a missing one is noticed when it is needed.
      if (!bytes && victim == Victim::backup) continue;
      if (!bytes) return fail(std::move(bytes).error());
      store_.bytes[static_cast<std::size_t>(i)] = std::move(*bytes);
    }
    return {};
  }

 private:
  Result<void> commit(const std::shared_ptr<Root>& a, const std::shared_ptr<Root>& b, std::uint64_t generation) {
    const std::string line =
        "{\"commit\":" + std::to_string(generation) + ",\"v\":" + std::to_string(store_.variant) + "}";
    Commit commit(a);
    commit.put(a, "two.json", document_text(generation));
    commit.put(b, "sub/three.json", document_text(generation));
    commit.append(a, "ours.jsonl", {line});
    commit.symlink(a, "latest", std::to_string(generation));
    HOLDFAST_TRY(commit.run({}));
    store_.begun_line = line;
    if (!store_.quiet) store_.logs[0].lines.push_back({line, 0, line.size() + 1, true});
    return {};
  }

  Result<void> fill(const std::shared_ptr<Root>& a, int which) {
    WrittenLog& log = store_.logs[static_cast<std::size_t>(which)];
    const std::string path = "/a/" + log.path;
    HOLDFAST_LET(writer, AppendLog::open({}, a, log.path, options_of(which)));
    for (std::uint64_t id = 1; id <= 10; ++id) {
      const std::string record = make_record(id, random_);
      const bool foreign = which == 1 && id % 3 == 0;
      // A foreign writer was killed: our next line follows a fragment.
      if (which == 1 && id == 5) HOLDFAST_TRY(disk_.foreign_append(path, "{\"id\":99,\"torn\":\"in the middle of"));
      if (foreign)
        HOLDFAST_TRY(disk_.foreign_append(path, record + "\n"));
      else
        HOLDFAST_TRY(writer->append({}, record));
      const std::size_t end = disk_.read_file(path).value_or("").size();
      log.lines.push_back({record, end - record.size() - 1, end, !foreign});
    }
    for (std::size_t i = 0; i < log.lines.size(); ++i) log.index.emplace(log.lines[i].text, i);
    return {};
  }

  DamageStore& store_;
  Random random_;
  SimFileSystem disk_;
};

}  // namespace

const char* victim_name(Victim victim) { return kVictimNames[static_cast<std::size_t>(victim)]; }
std::string victim_path(Victim victim) { return kVictimPaths[static_cast<std::size_t>(victim)]; }

std::string DamageCase::text() const {
  return std::to_string(variant) + ":" + victim_name(victim) + ":" + std::to_string(at) + ":" +
         kHarmNames[static_cast<std::size_t>(harm)];
}

bool DamageCase::parse(std::string_view text, DamageCase& out) {
  std::array<std::string_view, 4> part;
  for (auto& each : part) {
    const auto colon = std::min(text.find(':'), text.size());
    each = text.substr(0, colon);
    text.remove_prefix(std::min(text.size(), colon + 1));
  }
  const auto number = [](std::string_view digits, auto& into) {
    return std::from_chars(digits.data(), digits.data() + digits.size(), into).ec == std::errc{};
  };
  const auto victim = std::ranges::find(kVictimNames, part[1]);
  const auto harm = std::ranges::find(kHarmNames, part[3]);
  if (!number(part[0], out.variant) || !number(part[2], out.at)) return false;
  if (victim == kVictimNames.end() || harm == kHarmNames.end()) return false;
  out.victim = static_cast<Victim>(victim - kVictimNames.begin());
  out.harm = static_cast<Harm>(harm - kHarmNames.begin());
  return true;
}

const SimFileSystem& DamageStore::disk(Victim victim) const {
  if (victim == Victim::pending || victim == Victim::pointer) return *pending;
  return victim == Victim::poison ? *poisoned : *quiet;
}

std::unique_ptr<DamageStore> make_damage_store(std::uint64_t seed, std::uint64_t variant, std::string& why) {
  auto store = std::make_unique<DamageStore>();
  store->variant = variant;
  if (auto made = Maker(*store, seed * 1000 + variant).run(); !made) {
    why = "the store cannot be made: " + made.error().text();
    return nullptr;
  }
  return store;
}

Damaged damage(std::string_view bytes, std::size_t at, Harm harm, std::uint64_t seed) {
  constexpr std::size_t kNuls = 64;
  Random random(seed);
  std::string middle;
  std::size_t old_end = bytes.size();
  const std::size_t left = bytes.size() - at;
  if (harm == Harm::nul || harm == Harm::nul_line) middle.assign(kNuls, '\0');
  if (harm == Harm::nul_line) middle += '\n';
  if (harm == Harm::nul_block) middle.assign(4096 - at % 4096, '\0');
  if (harm == Harm::hole) {
    middle.assign(std::min(kNuls, left), '\0');
    old_end = at + middle.size();
  }
  if (is_flip(harm)) {
    const auto bit = static_cast<unsigned>(harm) - static_cast<unsigned>(Harm::flip0);
    middle = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << (bit & 7U)));
    old_end = at + 1;
  }
  if (is_garbage(harm)) {
    std::size_t length = harm == Harm::over_long ? 17 + random.below(284) : 1 + random.below(16);
    const bool over = harm == Harm::over || harm == Harm::over_long;
    if (over) length = std::min(length, left);
    for (std::size_t i = 0; i < length; ++i) middle += static_cast<char>(random.next());
    if (harm == Harm::insert_line) middle[random.below(length)] = '\n';
    // The two ends must differ from before, so it is clear what was hit.
    if (over)
      for (const std::size_t i : {std::size_t{0}, length - 1})
        if (middle[i] == bytes[at + i]) middle[i] = static_cast<char>(middle[i] ^ 0x55);
    old_end = over ? at + length : at;
  }
  Damaged damaged;
  damaged.bytes = std::string(bytes.substr(0, at)) + middle + std::string(bytes.substr(old_end));
  damaged.begin = at;
  damaged.old_end = old_end;
  damaged.new_end = at + middle.size();
  return damaged;
}

}  // namespace holdfast::lab
