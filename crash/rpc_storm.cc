#include "rpc_storm.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "store_door.h"
#include "store_verify.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

constexpr std::size_t kProcesses = 8;
constexpr std::size_t kInFlight = 3;
constexpr std::uint64_t kDeafRequests = 60;

}  // namespace

RpcStorm::RpcStorm(const RpcStormPlan& plan)
    : plan_(plan), traits_(*plan.traits), random_(plan.seed), served_(kProcesses) {
  if (traits_.layout == "maestro") thread_ = "thr_lab";
}

// A call may take 5 s on an idle machine.
double RpcStorm::patience() const {
  double load = 0;
  if (::getloadavg(&load, 1) != 1) load = 0;
  return 5 * std::max(1.0, 2 * load / std::max(1U, std::thread::hardware_concurrency()));
}

void RpcStorm::start(std::size_t i, bool deaf) {
  ServerProcess& served = served_[i];
  served = {};
  served.deaf = deaf;
  served.serial = serials_++;
  const std::string top = plan_.directory + "/store";
  const std::vector<std::string> words =
      is_binary(i) ? std::vector<std::string>{plan_.program, "--with-parent", plan_.binary, "rpc"}
                   : std::vector<std::string>{plan_.program, "--rpc", std::string(traits_.layout), top,
                                              std::to_string(static_cast<int>(plan_.omitted))};
  served.process = std::make_unique<RpcProcess>(
      words, std::vector<std::string>{"HOLDFAST_HOME=" + plan_.directory + "/none", "HOME=" + plan_.directory},
      deaf ? 4096 : 0);
  if (deaf || random_.chance(30)) served.process->send("events.subscribe", "{}", [](const RpcProcess::Answer&) {});
}

bool RpcStorm::prepare() {
  LibraryDoor door(real_file_system(), std::string(traits_.layout), plan_.directory + "/store", false);
  auto made = door.call("store.create", "{}");
  if (made && !thread_.empty()) {
    made = door.call("thread.create", params({{"id", thread_}, {"title", "h0"}}));
    ledger_.attempt_value("thread " + thread_, "h0");
    ledger_.settle_value("thread " + thread_, "h0", Fate::power);
  }
  if (!made) broken(&Outcome::unopenable, made.error().text());
  return made.has_value();
}

Outcome RpcStorm::run() {
  outcome_.unit = "kills";
  if (!prepare()) return outcome_;
  for (std::size_t i = 0; i < served_.size(); ++i) start(i, i == 0 && !withheld("t18", traits_.layout, "deaf"));
  while (kills_ < plan_.kills && outcome_.failures.size() < 10) turn();
  end_all();
  outcome_.cases = kills_;
  judge();
  return outcome_;
}

void RpcStorm::turn() {
  for (std::size_t i = 0; i < served_.size(); ++i) {
    if (!served_[i].process) start(i, false);
    give_work(i);
  }
  wait();
  if (RpcProcess::Clock::now() < next_kill_) return;
  next_kill_ = RpcProcess::Clock::now() + std::chrono::milliseconds(5 + random_.below(60));
  ServerProcess& victim = served_[random_.below(served_.size())];
  if (!victim.process || victim.process->killed() || (victim.deaf && !random_.chance(5))) return;
  victim.process->kill();
  ++kills_;
}

void RpcStorm::give_work(std::size_t i) {
  ServerProcess& served = served_[i];
  if (served.process->killed()) return;
  if (served.deaf) {
    if (served.sent < kDeafRequests && served.process->in_flight() < 20 && do_something(i)) ++served.sent;
    return;
  }
  while (served.process->in_flight() < kInFlight)
    if (!do_something(i)) break;
}

