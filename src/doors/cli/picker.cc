#include "doors/cli/picker.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/utf8.h"
#include "doors/cli/columns.h"
#include "doors/cli/fuzzy.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kAgent = 11, kWhen = 10;

struct Sequence {
  std::string_view bytes;
  PickKey key;
};
constexpr Sequence kSequences[] = {
    {"\x1b[A", PickKey::up},    {"\x1bOA", PickKey::up},       {"\x1b[B", PickKey::down},
    {"\x1bOB", PickKey::down},  {"\x1b[5~", PickKey::page_up}, {"\x1b[6~", PickKey::page_down},
    {"\x1b[H", PickKey::first}, {"\x1bOH", PickKey::first},    {"\x1b[1~", PickKey::first},
    {"\x1b[F", PickKey::last},  {"\x1bOF", PickKey::last},     {"\x1b[4~", PickKey::last},
};

PickKey control_key(char c) {
  switch (c) {
    case '\r':
    case '\n': return PickKey::enter;
    case '\x7f':
    case '\b': return PickKey::erase;
    case '\t': return PickKey::print;
    case '\x15': return PickKey::clear;      // Ctrl-U
    case '\x10': return PickKey::up;         // Ctrl-P
    case '\x0e': return PickKey::down;       // Ctrl-N
    case '\x12': return PickKey::resume;     // Ctrl-R
    case '\x0f': return PickKey::hand_off;   // Ctrl-O
    case '\x03': return PickKey::interrupt;  // Ctrl-C: a raw terminal passes it on
    case '\x07': return PickKey::leave;      // Ctrl-G
    default: return PickKey::none;
  }
}

// Takes an escape sequence from the front: a known one, or one to skip.
PickInput take_sequence(std::string& bytes, bool complete) {
  for (const Sequence& known : kSequences) {
    if (!bytes.starts_with(known.bytes)) continue;
    bytes.erase(0, known.bytes.size());
    return {known.key};
  }
  if (bytes.size() == 1) {
    if (!complete) return {};
    bytes.clear();
    return {PickKey::leave};
  }
  std::size_t end = 2;
  if (bytes[1] == '[')
    while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~')) ++end;
  bytes.erase(0, std::min(bytes.size(), bytes[1] == '[' ? end + 1 : end));
  return {};
}

}  // namespace

PickInput take_key(std::string& bytes, bool complete) {
  if (bytes.empty()) return {};
  const char first = bytes.front();
  if (first == '\x1b') return take_sequence(bytes, complete);
  if (static_cast<unsigned char>(first) < 0x20 || first == '\x7f') {
    bytes.erase(0, 1);
    return {control_key(first)};
  }
  const std::size_t length = std::max<std::size_t>(1, utf8_length(bytes, 0));
  PickInput input{PickKey::text, bytes.substr(0, length)};
  if (utf8_length(bytes, 0) == 0) input = {};
  bytes.erase(0, length);
  return input;
}

namespace {

bool has_word(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return ascii_lower(a) == ascii_lower(b); };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

struct Fit {
  int score = 0;
  bool whole = true;  // every word is in the names literally, or is a prefix of the id
};

// Otherwise the letters of each word are in the title, in order.
std::optional<Fit> fit_of(std::string_view query, const PickRow& row) {
  constexpr int kId = 100;
  Fit fit;
  while (!query.empty()) {
    const std::string_view word = query.substr(0, query.find(' '));
    query.remove_prefix(std::min(query.size(), word.size() + 1));
    if (word.empty()) continue;
    if (row.id.starts_with(word)) {
      fit.score += kId;
      continue;
    }
    const bool whole = has_word(row.search, word);
    const auto score = fuzzy_score(word, whole ? row.search : row.title);
    if (!score) return std::nullopt;
    fit.score += *score;
    fit.whole = fit.whole && whole;
  }
  return fit;
}

}  // namespace

Picker::Picker(std::vector<PickRow> rows) : rows_(std::move(rows)) { filter(); }

void Picker::filter() {
  std::vector<std::pair<int, std::size_t>> whole, loose;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (const auto fit = fit_of(query_, rows_[i])) (fit->whole ? whole : loose).emplace_back(-fit->score, i);
  }
  std::ranges::sort(whole);  // equal rows stay newest first
  std::ranges::sort(loose);
  fitting_.clear();
  std::vector<bool> taken(rows_.size());
  const auto take = [&](std::size_t row) {
    if (!taken[row]) fitting_.push_back(row);
    taken[row] = true;
  };
  for (const auto& [score, row] : whole) take(row);
  for (const std::size_t row : inside_) take(row);
  for (const auto& [score, row] : loose) take(row);
}

void Picker::typed() {
  inside_.clear();
  filter();
  at_ = top_ = 0;
  moved_ = false;
}

void Picker::set_content_matches(std::vector<std::size_t> rows) {
  const std::size_t before = chosen();
  inside_ = std::move(rows);
  filter();
  const auto same = moved_ ? std::ranges::find(fitting_, before) : fitting_.end();
  at_ = same == fitting_.end() ? 0 : static_cast<std::size_t>(same - fitting_.begin());
  move(0);
}

