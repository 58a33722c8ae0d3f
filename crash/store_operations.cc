// The operations of a store's caller, each with its entry in the ledger.
#include "entry_deeds.h"
#include "store_world.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::lab {
namespace {

std::string id_in(const std::string& answer) { return JsonView(answer).find("id").as_string().value_or(""); }

Result<void> done(const Result<std::string>& answer) {
  if (!answer) return fail(answer.error());
  return {};
}

constexpr const char* kSizes = "ssml";

}  // namespace

const std::vector<StoreWorld::Deed>& StoreWorld::deeds() {
  using W = StoreWorld;
  static const std::vector<Deed> all{
      {"create", 2, &W::create, &W::may_create},
      {"append", 8, &W::append, &W::talks},
      {"append_process", 4, &W::append_process, &W::talks},
      {"append_large", 1, &W::append_large, &W::can_be_large},
      {"append_spilled", 2, &W::append_spilled, &W::can_spill},
      {"retitle", 2, &W::retitle, &W::can_retitle},
      {"fork", 2, &W::fork, &W::can_fork},
      {"trash", 2, &W::trash, &W::can_trash},
      {"restore", 3, &W::restore, &W::can_restore},
      {"erase", 1, &W::erase, &W::talks},
      {"end", 1, &W::end, &W::can_end},
      {"resume", 2, &W::resume, &W::talks},
      {"import", 1, &W::import, &W::can_import},
      {"start_run", 2, &W::start_run, &W::can_run},
      {"finish_run", 2, &W::finish_run, &W::has_run},
      {"set_mission", 2, &W::set_mission, &W::can_set_mission},
      {"make_thread", 1, &W::make_thread, &W::can_thread},
      {"save_thread", 2, &W::save_thread, &W::has_thread},
      {"put_plan", 2, &W::put_plan, &W::can_plan},
      {"put_memory", 2, &W::put_memory, &W::can_remember},
      {"transact_entries", 6, &W::transact_entries, &W::keeps_entries},
      {"start_module", 2, &W::start_module, &W::can_start_module},
      {"add_task", 6, &W::add_task, &W::has_module},
      {"count_iteration", 3, &W::count_iteration, &W::has_module},
      {"update_initiative", 6, &W::update_initiative, &W::has_initiative},
      {"learn", 4, &W::learn, &W::has_initiative},
      {"next_process", 2, &W::next_process, &W::may_end_process},
  };
  return all;
}

StoreWorld::Done StoreWorld::run_basic_operation(int which) {
  if (traits_.talks) {
    if (which == 0) return {"create", create()};
    if (which == 1) return {"append", append()};
    if (traits_.titles) return {"retitle", retitle()};
    return {"append", append()};
  }
  if (traits_.modules) {
    if (which == 0) return {"start_module", start_module()};
    // A save that failed pauses the work until somebody resumes it.
    for (const std::string& id : sessions("live"))
      if (const auto resumed = change("session.resume", params({{"id", id}, {"takeover", raw("true")}}), {}); !resumed)
        return {"resume", done(resumed)};
    return which == 1 ? Done{"add_task", add_task()} : Done{"put_plan", put_plan()};
  }
  if (!traits_.initiative) return {"add_entry", add_entry()};
  if (!initiative_) return {"make_initiative", make_initiative()};
  return which == 1 ? Done{"learn", learn()} : Done{"update_initiative", update_initiative()};
}

Result<void> StoreWorld::create() {
  const std::string id = new_session_id();
  const std::string title = new_name("t");
  Note note{{}, {{session_slot(id), "live"}}, {}};
  if (traits_.titles) note.values.emplace_back(title_slot(id), title);
  own_session(id);
  if (traits_.layout == "maestro")
    return done(change("session.create", params({{"id", id}, {"thread", thread_}, {"lease", raw("false")}}), note));
  return done(change("session.create",
                     params({{"id", id}, {"title", title}, {"project", kProject}, {"lease", raw("false")}}), note));
}

void StoreWorld::own_session(const std::string& id) {
  const std::scoped_lock guard(mutex_);
  ledger_.own_shelf(messages_shelf(id), session_slot(id));
  if (traits_.titles) ledger_.own_slot(title_slot(id), session_slot(id));
}

