#include "model/plan.h"

#include <algorithm>
#include <map>

#include "text/checklist.h"
#include "text/markdown_sections.h"
#include "text/trim.h"
#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kMarkers = " ~x-";  // indexed by ItemStatus

ItemStatus status_of_marker(char marker) {
  const std::size_t at = kMarkers.find(marker == 'X' ? 'x' : marker);
  return at == std::string_view::npos ? ItemStatus::pending : static_cast<ItemStatus>(at);
}

char marker_of(ItemStatus status) { return kMarkers[static_cast<std::size_t>(status)]; }

// Joins lines: a title with a line break would be read back differently.
std::string one_line(std::string_view text) {
  std::string out;
  for (const char letter : trim(text)) {
    const bool space = letter == '\n' || letter == '\r' || letter == '\t';
    if (!space) {
      out += letter;
    } else if (!out.ends_with(' ')) {
      out += ' ';
    }
  }
  return out;
}

template <typename Take>
void each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string description_of(std::string_view doc, const ChecklistItem& item) {
  const std::string_view lines = doc.substr(item.description_at, item.description_end - item.description_at);
  std::size_t indent = std::string_view::npos;  // of the least indented line
  each_line(lines, [&](std::string_view line) {
    if (!trim(line).empty()) indent = std::min(indent, line.find_first_not_of(" \t"));
  });
  std::string text;
  each_line(lines, [&](std::string_view line) {
    if (!text.empty()) text += '\n';
    text += line.substr(std::min(indent, line.size()));
  });
  return text;
}

std::string spell_description(std::string_view text, std::string_view indent, std::string_view newline) {
  std::string out;
  each_line(text, [&](std::string_view line) {
    if (!trim(line).empty()) out.append(indent).append(line);
    out.append(newline);
  });
  return out;
}

std::string spell_item(const PlanItem& item, std::string_view newline) {
  const std::string indent(item.depth * 2, ' ');
  std::string out = indent + "- [" + marker_of(item.status) + "] " + one_line(item.title) + std::string(newline);
  return out + spell_description(item.description, indent + "  ", newline);
}

// A nested item is indented more than an item above it.
std::vector<std::size_t> depths(const std::vector<ChecklistItem>& items) {
  std::vector<std::size_t> depth, open;
  for (const ChecklistItem& item : items) {
    while (!open.empty() && open.back() >= item.indent) open.pop_back();
    depth.push_back(open.size());
    open.push_back(item.indent);
  }
  return depth;
}

std::vector<PlanItem> read_items(std::string_view doc, const std::vector<ChecklistItem>& items) {
  const std::vector<std::size_t> depth = depths(items);
  std::vector<PlanItem> plan;
  for (std::size_t i = 0; i < items.size(); ++i) {
    plan.push_back(
        {std::string(trim(items[i].text)), status_of_marker(items[i].marker), description_of(doc, items[i]), depth[i]});
  }
  return plan;
}

// For each change, the item that it refers to; the n-th of equal titles is the n-th item.
std::vector<std::optional<std::size_t>> matches(const std::vector<PlanItem>& items,
                                                std::span<const ItemChange> changes) {
  std::map<std::string, std::size_t> used;
  std::vector<std::optional<std::size_t>> found;
  for (const ItemChange& change : changes) {
    const std::string title = one_line(change.title);
    std::size_t skip = used[title]++;
    std::optional<std::size_t> match;
    for (std::size_t i = 0; i < items.size() && !match; ++i) {
      if (items[i].title == title && skip-- == 0) match = i;
    }
    found.push_back(match);
  }
  return found;
}

// Works from the last item to the first, so earlier offsets stay valid.
Result<std::string> merge(std::string_view markdown, const std::vector<ChecklistItem>& lines,
                          const std::vector<PlanItem>& items, std::span<const ItemChange> changes,
                          const std::vector<std::optional<std::size_t>>& found) {
  std::map<std::size_t, const ItemChange*, std::greater<>> by_item;
  for (std::size_t i = 0; i < changes.size(); ++i) by_item[*found[i]] = &changes[i];
  std::string now(markdown);
  for (const auto& [index, change] : by_item) {
    const ChecklistItem& line = lines[index];
    if (change->description && *change->description != items[index].description) {
      const std::string indent(line.indent_chars + 2, ' ');
      const std::string_view newline = line_break_of(markdown);
      std::string text = spell_description(*change->description, indent, newline);
      if (line.description_at > 0 && now[line.description_at - 1] != '\n') text.insert(0, newline);
      now.replace(line.description_at, line.description_end - line.description_at, text);
    }
    if (change->status && *change->status != items[index].status) {
      HOLDFAST_LET(marked, set_marker(now, line, marker_of(*change->status)));
      now = std::move(marked);
    }
  }
  return now;
}

std::string replace_list(std::string_view markdown, const std::vector<ChecklistItem>& lines,
                         const std::vector<PlanItem>& items, std::span<const ItemChange> changes,
                         const std::vector<std::optional<std::size_t>>& found) {
  const std::string_view newline = line_break_of(markdown);
  std::string list;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    PlanItem item{.title = changes[i].title, .depth = changes[i].depth};
    if (found[i]) item = items[*found[i]];
    if (changes[i].status) item.status = *changes[i].status;
    if (changes[i].description) item.description = *changes[i].description;
    list += spell_item(item, newline);
  }
  std::string now(markdown);
  for (std::size_t i = lines.size(); i-- > 0;) {
    now.erase(lines[i].at, lines[i].description_end - lines[i].at);
  }
  std::size_t at = lines.empty() ? now.size() : lines.front().at;
  if (at > 0 && now[at - 1] != '\n') {
    now.insert(at, newline);
    at += newline.size();
  }
  return now.insert(at, list);
}

