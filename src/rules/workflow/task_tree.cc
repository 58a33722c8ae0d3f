#include "rules/workflow/task_tree.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "layout/json_pick.h"
#include "text/json_edit.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<std::string_view, 4> kTypes = {"module", "component", "task", "subtask"};
constexpr std::array<std::string_view, 4> kStates = {"Pending", "InProgress", "Complete", "Failed"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWays = {
    {{"Pending", "InProgress"}, {"InProgress", "Complete"}, {"InProgress", "Failed"}, {"Failed", "InProgress"}}};

enum NodeKey : std::size_t { kId, kName, kState, kType, kChildren };

// A node on the way down, where it lies.
struct Met {
  std::size_t index = 0;  // among its siblings
  std::array<JsonView, 5> values = {};
};
using Way = std::vector<Met>;

Met met(JsonView node, std::size_t index) {
  constexpr std::array<std::string_view, 5> kKeys = {"id", "name", "state", "node_type", "children"};
  return {index, pick(node, kKeys)};
}

// Every node, each before its children, by the way to it; until `visit` says false.
template <typename Visit>
bool visit_nodes(JsonView nodes, Way& way, const Visit& visit) {
  std::size_t index = 0;
  for (const JsonItem& item : nodes.elements()) {
    way.push_back(met(item.value, index++));
    const JsonView children = way.back().values[kChildren];
    if (!visit(way) || !visit_nodes(children, way, visit)) return false;
    way.pop_back();
  }
  return true;
}

TaskNode node_of(const Way& way) {
  TaskNode node;
  for (const Met& each : way) {
    node.ids.push_back(text_of(each.values[kId]));
    node.names.push_back(text_of(each.values[kName]));
    node.at.push_back(each.index);
  }
  node.id = node.ids.back();
  node.name = node.names.back();
  node.state = text_of(way.back().values[kState]);
  node.type = text_of(way.back().values[kType]);
  node.children = static_cast<std::size_t>(std::ranges::distance(way.back().values[kChildren].elements()));
  return node;
}

std::string joined(const std::vector<std::string>& ids) {
  std::string path;
  for (const std::string& id : ids) path += (path.empty() ? "" : "/") + id;
  return path;
}

// Whether `which` names the node by the ids from the top.
bool is_path(const Way& way, std::string_view which) {
  if (way.size() == 1) return way.back().values[kId].is_string(which);
  return which.find('/') != std::string_view::npos && joined(node_of(way).ids) == which;
}

Result<Way> way_to(JsonView hierarchy, std::string_view which) {
  std::vector<Way> found;
  Way way;
  const bool missed = visit_nodes(hierarchy, way, [&](const Way& at) {
    if (is_path(at, which)) return false;
    if (at.back().values[kId].is_string(which)) found.push_back(at);
    return true;
  });
  if (!missed) return way;
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) return fail(Code::not_found, "there is no task " + std::string(which));
  return fail(Code::invalid_argument, std::to_string(found.size()) + " tasks have the id " + std::string(which) +
                                          "; name one as " + joined(node_of(found[0]).ids) + " or " +
                                          joined(node_of(found[1]).ids));
}

// By the indexes from the top, as far as they lead.
Way way_at(JsonView hierarchy, std::span<const std::size_t> at) {
  Way way;
  JsonView nodes = hierarchy;
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

std::vector<JsonStep> path_to(const std::vector<std::size_t>& at) {
  std::vector<JsonStep> path;
  for (const std::size_t index : at) {
    if (!path.empty()) path.emplace_back("children");
    path.emplace_back(index);
  }
  return path;
}

// `way` leads to a node of the tree.
Result<void> write_state(TreeChange& tree, const Way& way, std::string_view state) {
  TaskChanged changed{node_of(way), {}};
  if (changed.node.state == state) return {};
  changed.before = std::exchange(changed.node.state, std::string(state));
  const std::string json = JsonWriter().string(state).take();
  if (const std::string_view old = way.back().values[kState].raw(); !old.empty()) {
    tree.hierarchy.replace(static_cast<std::size_t>(old.data() - tree.hierarchy.data()), old.size(), json);
  } else {
    std::vector<JsonStep> path = path_to(changed.node.at);
    path.emplace_back("state");
    HOLDFAST_LET(edited, json_set(tree.hierarchy, JsonPath(path), json));
    tree.hierarchy = std::move(edited);
  }
  tree.changed.push_back(std::move(changed));
  return {};
}

// The states above `at`, from below to the top.
Result<void> settle_above(TreeChange& tree, std::vector<std::size_t> at) {
  for (at.pop_back(); !at.empty(); at.pop_back()) {
    const Way way = way_at(JsonView(tree.hierarchy), at);
    if (way.size() != at.size()) continue;
    std::vector<std::string> children;
    for (const JsonItem& child : way.back().values[kChildren].elements())
      children.push_back(text_of(met(child.value, 0).values[kState]));
    HOLDFAST_TRY(write_state(tree, way, aggregate_state(children)));
  }
  return {};
}

}  // namespace

