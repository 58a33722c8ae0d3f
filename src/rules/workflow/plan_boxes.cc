#include "rules/workflow/plan_boxes.h"

#include <algorithm>

#include "text/checklist.h"
#include "text/markdown_sections.h"
#include "text/trim.h"

namespace holdfast::inline v1 {
namespace {

struct Box {
  ChecklistItem item;
  std::vector<std::string_view> above;  // enclosing headings and boxes, outermost first
};

std::vector<Box> boxes_of(std::string_view plan) {
  const std::vector<MarkdownHeading> headings = markdown_headings(plan);
  std::vector<Box> boxes;
  std::vector<const ChecklistItem*> open;
  const std::vector<ChecklistItem> items = checklist(plan);
  for (const ChecklistItem& item : items) {
    while (!open.empty() && open.back()->indent >= item.indent) open.pop_back();
    Box box{item, {}};
    for (const MarkdownHeading& heading : headings) {
      if (heading.body_at <= item.at && item.at < heading.tree_end) box.above.push_back(trim(heading.text));
      // A list under another heading is a different list.
      if (!open.empty() && heading.at > open.front()->at && heading.at < item.at) open.clear();
    }
    for (const ChecklistItem* outer : open) box.above.push_back(trim(outer->text));
    boxes.push_back(std::move(box));
    open.push_back(&item);
  }
  return boxes;
}

// Returns how many ancestors of a task match the headings and boxes around a box, from the inside out.
std::size_t agreement(const Box& box, const TaskNode& node) {
  std::size_t met = 0;
  std::size_t level = box.above.size();
  for (std::size_t at = node.names.size() - 1; at-- > 0;) {
    for (std::size_t outer = level; outer-- > 0;) {
      if (box.above[outer] != node.names[at] && box.above[outer] != node.ids[at]) continue;
      ++met;
      level = outer;
      break;
    }
  }
  return met;
}

// Returns the boxes that may be the task's, in order: several if they cannot be distinguished.
std::vector<std::size_t> boxes_for(const std::vector<Box>& boxes, const TaskNode& node) {
  std::vector<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t at = 0; at < boxes.size(); ++at) {
    const std::string_view text = trim(boxes[at].item.text);
    if (text != node.name && text != node.id) continue;
    const std::size_t met = agreement(boxes[at], node);
    if (met > most) best.clear();
    if (met >= most) best.push_back(at);
    most = std::max(most, met);
  }
  return best;
}

const Box* box_of(const std::vector<Box>& boxes, const TaskTree& tree, const TaskNode& node) {
  const std::vector<std::size_t> mine = boxes_for(boxes, node);
  if (mine.size() < 2) return mine.empty() ? nullptr : &boxes[mine.front()];
  // Tasks that cannot be distinguished get the boxes in their own order.
  std::size_t rank = 0;
  for (const TaskNode& other : tree.nodes()) {
    if (other.at == node.at) break;
    if (boxes_for(boxes, other) == mine) ++rank;
  }
  return rank < mine.size() ? &boxes[mine[rank]] : nullptr;
}

}  // namespace

Result<TickedPlan> tick_plan(std::string_view plan, const TaskTree& tree) {
  TickedPlan ticked{std::string(plan), 0};
  const std::vector<Box> boxes = boxes_of(plan);
  for (const TaskChange& change : tree.changed()) {
    const bool done = change.node.state == TaskState::complete;
    if (done == (change.before == TaskState::complete)) continue;
    const Box* box = box_of(boxes, tree, change.node);
    if (box == nullptr || (box->item.marker == 'x' || box->item.marker == 'X') == done) continue;
    HOLDFAST_LET(text, set_marker(ticked.text, box->item, done ? 'x' : ' '));
    ticked.text = std::move(text);
    ++ticked.boxes;
  }
  return ticked;
}

}  // namespace holdfast::inline v1
