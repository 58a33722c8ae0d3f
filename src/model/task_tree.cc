#include "model/task_tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "text/article.h"
#include "text/json_edit.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::pair<TaskState, TaskState>, 4> kWays = {{{TaskState::pending, TaskState::in_progress},
                                                                   {TaskState::in_progress, TaskState::complete},
                                                                   {TaskState::in_progress, TaskState::failed},
                                                                   {TaskState::failed, TaskState::in_progress}}};

enum NodeKey : std::size_t { kId, kName, kState, kType, kChildren };
constexpr std::array<std::string_view, 5> kKeys = {"id", "name", "state", "node_type", "children"};

std::string text_in(JsonView value) { return value.as_string().value_or(""); }

std::string joined(const std::vector<std::string>& ids) {
  std::string path;
  for (const std::string& id : ids) path += (path.empty() ? "" : "/") + id;
  return path;
}

std::vector<JsonStep> path_to(const std::vector<std::size_t>& at) {
  std::vector<JsonStep> path;
  for (const std::size_t index : at) {
    if (!path.empty()) path.emplace_back("children");
    path.emplace_back(index);
  }
  return path;
}

}  // namespace

struct TaskTree::Met {
  std::size_t index = 0;  // among its siblings
  std::array<JsonView, 5> values = {};
};

TaskTree::Met TaskTree::met(JsonView node, std::size_t index) {
  Met met{index, {}};
  for (const JsonItem& item : node.fields()) {
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
      if (item.key_is(kKeys[i])) met.values[i] = item.value;
    }
  }
  return met;
}

TaskNode TaskTree::node_of(const Way& way) {
  TaskNode node;
  for (const Met& each : way) {
    node.ids.push_back(text_in(each.values[kId]));
    node.names.push_back(text_in(each.values[kName]));
    node.at.push_back(each.index);
  }
  const auto& values = way.back().values;
  node.id = node.ids.back();
  node.name = node.names.back();
  node.state = Word<TaskState>(text_in(values[kState]));
  node.type = Word<TaskType>(text_in(values[kType]));
  node.children = static_cast<std::size_t>(std::ranges::distance(values[kChildren].elements()));
  return node;
}

// Visits every node, parents before children, with the path to it, until `take` returns false.
template <typename Visit>
bool TaskTree::visit(JsonView nodes, Way& way, const Visit& take) {
  std::size_t index = 0;
  for (const JsonItem& item : nodes.elements()) {
    way.push_back(met(item.value, index++));
    const JsonView children = way.back().values[kChildren];
    if (!take(way) || !visit(children, way, take)) return false;
    way.pop_back();
  }
  return true;
}

Result<TaskTree::Way> TaskTree::way_to(std::string_view which) const {
  std::vector<Way> found;
  Way way;
  const bool missed = visit(JsonView(text_), way, [&](const Way& at) {
    const bool its_id = at.back().values[kId].is_string(which);
    const bool its_path =
        at.size() == 1 ? its_id : which.find('/') != std::string_view::npos && joined(node_of(at).ids) == which;
    if (its_id && !its_path) found.push_back(at);
    return !its_path;
  });
  if (!missed) return way;
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) return fail(Code::not_found, "there is no task " + std::string(which));
  return fail(Code::invalid_argument, std::to_string(found.size()) + " tasks have the id " + std::string(which) +
                                          "; name one as " + joined(node_of(found[0]).ids) + " or " +
                                          joined(node_of(found[1]).ids));
}

// Follows the indexes from the top, as far as they lead.
TaskTree::Way TaskTree::way_at(const std::vector<std::size_t>& at) const {
  Way way;
  JsonView nodes(text_);
  for (const std::size_t wanted : at) {
    std::size_t index = 0;
    JsonView node;
    for (const JsonItem& item : nodes.elements()) {
      node = item.value;
      if (index++ == wanted) break;
    }
    if (index != wanted + 1) break;
    way.push_back(met(node, wanted));
    nodes = way.back().values[kChildren];
  }
  return way;
}

// `way` must lead to a node of the tree.
Result<void> TaskTree::write_state(const Way& way, TaskState state) {
  TaskChange changed{node_of(way), {}};
  if (changed.node.state == state) return {};
  changed.before = std::exchange(changed.node.state, state);
  const std::string json = JsonWriter().string(changed.node.state.text()).take();
  if (const std::string_view old = way.back().values[kState].raw(); !old.empty()) {
    text_.replace(static_cast<std::size_t>(old.data() - text_.data()), old.size(), json);
  } else {
    std::vector<JsonStep> path = path_to(changed.node.at);
    path.emplace_back("state");
    HOLDFAST_LET(edited, json_set(text_, JsonPath(path), json));
    text_ = std::move(edited);
  }
  changed_.push_back(std::move(changed));
  return {};
}