Result<std::string> complete_if_done(std::string markdown) {
  const Plan plan = read_plan(markdown);
  const bool done = std::ranges::all_of(plan.items, [](const PlanItem& item) {
    return item.status == ItemStatus::done || item.status == ItemStatus::skipped;
  });
  if (plan.status != PlanStatus::executing || plan.items.empty() || !done) return markdown;
  return set_plan_status(markdown, Word(PlanStatus::completed).text());
}

Failure not_the_same(const std::string& what) {
  return fail(Code::invalid_argument,
              what + " cannot be kept in the Markdown of a plan: it would be read as something else");
}

Result<void> check_item(const ItemChange& wanted, const PlanItem& there, bool with_depth) {
  const std::string of = " of the item \"" + wanted.title + "\"";
  if (there.title != wanted.title) return not_the_same("the title" + of);
  if (wanted.status && there.status != *wanted.status) return not_the_same("the status" + of);
  if (wanted.description && there.description != *wanted.description) return not_the_same("the description" + of);
  if (with_depth && there.depth != wanted.depth) return not_the_same("depth " + std::to_string(wanted.depth) + of);
  return {};
}

// Checks that `markdown` contains the changes: each in its item, and no unexpected items.
Result<void> check_changes(std::string_view markdown, std::size_t count, std::span<const ItemChange> changes,
                           const std::vector<std::optional<std::size_t>>& before) {
  const std::vector<PlanItem> items = read_items(markdown, checklist(markdown));
  const auto now = matches(items, changes);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!now[i]) return not_the_same("the title of the item \"" + changes[i].title + "\"");
    HOLDFAST_TRY(check_item(changes[i], items[*now[i]], !before[i]));
  }
  if (items.size() != count) return not_the_same("the list of items");
  return {};
}

}  // namespace

Plan read_plan(std::string_view markdown) {
  Plan plan;
  const auto headings = markdown_headings(markdown);
  if (!headings.empty()) {
    std::string_view text = headings.front().text;
    if (text.starts_with("Plan:")) text = trim(text.substr(5));
    plan.summary = text;
  }
  const auto status = label_value(markdown, "Status");
  plan.status = known_word<PlanStatus>(status ? status->value : "").value_or(PlanStatus::executing);
  const auto origin = label_value(markdown, "Origin");
  plan.origin = known_word<PlanOrigin>(origin ? origin->value : "").value_or(PlanOrigin::model_managed);
  plan.items = read_items(markdown, checklist(markdown));
  return plan;
}

Result<void> check_round_trip(const Plan& given, std::string_view markdown) {
  const Plan read = read_plan(markdown);
  if (read.summary != given.summary) return not_the_same("the summary \"" + given.summary + "\"");
  for (std::size_t i = 0; i < given.items.size() && i < read.items.size(); ++i) {
    const PlanItem &wanted = given.items[i], &there = read.items[i];
    HOLDFAST_TRY(check_item({wanted.title, wanted.status, wanted.description, wanted.depth}, there, true));
  }
  if (read.items.size() != given.items.size()) return not_the_same("the list of items");
  return {};
}

std::string format_plan(const Plan& plan) {
  std::string out = "# Plan: " + one_line(plan.summary) + "\n\n**Status:** " + plan.status.text() + "\n\n**Origin:** " +
                    plan.origin.text() + "\n\n";
  for (const PlanItem& item : plan.items) out += spell_item(item, "\n");
  return out;
}

Result<std::string> set_plan_status(std::string_view markdown, std::string_view status) {
  if (!known_word<PlanStatus>(status))
    return fail(Code::invalid_argument,
                "the status of a plan must be planned, approved, executing or completed, not " + std::string(status));
  if (const auto label = label_value(markdown, "Status"); label && label->value == status) return std::string(markdown);
  auto set = set_label(markdown, "Status", status);
  if (set || set.error().code != Code::not_found) return set;
  const auto headings = markdown_headings(markdown);
  const std::size_t at = headings.empty() ? 0 : headings.front().body_at;
  const std::string newline(line_break_of(markdown));
  std::string now(markdown);
  if (at > 0 && now[at - 1] != '\n') now += newline;
  return now.insert(std::min(at == 0 ? 0 : std::max(at, std::size_t{1}), now.size()),
                    newline + "**Status:** " + std::string(status) + newline);
}

Result<std::string> update_items(std::string_view markdown, std::span<const ItemChange> changes) {
  for (const ItemChange& change : changes) {
    if (one_line(change.title).empty()) return fail(Code::invalid_argument, "an item of a plan needs a title");
  }
  const std::vector<ChecklistItem> lines = checklist(markdown);
  const std::vector<PlanItem> items = read_items(markdown, lines);
  const auto found = matches(items, changes);
  const bool all_known = std::ranges::all_of(found, [](const auto& match) { return match.has_value(); });
  if (!all_known) {
    std::string replaced = replace_list(markdown, lines, items, changes, found);
    HOLDFAST_TRY(check_changes(replaced, changes.size(), changes, found));
    return complete_if_done(std::move(replaced));
  }
  HOLDFAST_LET(merged, merge(markdown, lines, items, changes, found));
  HOLDFAST_TRY(check_changes(merged, items.size(), changes, found));
  return complete_if_done(std::move(merged));
}

Result<std::string> finish_items(std::string_view markdown) {
  std::string now(markdown);
  for (const ChecklistItem& line : checklist(markdown)) {
    const ItemStatus status = status_of_marker(line.marker);
    if (status == ItemStatus::done || status == ItemStatus::skipped) continue;
    now[line.marker_at] = marker_of(ItemStatus::done);
  }
  return complete_if_done(std::move(now));
}

}  // namespace holdfast::inline v1
