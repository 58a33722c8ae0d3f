#include "rules/runs/state_files.h"

#include <array>
#include <span>

#include "store/record_text.h"
#include "text/article.h"

namespace holdfast::inline v1 {
namespace {

struct Field {
  std::string_view name;
  JsonKind kind = JsonKind::string;
  bool required = true;
};
struct Type {
  std::string_view name;
  std::span<const Field> fields;
};

constexpr std::array<Field, 3> kPmTask = {{{"task_id"}, {"status"}, {"assigned_tasks", JsonKind::array}}};
constexpr std::array<Field, 1> kUserStories = {{{"task_id"}}};
constexpr std::array<Field, 4> kCoderTask = {
    {{"task_id"}, {"status"}, {"story_id", JsonKind::string, false}, {"assigned_to"}}};
constexpr std::array<Field, 5> kMessage = {
    {{"task_id"}, {"from"}, {"to"}, {"ts", JsonKind::number}, {"about_task_id", JsonKind::string, false}}};
const std::array<Type, 4> kTypes = {
    {{"pm_task", kPmTask}, {"user_stories", kUserStories}, {"coder_task", kCoderTask}, {"message", kMessage}}};

// Returns what is wrong with a record according to its type; empty if nothing is.
std::string fault_in(std::string_view record) {
  const JsonView view(record);
  const std::string type = text_in(record, "type");
  for (const Type& known : kTypes) {
    if (known.name != type) continue;
    for (const Field& field : known.fields) {
      const JsonView value = view.find(field.name);
      if (!value || value.is_null()) {
        if (field.required) return with_article(type) + " needs the field " + std::string(field.name);
      } else if (value.kind() != field.kind) {
        return std::string(field.name) + " has a value of the wrong kind";
      }
    }
    return {};
  }
  return type.empty() ? "the type is missing"
                      : "not a type of state file: pm_task, user_stories, coder_task or message";
}

// Returns `record` with the fields of `changes` replacing its own.
std::string laid_over(std::string_view record, JsonView changes) {
  JsonWriter json;
  json.begin_object();
  for (const JsonItem& item : JsonView(record).fields()) {
    if (!changes.find(item.key())) json.key(item.key()).raw(item.value.raw());
  }
  for (const JsonItem& item : changes.fields()) json.key(item.key()).raw(item.value.raw());
  return json.end_object().take();
}

}  // namespace

Result<void> check_state_file(const Store::Look& look, const RecordEdit& edit) {
  HOLDFAST_LET(there, look(edit.key));
  const std::string before = there.records.empty() ? "{}" : there.records.front();
  if (std::string fault = fault_in(laid_over(before, JsonView(edit.json))); !fault.empty())
    return fail(Code::invalid_argument, std::move(fault), edit.key.id);
  return {};
}

}  // namespace holdfast::inline v1