// Updates the states above `at`, bottom up.
Result<void> TaskTree::settle_above(std::vector<std::size_t> at) {
  for (at.pop_back(); !at.empty(); at.pop_back()) {
    const Way way = way_at(at);
    if (way.size() != at.size()) continue;
    std::vector<Word<TaskState>> children;
    for (const JsonItem& child : way.back().values[kChildren].elements())
      children.emplace_back(text_in(met(child.value, 0).values[kState]));
    HOLDFAST_TRY(write_state(way, aggregate_state(children)));
  }
  return {};
}

std::vector<TaskNode> TaskTree::nodes() const {
  std::vector<TaskNode> all;
  Way way;
  visit(JsonView(text_), way, [&](const Way& at) {
    all.push_back(node_of(at));
    return true;
  });
  return all;
}

std::optional<TaskState> task_state_of(std::string_view written) {
  std::string folded;
  for (const char letter : written) {
    if (letter == '_' || letter == '-' || letter == ' ') continue;
    folded += ascii_lower(letter);
  }
  if (folded == "pending") return TaskState::pending;
  if (folded == "inprogress") return TaskState::in_progress;
  if (folded == "complete" || folded == "completed") return TaskState::complete;
  if (folded == "failed") return TaskState::failed;
  return std::nullopt;
}

bool is_valid_transition(const Word<TaskState>& from, TaskState to) {
  return std::ranges::any_of(kWays, [&](const auto& way) { return from == way.first && to == way.second; });
}

TaskState aggregate_state(const std::vector<Word<TaskState>>& children) {
  const auto count = [&](TaskState state) {
    return std::ranges::count_if(children, [&](const Word<TaskState>& child) { return child == state; });
  };
  const auto complete = count(TaskState::complete);
  if (!children.empty() && complete == std::ssize(children)) return TaskState::complete;
  if (count(TaskState::failed) != 0) return TaskState::failed;
  return complete + count(TaskState::in_progress) != 0 ? TaskState::in_progress : TaskState::pending;
}

Result<void> TaskTree::set_state(std::string_view which, std::string_view state) {
  const auto to = task_state_of(state);
  if (!to) return fail(Code::invalid_argument, "not a task state: " + std::string(state));
  HOLDFAST_LET(way, way_to(which));
  const TaskNode node = node_of(way);
  if (node.children != 0) return fail(Code::invalid_argument, "the state of " + node.id + " follows from its children");
  if (!is_valid_transition(node.state, *to))
    return fail(Code::invalid_argument, "the task " + node.id + " is " + node.state.text() + " and cannot become " +
                                            Word(*to).text() +
                                            "; Pending > InProgress > Complete or Failed, Failed > InProgress");
  HOLDFAST_TRY(write_state(way, *to));
  return settle_above(node.at);
}

Result<void> TaskTree::add(const NewTask& task) {
  TaskNode parent;
  JsonView siblings(text_);
  std::size_t level = 0;
  constexpr std::size_t kLevels = kWords<TaskType>.size();
  if (!task.parent.empty()) {
    HOLDFAST_LET(way, way_to(task.parent));
    parent = node_of(way);
    siblings = way.back().values[kChildren];
    const auto above = parent.type.known();
    level = above ? static_cast<std::size_t>(*above) + 1 : kLevels + 1;
  }
  const std::string type = task.type.empty() && level < kLevels ? std::string(kWords<TaskType>[level]) : task.type;
  const auto known = known_word<TaskType>(type);
  if (!known || (!task.parent.empty() && static_cast<std::size_t>(*known) != level))
    return fail(Code::invalid_argument, task.parent.empty()
                                            ? "not a kind of node: " + type
                                            : "below " + with_article(parent.type.text()) + " there can be no " +
                                                  (type.empty() ? "other task" : type));
  if (task.id.empty() || task.name.empty()) return fail(Code::invalid_argument, "a task needs an id and a name");
  if ((task.id + task.name).find_first_of("\r\n") != std::string::npos || task.name.size() > 4096)
    return fail(Code::invalid_argument, "the id and the name of a task must be one line each");
  std::size_t count = 0;
  for (const JsonItem& sibling : siblings.elements()) {
    ++count;
    if (!sibling.value.find("id").is_string(task.id)) continue;
    parent.ids.push_back(task.id);
    return fail(Code::already_exists, "task " + joined(parent.ids) + " already exists");
  }
  std::vector<JsonStep> path = path_to(parent.at);
  if (!task.parent.empty()) path.emplace_back("children");
  path.emplace_back(count);
  JsonWriter node;
  node.begin_object().key("id").string(task.id).key("name").string(task.name);
  node.key("state").string(Word(TaskState::pending).text());
  node.key("node_type").string(type).key("children").begin_array().end_array().end_object();
  HOLDFAST_LET(edited, json_set(text_, JsonPath(path), node.take()));
  text_ = std::move(edited);
  std::vector<std::size_t> at = parent.at;
  at.push_back(count);
  return settle_above(at);
}

}  // namespace holdfast::inline v1