void StoreWorld::name_session(const std::string& made, const std::string& its) {
  const std::scoped_lock guard(mutex_);
  ledger_.rename(session_slot(made), session_slot(its));
  ledger_.rename(title_slot(made), title_slot(its));
  ledger_.rename(messages_shelf(made), messages_shelf(its));
}

Result<void> StoreWorld::append_to(const std::string& id, char size, bool power) {
  const std::string name = new_name("m", size);
  return done(
      change("message.append",
             params({{"session", id}, {"text", text_of(name, traits_)}, {"durability", power ? "power" : "process"}}),
             {{{messages_shelf(id), name}}, {}, {}}));
}

Result<void> StoreWorld::append() { return append_to(some_session_of_caller(), kSizes[random_.below(4)], true); }
Result<void> StoreWorld::append_process() {
  return append_to(some_session_of_caller(), kSizes[random_.below(4)], false);
}
Result<void> StoreWorld::append_large() { return append_to(some_session_of_caller(), 'b', random_.chance(70)); }

// A tool call with an output in its own file.
Result<void> StoreWorld::append_spilled() {
  const std::string id = some_session_of_caller();
  const std::string call = new_name("c", 's');
  const std::string output = new_name("o", 'o');
  JsonWriter asked;
  asked.begin_object().key("role").string("assistant").key("blocks").begin_array();
  asked.begin_object().key("type").string("text").key("text").string(text_of(call, traits_)).end_object();
  asked.begin_object().key("type").string("tool_call").key("id").string(call).key("name").string("Read");
  asked.key("input").raw("{}").end_object().end_array().end_object();
  HOLDFAST_TRY(change("message.append", params({{"session", id}, {"message", raw(asked.text())}}),
                      {{{messages_shelf(id), call}}, {}, {}}));
  JsonWriter given;
  given.begin_object().key("role").string("tool").key("blocks").begin_array();
  given.begin_object().key("type").string("tool_result").key("id").string(call);
  given.key("output").string(text_of(output, traits_)).end_object().end_array().end_object();
  return done(change("message.append", params({{"session", id}, {"message", raw(given.text())}}),
                     {{{messages_shelf(id), output}}, {}, {}}));
}

Result<void> StoreWorld::retitle() {
  const std::string id = some_session_of_caller();
  const std::string title = new_name("t");
  return done(change("session.update", params({{"id", id}, {"title", title}}), {{}, {{title_slot(id), title}}, {}}));
}

// A fork is whole or absent: it contains what its original showed.
Result<void> StoreWorld::fork() {
  const std::string id = some_session_of_caller();
  const std::string title = new_name("f");
  const std::string made = "?" + title;
  {
    const std::scoped_lock guard(mutex_);
    LedgerShelf copy = ledger_.shelves()[messages_shelf(id)];
    for (auto& [name, item] : copy.items)
      if (item.fate == Fate::process) item.fate = Fate::power;
    ledger_.shelves()[messages_shelf(made)] = std::move(copy);
  }
  own_session(made);
  const auto answer = change("session.fork", params({{"id", id}, {"title", title}}),
                             {{}, {{session_slot(made), "live"}, {title_slot(made), title}}, {}});
  if (!answer) return fail(answer.error());
  name_session(made, id_in(*answer));
  return {};
}

Result<void> StoreWorld::trash() {
  const std::string id = some_session_of_caller();
  const auto answer = change("session.trash", params({{"id", id}}),
                             {{}, {{session_slot(id), "trashed"}}, {{session_slot(id), "both"}}});
  if (answer) holders_.erase(id);  // otherwise its owner still has it
  return done(answer);
}

Result<void> StoreWorld::restore() {
  const auto all = sessions("trashed");
  const std::string& id = all[random_.below(all.size())];
  return done(change("session.restore", params({{"id", id}}),
                     {{}, {{session_slot(id), "live"}}, {{session_slot(id), "both"}}}));
}

