// Hand-off: a session is handed to every agent that accepts one, and at each call that changes the disk the
// process is killed, before or inside the call, or the call fails; then the power is cut, or not. Afterwards
// the new session must be whole or absent, the agent's files as they were, and no stray name left that an
// agent would look at; an answer that was given stays true, and repeating the hand-off works.
#include <algorithm>
#include <cerrno>
#include <memory>

#include "crash/disk/sim_file_system.h"
#include "layout/layout.h"
#include "layout/new_sessions.h"
#include "parts.h"
#include "store_door.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

constexpr char kFrom[] = "/from", kTo[] = "/to";
constexpr char kId[] = "aaaaaaaa-0000-4000-8000-000000000001";
constexpr CrashModel kModels[] = {CrashModel::ordered, CrashModel::ext4_nul, CrashModel::weak};

struct Fate {
  std::string_view name;
  Injection injection;
  bool ends = true;  // the process ends
};
constexpr Fate kFates[] = {{"before", {.kind = Injection::Kind::kill_before}},
                           {"inside", {.kind = Injection::Kind::kill_inside}},
                           {"full", {.kind = Injection::Kind::fail, .error = ENOSPC}, false},
                           {"broken", {.kind = Injection::Kind::fail, .error = EIO}, false}};

class AtCall final : public SimObserver {
 public:
  AtCall(std::uint64_t at, const Injection& injection) : at_(at), injection_(injection) {}
  Injection before(const SimCall& call) override {
    if (count_++ != at_) return {};
    met = call.path + (call.to.empty() ? "" : " to " + call.to);
    return injection_;
  }
  std::string met;  // the call that was hit

 private:
  const std::uint64_t at_;
  std::uint64_t count_ = 0;
  const Injection injection_;
};

// A session of Claude Code.
std::string transcript() {
  const std::string common =
      std::string(R"("sessionId":")") + kId + R"(","cwd":"/srv/p","timestamp":"2026-11-15T03:00:00.000Z")";
  std::string lines, last = "null";
  for (int n = 0; n < 3; ++n) {
    const std::string prompt = "\"p" + std::to_string(n) + "\"", answer = "\"a" + std::to_string(n) + "\"";
    const std::string result = "\"r" + std::to_string(n) + "\"", call = "\"t" + std::to_string(n) + "\"";
    lines += R"({"type":"user","uuid":)" + prompt + R"(,"parentUuid":)" + last + "," + common +
             R"(,"message":{"role":"user","content":"asked )" + std::to_string(n) + "\"}}\n";
    lines += R"({"type":"assistant","uuid":)" + answer + R"(,"parentUuid":)" + prompt + "," + common +
             R"(,"message":{"id":"m)" + std::to_string(n) +
             R"(","role":"assistant","model":"m","content":[{"type":"text","text":"said )" + std::to_string(n) +
             R"("},{"type":"tool_use","id":)" + call + R"(,"name":"Bash","input":{"command":"ls"}}]}})" + "\n";
    lines += R"({"type":"user","uuid":)" + result + R"(,"parentUuid":)" + answer + "," + common +
             R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":)" + call +
             R"(,"content":"out )" + std::to_string(n) + "\"}]}}\n";
    last = result;
  }
  return lines;
}

class HandoffCase {
 public:
  HandoffCase(std::string to, bool imported, const Options& options, Outcome& outcome)
      : to_(std::move(to)), imported_(imported), states_(pick<std::uint64_t>(options, 4, 12, 200)), outcome_(outcome) {
    expected_ = told(*undisturbed());
  }

  // Returns false if the hand-off makes no such call.
  bool run(std::uint64_t at, const Fate& fate) {
    const auto disk = fresh();
    AtCall observer(at, fate.injection);
    disk->set_observer(&observer);
    const bool acknowledged = hand_off(*disk).has_value();
    disk->set_observer(nullptr);
    if (observer.met.empty()) return false;
    name_ = to_ + "," + std::to_string(at) + "," + std::string(fate.name) + " (" + observer.met + ")";
    // For a store of Holdfast's own, T17 checks more.
    if (!fate.ends && !acknowledged && to_ != "holdfast" && !told(*disk).empty())
      broken(&Outcome::wrong, "it failed, and the session is there");
    disk->kill();
    for (const CrashModel model : kModels) {
      Chooser chooser(states_, states_ / 2, at + 1);
      do {
        look(disk->crash(model, chooser), acknowledged);
      } while (chooser.next());
    }
    look(disk->clone(), acknowledged);
    return true;
  }

  // The power is cut after the answer.
  void run_acknowledged() {
    const auto disk = undisturbed();
    name_ = to_ + ",acknowledged";
    for (const CrashModel model : kModels) {
      Chooser chooser(states_, states_ / 2, 1);
      do {
        look(disk->crash(model, chooser), true);
      } while (chooser.next());
    }
  }

 private:
  std::unique_ptr<SimFileSystem> fresh() const {
    auto disk = std::make_unique<SimFileSystem>(7);
    (void)disk->put_file(std::string(kFrom) + "/projects/-srv-p/" + kId + ".jsonl", transcript());
    if (to_ == "holdfast") return disk;
    (void)disk->put_file(std::string(kTo) + "/settings.json", "{\"theirs\":true}");
    (void)disk->put_file(std::string(kTo) + "/sessions/theirs", "theirs");
    return disk;
  }
  std::unique_ptr<SimFileSystem> undisturbed() {
    auto disk = fresh();
    name_ = to_;
    if (const auto done = hand_off(*disk); !done)
      outcome_.fail(&Outcome::wrong, to_ + ": nothing was in its way: " + done.error().text());
    return disk;
  }

