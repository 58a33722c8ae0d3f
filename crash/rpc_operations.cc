// The operations that the parent of a storm requests from its processes.
#include "entry_deeds.h"
#include "rpc_storm.h"
#include "store_door.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::lab {
namespace {

constexpr const char* kSizes = "ssml";
constexpr std::size_t kSessions = 5;

}  // namespace

std::string RpcStorm::new_name(const char* letters, char size) {
  std::string name = letters + std::to_string(next_++);
  if (size != 0) name += size;
  return name;
}

std::string RpcStorm::some_session(std::string_view where) {
  std::vector<std::string> all;
  for (const auto& [id, known] : sessions_)
    if (!known.unsure && ledger_.value(session_slot(id)) == where) all.push_back(id);
  return all.empty() ? std::string() : all[random_.below(all.size())];
}

bool RpcStorm::do_something(std::size_t i) {
  if (!traits_.talks) return transact(i), true;
  const std::string live = some_session("live");
  std::size_t alive = 0;
  for (const auto& [id, known] : sessions_) alive += known.unsure ? 0 : 1;
  if (alive < kSessions) {
    create(i);
    return true;
  }
  if (live.empty()) return false;
  if (served_[i].deaf) return append(i, live), true;
  const Known& known = sessions_[live];
  const std::uint64_t draw = random_.below(100);
  const auto tries = [&](std::string_view deed) { return !withheld("t18", traits_.layout, deed); };
  if (draw < 55) {
    append(i, live);
  } else if (draw < 60) {
    if (!traits_.spills || !tries("spill")) return append(i, live), true;
    append_spilled(i, live);
  } else if (draw < 66 && tries("retitle") && traits_.titles && !changing_.contains(title_slot(live))) {
    const std::string title = new_name("t");
    put_value(i, title_slot(live), title, "session.update", params({{"id", live}, {"title", title}}));
  } else if (draw < 70 && tries("fork") && traits_.forks && forks_.size() < 12 && known.moving == 0) {
    fork(i, live);
  } else if (draw < 74 && tries("trash") && traits_.trash && known.moving == 0) {
    move(i, live, "session.trash", "trashed");
  } else if (draw < 80 && traits_.trash) {
    const std::string gone = some_session("trashed");
    if (gone.empty() || sessions_[gone].moving > 0) return append(i, live), true;
    move(i, gone, "session.restore", "live");
  } else if (draw < 83 && traits_.ends && tries("end")) {
    Note note;
    note.session = live;
    note.moves = true;
    send(i, "session.end", params({{"id", live}}), std::move(note));
  } else if (draw < 87 && tries("resume")) {
    Note note;
    note.session = live;
    note.takes = true;
    send(i, "session.resume", params({{"id", live}}), std::move(note));
  } else if (draw < 90 && tries("set_mission") && traits_.missions && !changing_.contains("mission")) {
    const std::string name = new_name("g", 's');
    Note note;
    note.things = {{"missions", name}};
    note.values = {{"mission", name}};
    send(i, "mission.set", params({{"project", kProject}, {"text", text_of(name, traits_)}}), std::move(note));
  } else if (draw < 93 && tries("start_run") && traits_.runs) {
    const std::string detail = new_name("r");
    Note note;
    note.things = {{"runs", detail}};
    note.values = {{"run " + detail, "open"}};
    send(i, "run.start", params({{"project", kProject}, {"agent", detail}}), std::move(note));
  } else if (draw < 96 && tries("save_thread") && traits_.threads && !thread_.empty() &&
             !changing_.contains("thread " + thread_)) {
    const std::string title = new_name("h");
    put_value(i, "thread " + thread_, title, "thread.save",
              params({{"thread", raw(params({{"id", thread_}, {"title", title}}))}}));
  } else if (traits_.memory) {
    const std::string id = "memory" + std::to_string(random_.below(3));
    if (changing_.contains("memory " + id)) return append(i, live), true;
    const std::string name = new_name("y", kSizes[random_.below(4)]);
    put_value(i, "memory " + id, name, "memory.put",
              params({{"project", kProject}, {"id", id}, {"body", text_of(name, traits_)}}));
  } else {
    append(i, live);
  }
  return true;
}

void RpcStorm::put_value(std::size_t i, const std::string& slot, const std::string& value, std::string_view method,
                         const std::string& params) {
  Note note;
  note.values = {{slot, value}};
  for (const auto& [id, known] : sessions_)
    if (slot == title_slot(id)) note.session = id;
  send(i, method, params, std::move(note));
}

void RpcStorm::append(std::size_t i, const std::string& id) {
  const bool large = traits_.large > 0 && random_.chance(4);
  const std::string name = new_name("m", large ? 'b' : kSizes[random_.below(4)]);
  Note note;
  note.things = {{messages_shelf(id), name}};
  note.session = id;
  const std::string text = text_of(name, traits_);
  // A message that names its session itself: requests are not ordered by that.
  if (!withheld("t18", traits_.layout, "record") && random_.chance(25)) {
    const std::string record = params({{"sessionId", id}, {"role", "user"}, {"content", text}});
    return send(i, "message.append", params({{"message", raw(record)}}), std::move(note));
  }
  send(i, "message.append",
       params({{"session", id}, {"text", text}, {"durability", random_.chance(70) ? "power" : "process"}}),
       std::move(note));
}