void RpcStorm::wait() {
  std::vector<pollfd> fds;
  for (auto& served : served_) {
    if (!served.process) continue;
    if (!served.deaf || over_) fds.push_back({served.process->output(), POLLIN, 0});
    if (served.process->wants_to_write()) fds.push_back({served.process->input(), POLLOUT, 0});
  }
  ::poll(fds.data(), fds.size(), 20);
  for (std::size_t i = 0; i < served_.size(); ++i) {
    ServerProcess& served = served_[i];
    if (!served.process) continue;
    const bool listens = !served.deaf || over_ || served.process->killed();
    if (!served.process->pump(listens)) {
      reap_process(i);
      continue;
    }
    const double waited = std::chrono::duration<double>(RpcProcess::Clock::now() - served.process->oldest()).count();
    if (!listens || served.deaf || waited < 2 * patience() || served.process->killed()) continue;
    broken(&Outcome::wrong, "a call has no answer after " + std::to_string(static_cast<int>(waited)) + " s");
    served.process->kill();
  }
}

// A process ended: requests that it had not answered may have happened.
void RpcStorm::reap_process(std::size_t i) {
  ServerProcess& served = served_[i];
  const bool killed = served.process->killed();
  const int status = served.process->reap();
  if (!killed && !(over_ && WIFEXITED(status) && WEXITSTATUS(status) == 0))
    broken(&Outcome::wrong, "a process ended by itself, with wait status " + std::to_string(status));
  for (const std::string& slot : served.slots) {
    changing_.erase(slot);
    if (slot.starts_with("session ?") || !slot.starts_with("session ")) continue;
    sessions_[slot.substr(8)].unsure = true;
  }
  for (const std::string& id : served.moved) {
    sessions_[id].unsure = true;
    sessions_[id].disturbed = ++now_;
    --sessions_[id].moving;
  }
  for (auto& [id, known] : sessions_)
    if (known.holders.erase(served.serial) > 0) known.released = ++now_;
  served.process.reset();
}

void RpcStorm::send(std::size_t i, std::string_view method, const std::string& params, Note note) {
  ServerProcess& served = served_[i];
  for (const auto& [shelf, thing] : note.things) ledger_.attempt(shelf, thing);
  for (const auto& [slot, value] : note.values) {
    ledger_.attempt_value(slot, value);
    changing_.insert(slot);
    served.slots.push_back(slot);
  }
  if (!note.alone.empty()) {
    changing_.insert(note.alone);
    served.slots.push_back(note.alone);
  }
  for (const auto& [slot, value] : note.transient_values) ledger_.attempt_value(slot, value);
  if (note.moves) {
    ++sessions_[note.session].moving;
    served.moved.push_back(note.session);
  }
  if (note.moves || note.takes) sessions_[note.session].disturbed = ++now_;
  if (note.takes) sessions_[note.session].holders.insert(served.serial);
  const std::uint64_t serial = served.serial;
  std::string line = params;
  if (is_binary(i))
    line.insert(1, R"("store":")" + std::string(traits_.layout) + ":" + plan_.directory + "/store\"" +
                       (params.size() > 2 ? "," : ""));
  served.process->send(method, line,
                       [this, i, serial, method = std::string(method), note = std::move(note),
                        sent_at = ++now_](const RpcProcess::Answer& answer) {
                         ServerProcess& from = served_[i];
                         for (const auto& [slot, value] : note.values) {
                           changing_.erase(slot);
                           std::erase(from.slots, slot);
                         }
                         changing_.erase(note.alone);
                         std::erase(from.slots, note.alone);
                         if (note.moves) {
                           from.moved.erase(std::ranges::find(from.moved, note.session));
                           --sessions_[note.session].moving;
                           sessions_[note.session].disturbed = ++now_;
                         }
                         settle(serial, method, note, sent_at, answer);
                       });
}

