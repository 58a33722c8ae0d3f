#include "doors/mcp/tool_warnings.h"

#include <algorithm>

#include "doors/mcp/quoted_text.h"
#include "text/clean.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMost = 5;
constexpr std::size_t kWidest = 300;
constexpr std::size_t kLeast = 60;
constexpr std::size_t kAround = 60;  // "warnings", "and N more", and the words around the line

// "a record that ends in the middle; left out (FILE, byte 871)": what matters first, in case it is shortened.
std::string finding_words(JsonView finding) {
  std::string what = json_text(finding, "consequence");
  if (what.empty()) what = json_text(finding, "kind");
  std::string where = json_text(finding, "file");
  if (const auto offset = finding.find("offset").as_int64().value_or(0); offset > 0)
    where += ", byte " + std::to_string(offset);
  return where.empty() ? what : what + " (" + where + ")";
}

std::string more_words(std::size_t more) { return "and " + std::to_string(more) + " more"; }

}  // namespace

void ToolWarnings::collect(JsonView answer, const std::function<bool(std::string_view file)>& skips) {
  // What cannot be read first: it may be the only one that is shown.
  for (const std::string_view key : {"findings", "damage"})
    for (const JsonItem& item : answer.find(key).elements())
      if (!skips(json_text(item.value, "file"))) add(finding_words(item.value));
  for (const JsonItem& item : answer.find("warnings").elements()) add(item.value.as_string().value_or(""));
}

void ToolWarnings::add(std::string warning) {
  // A file name may contain anything.
  warning = clean_for_terminal(warning, {.one_line = true});
  if (warning.empty() || std::ranges::find(all_, warning) != all_.end()) return;
  all_.push_back(std::move(warning));
}

std::size_t ToolWarnings::share() const {
  return std::clamp(room_ > kAround ? (room_ - kAround) / 2 : 0, kLeast, kWidest);
}

std::vector<std::string> ToolWarnings::strings() const {
  std::vector<std::string> some;
  std::size_t used = kAround + share();  // the line repeats the first
  for (const std::string& one : all_) {
    std::string words = QuotedText(one).fitted(share());
    used += json_quoted(words).size() + 1;
    if (some.size() == kMost || (!some.empty() && used > room_)) break;
    some.push_back(std::move(words));
  }
  if (some.size() < all_.size()) some.push_back(more_words(all_.size() - some.size()));
  return some;
}

std::string ToolWarnings::line() const {
  if (all_.empty()) return {};
  const std::string first = "warning: " + QuotedText(all_.front()).fitted(share());
  return all_.size() == 1 ? first : first + "; " + more_words(all_.size() - 1);
}

std::size_t ToolWarnings::size() const {
  if (all_.empty()) return 0;
  return with_warnings("{}", *this).size() + line().size();
}

std::string with_warnings(std::string answer, const ToolWarnings& warnings) {
  if (warnings.empty() || !answer.ends_with('}')) return answer;
  JsonWriter json;
  json.begin_array();
  for (const std::string& one : warnings.strings()) json.string(one);
  answer.pop_back();
  if (!answer.ends_with('{')) answer += ',';
  return answer + "\"warnings\":" + json.end_array().take() + "}";
}

}  // namespace holdfast::inline v1