  Result<std::string> hand_off(SimFileSystem& disk) const {
    LibraryDoor door(disk, "holdfast", to_ == "holdfast" ? kTo : "/home", false);
    return door.call(
        "session.handoff",
        params({{"store", std::string("claude-code:") + kFrom}, {"id", kId}, {"to", to_}, {"output", kTo}}));
  }

  // All texts in the next agent's sessions; for an agent with an import command, its one document without random parts.
  std::vector<std::string> told(SimFileSystem& disk) {
    std::vector<std::string> sessions;
    if (imported_) {
      for (const SimEntry& entry : disk.tree())
        if (entry.kind == FileKind::file && entry.path.ends_with(".json") && entry.path.contains("/ses_"))
          sessions.push_back(words_of(JsonView(entry.bytes).find("messages")));
      return sessions;
    }
    LibraryDoor door(disk, "holdfast", to_ == "holdfast" ? kTo : "/home", false);
    const std::string store = to_ + ":" + kTo;
    const auto list = door.call("session.list", params({{"store", store}}));
    if (!list) {
      // Then nothing of it is there.
      if (list.error().code != Code::not_found) broken(&Outcome::unopenable, list.error().text());
      return sessions;
    }
    for (const JsonItem& session : JsonView(*list).find("sessions").elements()) {
      const std::string id = session.value.find("id").as_string().value_or("");
      const auto shown = door.call("session.export", params({{"store", store}, {"id", id}, {"format", "json"}}));
      if (!shown) {
        broken(&Outcome::unopenable, id + ": " + shown.error().text());
        continue;
      }
      if (JsonView(*shown).find("damage").raw() != "[]") broken(&Outcome::altered, id + " is damaged");
      const std::string text = JsonView(*shown).find("text").as_string().value_or("");
      sessions.push_back(words_of(JsonView(text).find("messages")));
    }
    return sessions;
  }

  // Strings in fields that contain text, in order.
  static std::string words_of(JsonView value) {
    std::string words;
    collect(value, false, words);
    return words;
  }
  static void collect(JsonView value, bool said, std::string& words) {
    if (value.kind() == JsonKind::object) {
      for (const JsonItem& field : value.fields()) {
        const std::string key = field.key();
        collect(field.value, said || key == "text" || key == "output" || key == "input", words);
      }
    } else if (value.kind() == JsonKind::array) {
      for (const JsonItem& item : value.elements()) collect(item.value, said, words);
    } else if (said) {
      (words += value.raw()) += '\n';
    }
  }

  void look(const std::unique_ptr<SimFileSystem>& disk, bool acknowledged) {
    ++outcome_.cases;
    outcome_.acknowledged += acknowledged ? 1 : 0;
    if (to_ != "holdfast") {
      if (disk->read_file(std::string(kTo) + "/settings.json").value_or("") != "{\"theirs\":true}" ||
          disk->read_file(std::string(kTo) + "/sessions/theirs").value_or("") != "theirs")
        broken(&Outcome::altered, "a file of the agent's own was changed");
    }
    // Readers repair nothing (I-6): in a store of Holdfast's own, which has a journal, the next writer does.
    std::size_t before = 0;
    if (to_ != "holdfast") {
      const auto sessions = told(*disk);
      before = sessions.size();
      if (before > 1) broken(&Outcome::wrong, "there are several sessions");
      if (before > 0 && sessions != expected_) broken(&Outcome::altered, "the session is there in part");
      if (before == 0 && acknowledged) broken(&Outcome::lost, "the session was acknowledged and is not there");
    }
    if (const auto again = hand_off(*disk); !again)
      return broken(&Outcome::wrong, "once more: " + again.error().text());
    const auto more = told(*disk);
    const auto is_whole = [&](const std::string& one) { return one == expected_.front(); };
    if (!std::ranges::all_of(more, is_whole)) return broken(&Outcome::altered, "a session is there in part");
    const std::size_t least = (to_ == "holdfast" ? (acknowledged ? 1 : 0) : before) + 1;
    const std::size_t most = to_ == "holdfast" ? 2 : least;
    if (more.size() < least) broken(&Outcome::lost, "a session is not there");
    if (more.size() > most) broken(&Outcome::wrong, "there is one too many");
  }

  void broken(std::uint64_t Outcome::* count, const std::string& what) {
    outcome_.fail(count, "--replay " + name_ + ": " + what);
  }

  const std::string to_;
  const bool imported_;
  const std::uint64_t states_;
  Outcome& outcome_;
  std::vector<std::string> expected_;
  std::string name_;
};

}  // namespace

Outcome run_handoff(const Options& options) {
  auto outcome = in_parallel([&](unsigned worker, unsigned workers, Outcome& found) {
    for (const Layout* layout : layouts()) {
      const NewSessions* const power = layout->new_sessions();
      const std::string name(layout->name());
      if (power == nullptr && name != "holdfast") continue;
      if (!options.replay.empty() && !options.replay.starts_with(name + ",")) continue;
      const bool imported = power != nullptr && !power->traits().import_command.empty();
      HandoffCase one(name, imported, options, found);
      for (std::uint64_t at = worker;; at += workers) {
        bool any = false;
        for (const Fate& fate : kFates) any = one.run(at, fate) || any;
        if (!any) break;
      }
      if (worker == 0) one.run_acknowledged();
    }
  });
  outcome.unit = "states";
  return outcome;
}

}  // namespace holdfast::lab