void RpcStorm::settle(std::uint64_t serial, std::string_view method, const Note& note, std::uint64_t sent_at,
                      const RpcProcess::Answer& answer) {
  ++answers_;
  Fate fate = Fate::power;
  if (!answer.error.empty())
    fate = fate_of(answer.error);
  else if (const auto word = JsonView(answer.result).find("durability").as_string(); word && *word != "power")
    fate = *word == "process" ? Fate::process : Fate::attempted;
  for (const auto& [shelf, thing] : note.things) ledger_.settle(shelf, thing, fate);
  for (const auto& [slot, value] : note.transient_values)
    if (fate == Fate::refused) ledger_.settle_value(slot, value, fate);
  for (const auto& [slot, value] : note.values) ledger_.settle_value(slot, value, fate);
  if (note.takes && fate == Fate::refused) {
    // This request holds nothing any more, but another one of the same process may. Before it was refused it
    // may have held the lease for a moment, in which another caller was told busy.
    Known& session = sessions_[note.session];
    if (const auto one = session.holders.find(serial); one != session.holders.end()) session.holders.erase(one);
    session.released = ++now_;
  }
  const bool deaf =
      std::ranges::any_of(served_, [&](const ServerProcess& each) { return each.serial == serial && each.deaf; });
  if (!deaf) {
    longest_ = std::max(longest_, answer.took.count());
    if (answer.took.count() > patience())
      broken(&Outcome::wrong, std::string(method) + " took " + std::to_string(answer.took.count()) + " s");
  }
  if (note.then) note.then(answer);
  if (answer.error.empty()) return;
  if (note.by_rule && is_refusal_by_rule(answer.error)) return;
  const std::string words = std::string(method) + ": " + answer.error + ": " + answer.message;
  const auto known = sessions_.find(note.session);
  // Its answer may be read after the lease holder has ended.
  if (known != sessions_.end() && answer.error == "busy" &&
      (!known->second.holders.empty() || known->second.released > sent_at))
    return;
  const bool disturbed = known != sessions_.end() &&
                         (known->second.moving > 0 || known->second.disturbed > sent_at || known->second.unsure);
  if (fate != Fate::refused || answer.error == "busy" || answer.error == "internal" || !disturbed)
    broken(&Outcome::wrong, "refused without a reason: " + words);
}

void RpcStorm::end_all() {
  over_ = true;
  for (std::size_t i = 0; i < served_.size(); ++i) {
    if (!served_[i].process) continue;
    if (i % 3 == 2)
      served_[i].process->kill();
    else if (!served_[i].process->wants_to_write())
      served_[i].process->close_input();
  }
  const auto any = [&] {
    return std::ranges::any_of(served_, [](const ServerProcess& each) { return each.process != nullptr; });
  };
  const auto deadline = RpcProcess::Clock::now() + std::chrono::duration<double>(4 * patience());
  while (any()) {
    wait();
    if (RpcProcess::Clock::now() > deadline) {
      broken(&Outcome::wrong, "a process does not end when its input has");
      for (auto& served : served_)
        if (served.process) served.process->kill();
    }
    for (auto& served : served_)
      if (served.process && !served.process->wants_to_write()) served.process->close_input();
  }
}

void RpcStorm::judge() {
  // A fork may contain what was written while it was made.
  for (const auto& [copy, original] : forks_)
    for (const auto& [thing, item] : ledger_.shelves()[original].items)
      if (item.fate != Fate::refused)
        ledger_.shelves()[copy].items.try_emplace(thing, LedgerShelf::Item{item.number, Fate::attempted});
  verify_store(real_file_system(), plan_.directory + "/store", traits_, ledger_,
               {.power_loss = false, .ordered = false}, plan_.seed, plan_.where, outcome_);
  if (!traits_.talks) judge_crowd();
}

void RpcStorm::judge_crowd() {
  LibraryDoor door(real_file_system(), std::string(traits_.layout), plan_.directory + "/store", false);
  std::vector<std::string> altered;
  auto seen = look_at_entries(door, traits_, {&EntryCrowd::kSession, 1}, altered);
  if (!seen) return broken(&Outcome::unopenable, seen.error().text());
  for (const std::string& each : altered) broken(&Outcome::altered, each);
  std::string log;
  std::error_code none;  // if nobody got as far as writing an entry
  for (const auto& file : std::filesystem::recursive_directory_iterator(plan_.directory + "/store/entries", none))
    if (file.path().filename() == "main.jsonl" &&
        file.path().string().contains("/" + std::string(EntryCrowd::kSession)))
      log.assign(std::istreambuf_iterator<char>(std::ifstream(file.path()).rdbuf()), {});
  crowd_.judge(log, (*seen)[std::string(EntryCrowd::kSession)][""], traits_, plan_.where, outcome_);
}

}  // namespace holdfast::lab
