#include "store_picture.h"

#include "entry_deeds.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

constexpr std::string_view kAll = R"("limit":100000)";

std::string text_at(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

class Looker {
 public:
  Looker(Door& door, const StoreTraits& traits) : door_(door), traits_(traits) {}

  Result<Picture> run(bool damage) {
    if (!traits_.initiative) HOLDFAST_TRY(sessions());
    if (traits_.trash) HOLDFAST_TRY(trash());
    if (traits_.runs) HOLDFAST_TRY(runs());
    if (traits_.missions) HOLDFAST_TRY(missions());
    if (traits_.threads) HOLDFAST_TRY(threads());
    if (traits_.plans) HOLDFAST_TRY(texts("plan"));
    if (traits_.memory) HOLDFAST_TRY(texts("memory"));
    if (traits_.entries) {
      HOLDFAST_LET(seen, look_at_entries(door_, traits_, kEntrySessions, picture_.altered));
      picture_.entries = std::move(seen);
    }
    if (traits_.initiative) HOLDFAST_TRY(initiative());
    if (damage) HOLDFAST_TRY(verify());
    return std::move(picture_);
  }

 private:
  std::string name(std::string_view text, const std::string& where) {
    std::string known = name_in(text, traits_);
    if (known.empty())
      picture_.altered.push_back(where + " holds what nobody wrote, " + std::to_string(text.size()) +
                                 " bytes: " + std::string(text.substr(0, 60)));
    return known;
  }

  Result<void> sessions() {
    HOLDFAST_LET(answer, door_.call("session.list", "{" + std::string(kAll) + "}"));
    for (const JsonItem& item : JsonView(answer).find("sessions").elements()) {
      const std::string id = text_at(item.value, "id");
      picture_.slots[session_slot(id)] = "live";
      if (traits_.titles) picture_.slots[title_slot(id)] = text_at(item.value, "title");
      if (traits_.talks) HOLDFAST_TRY(messages(id));
      if (traits_.modules) HOLDFAST_TRY(work(id));
    }
    return {};
  }

  Result<void> messages(const std::string& id) {
    HOLDFAST_LET(answer,
                 door_.call("message.list", R"({"session":")" + id + R"(","branch":"all",)" + std::string(kAll) + "}"));
    auto& shelf = picture_.shelves[messages_shelf(id)];
    for (const JsonItem& item : JsonView(answer).find("messages").elements()) {
      for (const JsonItem& block : item.value.find("blocks").elements()) {
        const std::string type = text_at(block.value, "type");
        if (type != "text" && type != "tool_result") continue;
        shelf.push_back(name(text_at(block.value, type == "text" ? "text" : "output"), "session " + id));
      }
    }
    return {};
  }

  Result<void> work(const std::string& id) {
    HOLDFAST_LET(answer, door_.call("workflow.get", R"({"session":")" + id + "\"}"));
    const JsonView workflow = JsonView(answer).find("workflow");
    auto& shelf = picture_.shelves["tasks of " + id];
    for (const JsonItem& task : workflow.find("tasks").elements()) shelf.push_back(text_at(task.value, "id"));
    const auto count = JsonView(answer).find("metrics").find("iteration_count").as_int64().value_or(0);
    picture_.slots["iterations of " + id] = count == 0 ? "" : std::to_string(count);
    return {};
  }

  Result<void> trash() {
    HOLDFAST_LET(answer, door_.call("session.trashed", "{" + std::string(kAll) + "}"));
    for (const JsonItem& item : JsonView(answer).find("trashed").elements()) {
      std::string& where = picture_.slots[session_slot(text_at(item.value, "id"))];
      where = where.empty() ? "trashed" : "both";
    }
    return {};
  }

  Result<void> runs() {
    HOLDFAST_LET(answer,
                 door_.call("run.list", R"({"project":")" + std::string(kProject) + "\"," + std::string(kAll) + "}"));
    for (const JsonItem& item : JsonView(answer).find("runs").elements()) {
      // Its detail becomes "interrupted" once its process is dead; the agent id stays.
      const std::string detail = text_at(item.value, "agent_id");
      const std::string status = text_at(item.value, "status");
      picture_.shelves["runs"].push_back(detail);
      picture_.slots["run " + detail] = status == "completed" ? "completed" : "open";
    }
    return {};
  }

  Result<void> missions() {
    HOLDFAST_LET(answer, door_.call("mission.list",
                                    R"({"project":")" + std::string(kProject) + "\"," + std::string(kAll) + "}"));
    std::string& active = picture_.slots["mission"];
    for (const JsonItem& item : JsonView(answer).find("missions").elements()) {
      const std::string text = name(text_at(item.value, "text"), "a mission");
      picture_.shelves["missions"].push_back(text);
      if (item.value.find("active").as_bool() != true) continue;
      if (!active.empty()) picture_.altered.push_back("two missions are active: " + active + " and " + text);
      active = text;
    }
    return {};
  }

  Result<void> threads() {
    HOLDFAST_LET(answer, door_.call("thread.list", "{" + std::string(kAll) + "}"));
    for (const JsonItem& item : JsonView(answer).find("threads").elements())
      picture_.slots["thread " + text_at(item.value, "id")] = text_at(item.value, "title");
    return {};
  }

  Result<void> texts(const std::string& kind) {
    const std::string project = traits_.modules ? "" : R"("project":")" + std::string(kProject) + "\",";
    HOLDFAST_LET(answer, door_.call("record.list", R"({"kind":")" + kind + "\"," + project + std::string(kAll) + "}"));
    for (const JsonItem& item : JsonView(answer).find("records").elements()) {
      const std::string id = text_at(item.value, "id");
      picture_.slots[kind + " " + id] = name(text_at(item.value, "body"), kind + " " + id);
    }
    return {};
  }

  Result<void> initiative() {
    const auto answer = door_.call("initiative.get", "{}");
    if (!answer && answer.error().code != Code::not_found) return fail(answer.error());
    if (answer) picture_.slots["initiative"] = text_at(JsonView(*answer).find("initiative"), "next_action");
    const auto memory = door_.call("memory.get", "{}");
    if (!memory && memory.error().code != Code::not_found) return fail(memory.error());
    if (!memory) return {};
    const std::string body = text_at(JsonView(*memory).find("memory"), "body");
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t end = std::min(body.find('\n', at), body.size());
      const std::string line = body.substr(at, end - at);
      at = end + 1;
      if (const auto learnt = line.find("learnt-"); learnt != std::string::npos)
        picture_.shelves["learnings"].push_back(line.substr(learnt));
    }
    return {};
  }

  Result<void> verify() {
    HOLDFAST_LET(answer, door_.call("store.verify", "{" + std::string(kAll) + "}"));
    for (const JsonItem& item : JsonView(answer).find("damage").elements())
      picture_.damage.push_back(text_at(item.value, "kind") + " " + text_at(item.value, "file") + ": " +
                                text_at(item.value, "consequence"));
    return {};
  }

  Door& door_;
  const StoreTraits& traits_;
  Picture picture_;
};

}  // namespace

Result<Picture> look_at(Door& door, const StoreTraits& traits, bool damage) { return Looker(door, traits).run(damage); }

Result<std::vector<std::string>> restore_all(Door& door) {
  std::vector<std::string> ids;
  HOLDFAST_LET(answer, door.call("session.trashed", "{" + std::string(kAll) + "}"));
  for (const JsonItem& item : JsonView(answer).find("trashed").elements()) {
    const std::string id = text_at(item.value, "id");
    HOLDFAST_TRY(door.call("session.restore", params({{"id", id}})));
    ids.push_back(id);
  }
  return ids;
}

}  // namespace holdfast::lab