void Picker::move(std::ptrdiff_t by) {
  if (fitting_.empty()) return;
  const auto last = static_cast<std::ptrdiff_t>(fitting_.size()) - 1;
  at_ = static_cast<std::size_t>(std::clamp(static_cast<std::ptrdiff_t>(at_) + by, std::ptrdiff_t{0}, last));
  const std::size_t lines = std::max<std::size_t>(1, list_lines());
  top_ = std::clamp(top_, at_ + 1 > lines ? at_ + 1 - lines : 0, at_);
}

Picker::Outcome Picker::press(const PickInput& input) {
  const auto page = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, list_lines()));
  moved_ = moved_ || (input.key >= PickKey::up && input.key <= PickKey::last);
  switch (input.key) {
    case PickKey::up: move(-1); break;
    case PickKey::down: move(1); break;
    case PickKey::page_up: move(-page); break;
    case PickKey::page_down: move(page); break;
    case PickKey::first: move(-static_cast<std::ptrdiff_t>(rows_.size())); break;
    case PickKey::last: move(static_cast<std::ptrdiff_t>(rows_.size())); break;
    case PickKey::enter: return chosen() == npos ? Outcome::stay : Outcome::show;
    case PickKey::print: return chosen() == npos ? Outcome::stay : Outcome::print;
    case PickKey::resume: return chosen() == npos ? Outcome::stay : Outcome::resume;
    case PickKey::hand_off: return chosen() == npos ? Outcome::stay : Outcome::hand_off;
    case PickKey::interrupt: return Outcome::interrupted;
    case PickKey::leave: return Outcome::leave;
    case PickKey::clear: query_.clear(), typed(); break;
    case PickKey::erase:
      while (!query_.empty() && (static_cast<unsigned char>(query_.back()) & 0xC0) == 0x80) query_.pop_back();
      if (!query_.empty()) query_.pop_back();
      typed();
      break;
    case PickKey::text:
      query_ += input.text;
      typed();
      break;
    case PickKey::none: break;
  }
  return Outcome::stay;
}

void Picker::resize(std::size_t columns, std::size_t lines) {
  columns_ = std::max<std::size_t>(columns, 10);
  lines_ = std::max<std::size_t>(lines, 3);
  move(0);
}

std::size_t Picker::chosen() const { return at_ < fitting_.size() ? fitting_[at_] : npos; }

std::size_t Picker::list_columns() const { return beside() ? columns_ * 9 / 20 : columns_; }
std::size_t Picker::list_lines() const {
  const std::size_t body = lines_ - 2;
  return beside() || body < 8 ? body : body / 2;
}
std::size_t Picker::preview_columns() const {
  if (beside()) return columns_ - list_columns() - 3;
  return preview_lines() == 0 ? 0 : columns_;
}
std::size_t Picker::preview_lines() const {
  if (beside()) return lines_ - 2;
  return lines_ - 2 < 8 ? 0 : lines_ - 2 - list_lines() - 1;
}

std::string Picker::list_line(std::size_t at, bool colour) const {
  if (at >= fitting_.size()) return std::string(list_columns(), ' ');
  const PickRow& row = rows_[fitting_[at]];
  const std::string mark = at == at_ ? "> " : "  ";
  const std::string line = pad_columns(
      mark + pad_columns(row.when, kWhen) + " " + pad_columns(row.agent, kAgent) + " " + row.title, list_columns());
  return colour && at == at_ ? "\x1b[7m" + line + "\x1b[0m" : line;
}

std::string Picker::picture(const std::vector<std::string>& preview, bool colour) const {
  const auto dim = [&](const std::string& text) { return colour ? "\x1b[2m" + text + "\x1b[0m" : text; };
  const auto preview_line = [&](std::size_t i) { return i < preview.size() ? preview[i] : std::string(); };
  std::vector<std::string> lines;
  lines.push_back(pad_columns(
      fmt::format("> {}  {}/{}{}", query_, fitting_.size(), rows_.size(), searching_ ? "  searching…" : ""), columns_));
  for (std::size_t i = 0; i < list_lines(); ++i) {
    std::string line = list_line(top_ + i, colour);
    if (beside()) line += " " + dim("│") + " " + pad_columns(preview_line(i), preview_columns());
    lines.push_back(std::move(line));
  }
  if (!beside() && preview_lines() > 0) {
    std::string rule;
    for (std::size_t i = 0; i < columns_; ++i) rule += "─";
    lines.push_back(dim(rule));
    for (std::size_t i = 0; i < preview_lines(); ++i) lines.push_back(pad_columns(preview_line(i), columns_));
  }
  // The most useful keys fit into 80 columns.
  constexpr std::string_view kKeys =
      "type to filter · enter opens · ^r resumes · ^o other agent · tab id · esc quits · ^u clears";
  lines.push_back(dim(fit_columns(words_.empty() ? kKeys : words_, columns_)));
  // Clear each line before writing it: after a line that fills all columns, the cursor is still on the last column.
  std::string out = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : "\r\n") + ("\x1b[2K" + lines[i]);
  return out;
}

}  // namespace holdfast::inline v1
