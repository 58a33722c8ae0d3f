#include "doors/cli/ask_resume.h"

#include <charconv>

#include "base/time.h"
#include "text/clean.h"
#include "text/trim.h"

namespace holdfast::inline v1 {
namespace {

std::string clean(std::string_view text) { return clean_for_terminal(text, {.one_line = true, .max_bytes = 80}); }

}  // namespace

std::string time_ago(std::chrono::system_clock::time_point then, std::chrono::system_clock::time_point now) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(now - then).count();
  const auto said = [](std::int64_t count, std::string_view unit) {
    return std::to_string(count) + " " + std::string(unit) + (count == 1 ? " ago" : "s ago");
  };
  if (minutes < 1) return "just now";
  if (minutes < 60) return said(minutes, "minute");
  return minutes < 24 * 60 ? said(minutes / 60, "hour") : said(minutes / (24 * 60), "day");
}

std::vector<StartChoice> start_choices(JsonView answer, std::chrono::system_clock::time_point now) {
  std::vector<StartChoice> choices;
  for (const JsonItem& item : answer.find("sessions").elements()) {
    const auto text = [&](std::string_view key) { return clean(item.value.find(key).as_string().value_or("")); };
    StartChoice choice{item.value.find("id").as_string().value_or(""), {}};
    choice.line = clean(choice.id) + "  " + text("phase") + "/" + text("step");
    if (const std::string component = text("component"); !component.empty()) choice.line += "  " + component;
    if (const auto then = parse_iso8601(item.value.find("updated_at").as_string().value_or("")))
      choice.line += "  " + time_ago(*then, now);
    const bool latest = item.value.find("latest").as_bool().value_or(false);
    if (latest) choice.line += "  (latest)";
    choices.insert(latest ? choices.begin() : choices.end(), std::move(choice));
  }
  return choices;
}

std::string start_question(const std::vector<StartChoice>& choices) {
  std::string out = "Incomplete sessions:\n";
  for (std::size_t at = 0; at < choices.size(); ++at)
    out += "  " + std::to_string(at + 1) + "  " + choices[at].line + "\n";
  return out + "Resume which one? Enter a number or an id, or n for a new session [1]: ";
}

std::optional<StartReply> read_start_reply(std::string_view line, const std::vector<StartChoice>& choices) {
  line = trim(line);
  if (line == "n" || line == "N" || line == "no" || line == "fresh") return StartReply{true, {}};
  if (choices.empty()) return std::nullopt;
  if (line.empty()) return StartReply{false, choices.front().id};
  std::size_t number = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
  if (read.ec == std::errc() && read.ptr == line.data() + line.size()) {
    if (number < 1 || number > choices.size()) return std::nullopt;
    return StartReply{false, choices[number - 1].id};
  }
  const StartChoice* found = nullptr;
  for (const StartChoice& choice : choices) {
    if (choice.id == line) return StartReply{false, choice.id};
    if (!choice.id.starts_with(line)) continue;
    if (found != nullptr) return std::nullopt;
    found = &choice;
  }
  return found == nullptr ? std::nullopt : std::optional(StartReply{false, found->id});
}

}  // namespace holdfast::inline v1