void RpcStorm::append_spilled(std::size_t i, const std::string& id) {
  const std::string call = new_name("c", 's');
  const std::string output = new_name("o", 'o');
  const auto put = [&](const std::string& name, const std::string& role, const std::string& block) {
    Note note;
    note.things = {{messages_shelf(id), name}};
    note.session = id;
    const std::string message = R"({"role":")" + role + R"(","blocks":[)" + block + "]}";
    send(i, "message.append", params({{"session", id}, {"message", raw(message)}}), std::move(note));
  };
  put(call, "assistant",
      params({{"type", "text"}, {"text", text_of(call, traits_)}}) + "," +
          params({{"type", "tool_call"}, {"id", call}, {"name", "Read"}, {"input", raw("{}")}}));
  put(output, "tool", params({{"type", "tool_result"}, {"id", call}, {"output", text_of(output, traits_)}}));
}

void RpcStorm::create(std::size_t i) {
  const std::string id = lab_session_id(traits_, next_++);
  const std::string title = new_name("t");
  sessions_[id];
  ledger_.own_shelf(messages_shelf(id), session_slot(id));
  if (traits_.titles) ledger_.own_slot(title_slot(id), session_slot(id));
  Note note;
  note.session = id;
  note.values = {{session_slot(id), "live"}};
  if (traits_.titles) note.values.emplace_back(title_slot(id), title);
  send(i, "session.create",
       traits_.layout == "maestro"
           ? params({{"id", id}, {"thread", thread_}, {"lease", raw("false")}})
           : params({{"id", id}, {"title", title}, {"project", kProject}, {"lease", raw("false")}}),
       std::move(note));
}

void RpcStorm::fork(std::size_t i, const std::string& id) {
  const std::string title = new_name("f");
  const std::string made = "?" + title;
  LedgerShelf copy = ledger_.shelves()[messages_shelf(id)];
  for (auto& [name, item] : copy.items)
    item.fate = item.fate == Fate::process || item.fate == Fate::power ? Fate::power : Fate::attempted;
  ledger_.shelves()[messages_shelf(made)] = std::move(copy);
  ledger_.own_shelf(messages_shelf(made), session_slot(made));
  ledger_.own_slot(title_slot(made), session_slot(made));
  forks_.emplace_back(messages_shelf(made), messages_shelf(id));
  Note note;
  note.session = id;
  note.values = {{session_slot(made), "live"}, {title_slot(made), title}};
  note.then = [this, made](const RpcProcess::Answer& answer) {
    if (!answer.error.empty()) return;
    const std::string its = JsonView(answer.result).find("id").as_string().value_or("");
    ledger_.rename(session_slot(made), session_slot(its));
    ledger_.rename(title_slot(made), title_slot(its));
    ledger_.rename(messages_shelf(made), messages_shelf(its));
    for (auto& [shelf, original] : forks_)
      if (shelf == messages_shelf(made)) shelf = messages_shelf(its);
  };
  send(i, "session.fork", params({{"id", id}, {"title", title}}), std::move(note));
}

// One request at a time for each session of the model; the others go to the crowd, like all whose answers nobody reads.
void RpcStorm::transact(std::size_t i) {
  const std::uint64_t number = next_++;
  Note note;
  note.by_rule = true;
  note.alone = kEntrySessions[random_.below(std::size(kEntrySessions))];
  const bool crowded = served_[i].deaf || changing_.contains(note.alone) || random_.chance(40);
  if (crowded) note.alone.clear();
  const EntryTransaction made =
      crowded ? crowd_.some(number, random_) : some_transaction(ledger_.entries(), note.alone, number, random_);
  if (crowded)
    crowd_.sent(made, ++now_);
  else
    ledger_.entries().attempt(made);
  note.then = [this, made, crowded](const RpcProcess::Answer& answer) {
    EntryAnswer given = answer.error.empty() ? entry_answer(made, answer.result) : EntryAnswer{.error = answer.error};
    if (crowded) return crowd_.answered(made, given, ++now_);
    if (const std::string wrong = ledger_.entries().answered(made, given); !wrong.empty())
      broken(&Outcome::wrong, wrong);
  };
  const EntryCall call = call_of(made, traits_);
  send(i, call.method, call.params, std::move(note));
}

void RpcStorm::move(std::size_t i, const std::string& id, std::string_view method, const std::string& to) {
  Note note;
  note.session = id;
  note.moves = true;
  note.values = {{session_slot(id), to}};
  note.transient_values = {{session_slot(id), "both"}};
  send(i, method, params({{"id", id}}), std::move(note));
}

}  // namespace holdfast::lab
