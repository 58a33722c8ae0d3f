#include "rules/initiative/milestones.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/safe_name.h"
#include "text/checklist.h"
#include "text/markdown_lines.h"
#include "text/markdown_sections.h"

namespace holdfast::inline v1 {
namespace {

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::ranges::equal(text.substr(0, word.size()), word, [](char a, char b) { return ascii_lower(a) == b; });
}

std::string first_paragraph(std::string_view text) {
  std::string paragraph;
  for (const MarkdownLine& line : markdown_lines(text)) {
    if (line.code || line.text.starts_with('#') || line.text.starts_with('>')) continue;
    if (line.blank && !paragraph.empty()) break;
    if (line.blank) continue;
    if (!paragraph.empty()) paragraph += ' ';
    paragraph += line.text;
  }
  return paragraph;
}

}  // namespace

std::string_view MilestoneFile::state() const {
  if (boxes == 0) return {};
  if (done == boxes) return "completed";
  return done == 0 ? "pending" : "in_progress";
}

std::optional<int> milestone_number(std::string_view word) {
  if (starts_with_word(word, "milestone-")) {
    word.remove_prefix(10);
  } else if (starts_with_word(word, "m")) {
    word.remove_prefix(1);
  } else {
    return std::nullopt;
  }
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(word.data() + word.size() - end));
  if (!rest.empty() && rest.front() != '-' && rest.front() != '_' && rest.front() != '.') return std::nullopt;
  return number;
}

Result<std::optional<MilestoneFolder>> read_milestones(Feed& feed, const Place& folder) {
  HOLDFAST_LET(entries, feed.list(folder));
  MilestoneFolder found;
  found.name = folder.path.substr(folder.path.rfind('/') + 1);
  bool any = false;
  for (const FeedEntry& entry : entries) {
    any = any || !entry.directory;
    if (entry.directory || !entry.name.ends_with(".md")) continue;
    const Place file{folder.root, folder.path + "/" + entry.name};
    const auto number = milestone_number(std::string_view(entry.name).substr(0, entry.name.size() - 3));
    if (!number && entry.name != "README.md") continue;
    HOLDFAST_LET(text, feed.document(file));
    if (!text) continue;
    if (!number) {
      const auto headings = markdown_headings(*text);
      if (!headings.empty()) found.title = headings.front().text;
      found.summary = first_paragraph(*text);
      continue;
    }
    MilestoneFile milestone{"M" + std::to_string(*number), file.path};
    for (const ChecklistItem& item : checklist(*text)) {
      ++milestone.boxes;
      if (item.marker == 'x' || item.marker == 'X') ++milestone.done;
    }
    found.milestones.push_back(std::move(milestone));
  }
  if (!any) return std::nullopt;
  std::ranges::sort(found.milestones, [](const MilestoneFile& a, const MilestoneFile& b) {
    return *milestone_number(a.key) < *milestone_number(b.key);
  });
  return found;
}

Result<std::vector<MilestoneFolder>> scan_milestones(Feed& feed, const Place& active) {
  std::vector<MilestoneFolder> all;
  HOLDFAST_LET(entries, feed.list(active));
  for (const FeedEntry& entry : entries) {
    if (!entry.directory || !is_plain_name(entry.name)) continue;
    HOLDFAST_LET(folder, read_milestones(feed, {active.root, active.path + "/" + entry.name}));
    if (folder) all.push_back(std::move(*folder));
  }
  return all;
}

}  // namespace holdfast::inline v1