Result<void> StoreWorld::erase() {
  const std::string id = some_session_of_caller();
  const auto answer = change("session.delete", params({{"id", id}}), {{}, {{session_slot(id), ""}}, {}});
  if (answer) holders_.erase(id);  // otherwise its owner still has it
  return done(answer);
}

Result<void> StoreWorld::end() {
  const std::string id = some_session_of_caller();
  ended_.insert(id);
  const auto answer = change("session.end", params({{"id", id}}), {});
  if (answer) holders_.erase(id);  // otherwise its owner still has it
  return done(answer);
}

Result<void> StoreWorld::resume() {
  const std::string id = some_session_of_caller();
  const auto answer = change("session.resume", params({{"id", id}}), {});
  if (answer && keep_) holders_[id] = caller_;
  return done(answer);
}

Result<void> StoreWorld::import() {
  const std::string title = new_name("t");
  const std::string id = "?" + title;  // not every layout keeps the document's id
  Note note{{}, {{session_slot(id), "live"}, {title_slot(id), title}}, {}};
  JsonWriter json;
  json.begin_object().key("session").begin_object().key("title").string(title);
  json.key("project").string(kProject).end_object().key("messages").begin_array();
  for (int i = 0; i < 3; ++i) {
    const std::string name = new_name("i", kSizes[random_.below(4)]);
    note.things.emplace_back(messages_shelf(id), name);
    json.begin_object().key("role").string("user").key("text").string(text_of(name, traits_)).end_object();
  }
  json.end_array().end_object();
  own_session(id);
  const auto answer = change("session.import", params({{"text", json.text()}}), note);
  if (!answer) return fail(answer.error());
  name_session(id, id_in(*answer));
  return {};
}

Result<void> StoreWorld::start_run() {
  const std::string detail = new_name("r");
  const auto answer = change("run.start", params({{"project", kProject}, {"agent", detail}}),
                             {{{"runs", detail}}, {{"run " + detail, "open"}}, {}});
  if (!answer) return fail(answer.error());
  runs_.push_back({detail, JsonView(*answer).find("run").find("id").as_string().value_or(""), caller_});
  return {};
}

Result<void> StoreWorld::finish_run() {
  const auto [detail, id, caller] = runs_.back();
  runs_.pop_back();
  caller_ = caller;  // for everybody else it is in use
  return done(change("run.finish", params({{"project", kProject}, {"id", id}, {"status", "completed"}}),
                     {{}, {{"run " + detail, "completed"}}, {}}));
}

Result<void> StoreWorld::set_mission() {
  const std::string name = new_name("g", kSizes[random_.below(4)]);
  return done(change("mission.set", params({{"project", kProject}, {"text", text_of(name, traits_)}}),
                     {{{"missions", name}}, {{"mission", name}}, {}}));
}

Result<void> StoreWorld::make_thread() {
  const std::string id = "thr_lab" + std::to_string(next_++);
  const std::string title = new_name("h");
  const auto answer =
      change("thread.create", params({{"id", id}, {"title", title}}), {{}, {{"thread " + id, title}}, {}});
  if (!answer) return fail(answer.error());
  thread_ = id;
  return {};
}

Result<void> StoreWorld::save_thread() {
  const std::string title = new_name("h");
  return done(change("thread.save", params({{"thread", raw(params({{"id", thread_}, {"title", title}}))}}),
                     {{}, {{"thread " + thread_, title}}, {}}));
}

Result<void> StoreWorld::put_plan() {
  const std::string id = "plan" + std::to_string(random_.below(2));
  const std::string name = new_name("p", kSizes[random_.below(4)]);
  const Note note{{}, {{"plan " + id, name}}, {}};
  if (traits_.modules) return done(change("plan.put", params({{"id", id}, {"body", text_of(name, traits_)}}), note));
  return done(change("plan.put", params({{"project", kProject}, {"id", id}, {"body", text_of(name, traits_)}}), note));
}

Result<void> StoreWorld::put_memory() {
  const std::string id = "memory" + std::to_string(random_.below(2));
  const std::string name = new_name("y", kSizes[random_.below(4)]);
  return done(change("memory.put", params({{"project", kProject}, {"id", id}, {"body", text_of(name, traits_)}}),
                     {{}, {{"memory " + id, name}}, {}}));
}

