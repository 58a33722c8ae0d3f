#include "store/task_tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/json_edit.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 4> kTypes = {"module", "component", "task", "subtask"};
constexpr std::array<std::string_view, 4> kStates = {"Pending", "InProgress", "Complete", "Failed"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWays = {
    {{"Pending", "InProgress"}, {"InProgress", "Complete"}, {"InProgress", "Failed"}, {"Failed", "InProgress"}}};

std::string text_of(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

void gather(JsonView nodes, const TaskNode& above, std::vector<TaskNode>& all) {
  std::size_t index = 0;
  for (const JsonItem& item : nodes.elements()) {
    TaskNode node;
    node.ids = above.ids;
    node.names = above.names;
    node.at = above.at;
    node.id = text_of(item.value, "id");
    node.name = text_of(item.value, "name");
    node.state = text_of(item.value, "state");
    node.type = text_of(item.value, "node_type");
    node.ids.push_back(node.id);
    node.names.push_back(node.name);
    node.at.push_back(index++);
    const JsonView children = item.value.find("children");
    node.children = static_cast<std::size_t>(std::ranges::distance(children.elements()));
    const TaskNode parent = node;
    all.push_back(std::move(node));
    gather(children, parent, all);
  }
}

std::string joined(const std::vector<std::string>& ids) {
  std::string path;
  for (const std::string& id : ids) path += (path.empty() ? "" : "/") + id;
  return path;
}

Result<TaskNode> node_named(const std::vector<TaskNode>& all, std::string_view which) {
  std::vector<const TaskNode*> found;
  for (const TaskNode& node : all) {
    if (joined(node.ids) == which) return node;
    if (node.id == which) found.push_back(&node);
  }
  if (found.size() == 1) return *found.front();
  if (found.empty()) return fail(Code::not_found, "there is no task " + std::string(which));
  return fail(Code::invalid_argument, std::to_string(found.size()) + " tasks have the id " + std::string(which) +
                                          "; name one as " + joined(found[0]->ids) + " or " + joined(found[1]->ids));
}

std::vector<JsonStep> way_to(const std::vector<std::size_t>& at) {
  std::vector<JsonStep> path;
  for (const std::size_t index : at) {
    if (!path.empty()) path.emplace_back("children");
    path.emplace_back(index);
  }
  return path;
}

Result<void> write_state(TreeChange& tree, const TaskNode& node, std::string_view state) {
  if (node.state == state) return {};
  std::vector<JsonStep> path = way_to(node.at);
  path.emplace_back("state");
  HOLDFAST_LET(edited, json_set(tree.hierarchy, JsonPath(path), JsonWriter().string(state).take()));
  tree.hierarchy = std::move(edited);
  TaskChanged changed{node, node.state};
  changed.node.state = state;
  tree.changed.push_back(std::move(changed));
  return {};
}

// The states above `at`, from below to the top.
Result<void> settle_above(TreeChange& tree, std::vector<std::size_t> at) {
  for (at.pop_back(); !at.empty(); at.pop_back()) {
    std::vector<std::string> children;
    const TaskNode* parent = nullptr;
    const std::vector<TaskNode> all = task_nodes(JsonView(tree.hierarchy));
    for (const TaskNode& node : all) {
      if (node.at == at) parent = &node;
      if (node.at.size() == at.size() + 1 && std::equal(at.begin(), at.end(), node.at.begin()))
        children.push_back(node.state);
    }
    if (parent != nullptr) HOLDFAST_TRY(write_state(tree, *parent, aggregate_state(children)));
  }
  return {};
}

}  // namespace

std::vector<TaskNode> task_nodes(JsonView hierarchy) {
  std::vector<TaskNode> all;
  gather(hierarchy, {}, all);
  return all;
}

std::string_view task_state_of(std::string_view written) {
  std::string folded;
  for (const char letter : written) {
    if (letter == '_' || letter == '-' || letter == ' ') continue;
    folded += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  if (folded == "pending") return kStates[0];
  if (folded == "inprogress") return kStates[1];
  if (folded == "complete" || folded == "completed") return kStates[2];
  if (folded == "failed") return kStates[3];
  return {};
}

bool may_become(std::string_view from, std::string_view to) {
  return std::ranges::find(kWays, std::pair(from, to)) != kWays.end();
}

std::string_view aggregate_state(const std::vector<std::string>& children) {
  const auto has = [&](std::string_view state) { return std::ranges::find(children, state) != children.end(); };
  if (!children.empty() && std::ranges::all_of(children, [](const std::string& state) { return state == "Complete"; }))
    return kStates[2];
  if (has("Failed")) return kStates[3];
  return has("InProgress") || has("Complete") ? kStates[1] : kStates[0];
}

Result<TreeChange> set_task_state(std::string_view hierarchy, std::string_view which, std::string_view state) {
  const std::string_view to = task_state_of(state);
  if (to.empty()) return fail(Code::invalid_argument, "not a state of a task: " + std::string(state));
  TreeChange tree{std::string(hierarchy), {}};
  HOLDFAST_LET(node, node_named(task_nodes(JsonView(hierarchy)), which));
  if (node.children != 0) return fail(Code::invalid_argument, "the state of " + node.id + " follows from its children");
  if (!may_become(node.state, to))
    return fail(Code::invalid_argument, "the task " + node.id + " is " + node.state + " and cannot become " +
                                            std::string(to) +
                                            "; Pending > InProgress > Complete or Failed, Failed > InProgress");
  HOLDFAST_TRY(write_state(tree, node, to));
  HOLDFAST_TRY(settle_above(tree, node.at));
  return tree;
}

Result<TreeChange> add_task(std::string_view hierarchy, const NewTask& task) {
  TreeChange tree{hierarchy.empty() ? "[]" : std::string(hierarchy), {}};
  const std::vector<TaskNode> all = task_nodes(JsonView(tree.hierarchy));
  TaskNode parent;
  std::size_t level = 0;
  if (!task.parent.empty()) {
    HOLDFAST_LET(found, node_named(all, task.parent));
    parent = std::move(found);
    level = static_cast<std::size_t>(std::ranges::find(kTypes, parent.type) - kTypes.begin()) + 1;
  } else {
    parent.children =
        static_cast<std::size_t>(std::ranges::count_if(all, [](const TaskNode& node) { return node.at.size() == 1; }));
  }
  const std::string type = task.type.empty() && level < kTypes.size() ? std::string(kTypes[level]) : task.type;
  const auto known = std::ranges::find(kTypes, type);
  if (known == kTypes.end() || (!task.parent.empty() && static_cast<std::size_t>(known - kTypes.begin()) != level))
    return fail(Code::invalid_argument,
                task.parent.empty() ? "not a kind of node: " + type : "below a " + parent.type + " stands no " + type);
  if (task.id.empty() || task.name.empty()) return fail(Code::invalid_argument, "a task has an id and a name");
  if ((task.id + task.name).find_first_of("\r\n") != std::string::npos || task.name.size() > 4096)
    return fail(Code::invalid_argument, "id and name of a task are one line each");
  for (const TaskNode& node : all) {
    if (node.id == task.id && node.at.size() == parent.at.size() + 1 &&
        std::equal(parent.at.begin(), parent.at.end(), node.at.begin()))
      return fail(Code::already_exists, "there is a task " + joined(node.ids) + " already");
  }
  std::vector<JsonStep> path = way_to(parent.at);
  if (!task.parent.empty()) path.emplace_back("children");
  path.emplace_back(parent.children);
  JsonWriter node;
  node.begin_object().key("id").string(task.id).key("name").string(task.name).key("state").string("Pending");
  node.key("node_type").string(type).key("children").begin_array().end_array().end_object();
  HOLDFAST_LET(edited, json_set(tree.hierarchy, JsonPath(path), node.take()));
  tree.hierarchy = std::move(edited);
  std::vector<std::size_t> at = parent.at;
  at.push_back(parent.children);
  HOLDFAST_TRY(settle_above(tree, at));
  return tree;
}

}  // namespace holdfast::inline v1