std::vector<TaskNode> task_nodes(JsonView hierarchy) {
  std::vector<TaskNode> all;
  Way way;
  visit_nodes(hierarchy, way, [&](const Way& at) {
    all.push_back(node_of(at));
    return true;
  });
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
  HOLDFAST_LET(way, way_to(JsonView(tree.hierarchy), which));
  const TaskNode node = node_of(way);
  if (node.children != 0) return fail(Code::invalid_argument, "the state of " + node.id + " follows from its children");
  if (!may_become(node.state, to))
    return fail(Code::invalid_argument, "the task " + node.id + " is " + node.state + " and cannot become " +
                                            std::string(to) +
                                            "; Pending > InProgress > Complete or Failed, Failed > InProgress");
  HOLDFAST_TRY(write_state(tree, way, to));
  HOLDFAST_TRY(settle_above(tree, node.at));
  return tree;
}

Result<TreeChange> add_task(std::string_view hierarchy, const NewTask& task) {
  TreeChange tree{hierarchy.empty() ? "[]" : std::string(hierarchy), {}};
  TaskNode parent;
  JsonView siblings(tree.hierarchy);
  std::size_t level = 0;
  if (!task.parent.empty()) {
    HOLDFAST_LET(way, way_to(siblings, task.parent));
    parent = node_of(way);
    siblings = way.back().values[kChildren];
    level = static_cast<std::size_t>(std::ranges::find(kTypes, parent.type) - kTypes.begin()) + 1;
  }
  const std::string type = task.type.empty() && level < kTypes.size() ? std::string(kTypes[level]) : task.type;
  const auto known = std::ranges::find(kTypes, type);
  if (known == kTypes.end() || (!task.parent.empty() && static_cast<std::size_t>(known - kTypes.begin()) != level))
    return fail(Code::invalid_argument,
                task.parent.empty() ? "not a kind of node: " + type : "below a " + parent.type + " stands no " + type);
  if (task.id.empty() || task.name.empty()) return fail(Code::invalid_argument, "a task has an id and a name");
  if ((task.id + task.name).find_first_of("\r\n") != std::string::npos || task.name.size() > 4096)
    return fail(Code::invalid_argument, "id and name of a task are one line each");
  std::size_t count = 0;
  for (const JsonItem& sibling : siblings.elements()) {
    ++count;
    if (!sibling.value.find("id").is_string(task.id)) continue;
    parent.ids.push_back(task.id);
    return fail(Code::already_exists, "there is a task " + joined(parent.ids) + " already");
  }
  std::vector<JsonStep> path = path_to(parent.at);
  if (!task.parent.empty()) path.emplace_back("children");
  path.emplace_back(count);
  JsonWriter node;
  node.begin_object().key("id").string(task.id).key("name").string(task.name).key("state").string("Pending");
  node.key("node_type").string(type).key("children").begin_array().end_array().end_object();
  HOLDFAST_LET(edited, json_set(tree.hierarchy, JsonPath(path), node.take()));
  tree.hierarchy = std::move(edited);
  std::vector<std::size_t> at = parent.at;
  at.push_back(count);
  HOLDFAST_TRY(settle_above(tree, at));
  return tree;
}

}  // namespace holdfast::inline v1