Result<void> StoreWorld::transact_entries() {
  EntryTransaction transaction;
  {
    const std::scoped_lock guard(mutex_);
    const std::string session(kEntrySessions[random_.below(std::size(kEntrySessions))]);
    transaction = some_transaction(ledger_.entries(), session, next_++, random_);
  }
  return request(transaction);
}

Result<void> StoreWorld::add_entry() {
  const std::uint64_t number = next_++;
  const std::string name = "e" + std::to_string(number) + "s";
  return request({.session = std::string(kEntrySessions[0]), .entries = {{name, "u-" + name}}, .number = number});
}

// What a transaction must be answered is the business of the model.
Result<void> StoreWorld::request(const EntryTransaction& transaction) {
  {
    const std::scoped_lock guard(mutex_);
    ledger_.entries().attempt(transaction);
  }
  const EntryCall call = call_of(transaction, traits_);
  const Answer answer = doors_[caller_]->call(call.method, call.params);
  const std::scoped_lock guard(mutex_);
  if (dead_ && dead_()) return {};
  const std::string wrong = ledger_.entries().answered(transaction, entry_answer(transaction, answer));
  if (!wrong.empty()) return fail(Code::internal, wrong);
  if (answer || is_refusal_by_rule(code_name(answer.error().code))) return {};
  return fail(answer.error());
}

Result<void> StoreWorld::start_module() {
  const std::string module = "module" + std::to_string(next_++);
  const std::string made = "?" + module;
  const auto answer = change("session.start", params({{"module", module}, {"no_resume", raw("true")}}),
                             {{}, {{session_slot(made), "live"}}, {}});
  if (!answer) return fail(answer.error());
  const std::string id = id_in(*answer);
  const std::scoped_lock guard(mutex_);
  ledger_.rename(session_slot(made), session_slot(id));
  ledger_.own_shelf("tasks of " + id, session_slot(id));
  ledger_.own_slot("iterations of " + id, session_slot(id));
  return {};
}

Result<void> StoreWorld::add_task() {
  const std::string id = some_session_of_caller();
  const std::string name = new_name("k");
  return done(change("task.add", params({{"session", id}, {"id", name}}), {{{"tasks of " + id, name}}, {}, {}}));
}

Result<void> StoreWorld::count_iteration() {
  const std::string id = some_session_of_caller();
  const std::string& before = ledger_.value("iterations of " + id);
  if (!ledger_.certain("iterations of " + id)) return {};
  const std::string after = std::to_string(before.empty() ? 1 : std::stoi(before) + 1);
  return done(change("metrics.record",
                     params({{"session", id}, {"input_tokens", raw("5")}, {"output_tokens", raw("7")}}),
                     {{}, {{"iterations of " + id, after}}, {}}));
}

Result<void> StoreWorld::make_initiative() {
  const std::string action = new_name("n");
  const auto answer = change("initiative.create", params({{"name", "lab"}, {"next_action", action}}),
                             {{}, {{"initiative", action}}, {}});
  // If it was uncertain whether it exists, it does.
  const bool there = !answer && answer.error().code == Code::already_exists && !ledger_.certain("initiative");
  if (!answer && !there) return fail(answer.error());
  initiative_ = true;
  return {};
}

// Two layers and a line of the memory, in one commit.
Result<void> StoreWorld::update_initiative() {
  const std::string action = new_name("n");
  const std::string line = "learnt-" + std::to_string(next_++);
  return done(change("initiative.update",
                     params({{"fields", raw(R"({"x":1})")}, {"next_action", action}, {"learning", line}}),
                     {{{"learnings", line}}, {{"initiative", action}}, {}}));
}

Result<void> StoreWorld::learn() {
  const std::string line = "learnt-" + std::to_string(next_++);
  return done(change("memory.learn", params({{"text", line}}), {{{"learnings", line}}, {}, {}}));
}

Result<void> StoreWorld::next_process() {
  reopen(caller_);
  return {};
}

}  // namespace holdfast::lab
