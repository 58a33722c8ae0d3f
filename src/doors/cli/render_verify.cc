#include "doors/cli/render_verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/sort_stably.h"
#include "doors/cli/answer_notes.h"
#include "doors/cli/columns.h"
#include "doors/cli/render_cells.h"
#include "text/json_text.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

// Logs and documents have offsets, databases rows; findings about a whole file, or a row named in the text, neither.
std::string where_of(JsonView place, std::string_view file) {
  const std::uint64_t offset = json_count(place, "offset");
  if (!has_file_position(place)) return "";
  const bool database = file.ends_with(".db") || file.ends_with(".sqlite");
  return fmt::format("{} {}", database ? "row" : "at", offset);
}

// Places grouped by session and file: where, what, and the consequence.
class Places {
 public:
  explicit Places(const RenderStyle& style) : style_(style) {}

  void add(JsonView place) {
    std::string session = line_of(place.find("session")), file = line_of(place.find("file"), 1000);
    const std::string store = line_of(place.find("store"));
    if (session != session_ || store != store_ || out_.empty()) {
      const std::string layout = store.substr(0, store.find(':'));
      out_ += "\n" + painted(style_.colour, "1;36", session.empty() ? store : session) +
              (session.empty() ? "" : "  " + layout) + "\n";
      file_.clear();
    }
    if (file != file_) out_ += "  " + (style_.width == 0 ? file : fit_end(file, style_.width - 2)) + "\n";
    session_ = std::move(session), file_ = std::move(file), store_ = store;
    const std::string where = where_of(place, file_);
    const std::string head = fmt::format("    {:<10}  {:<14}  ", where, line_of(place.find("kind")));
    out_ += wrapped(head, line_of(place.find("consequence"), 1000), style_.width);
  }
  std::string take() { return std::move(out_); }

 private:
  const RenderStyle& style_;
  std::string session_, store_, file_, out_;
};

struct NoteKind {
  std::string_view kind, meaning;
};
constexpr NoteKind kNoteKinds[] = {
    {"open_call", "a tool was called, but nothing follows the call"},
    {"in_flight", "the last line is being written, or was cut off"},
    {"no_newline", "the last line has no newline"},
};

// The number of each kind, the most frequent first, with an example. The answer may list only the first notes.
std::string note_lines(JsonView answer, std::uint64_t total, const RenderStyle& style) {
  struct Kind {
    std::string name, example;
    std::uint64_t count = 0;
  };
  std::vector<Kind> kinds;
  std::uint64_t listed = 0;
  for (const JsonItem& item : answer.find("notes").elements()) {
    const std::string name = line_of(item.value.find("kind"));
    auto at = std::ranges::find(kinds, name, &Kind::name);
    if (at == kinds.end()) {
      const auto known = std::ranges::find(kNoteKinds, name, &NoteKind::kind);
      const std::string text =
          known != std::end(kNoteKinds) ? std::string(known->meaning) : line_of(item.value.find("consequence"), 300);
      const std::string session = line_of(item.value.find("session"));
      const std::string where = session.empty() ? line_of(item.value.find("file")) : session;
      std::string told = text;
      if (!where.empty()) told.append(", e.g. in ").append(where);
      at = kinds.insert(kinds.end(), {name, std::move(told), 0});
    }
    ++at->count;
    ++listed;
  }
  sort_stably(kinds, [](const Kind& a, const Kind& b) { return a.count > b.count; });
  const bool all = listed >= total;
  std::string out =
      fmt::format("{}, no damage (--json{} lists them){}:\n", counted(total, "note"),
                  all ? "" : fmt::format(" -n {}", total), all ? "" : fmt::format("; of the first {}", listed));
  for (const Kind& kind : kinds)
    out += wrapped(fmt::format("  {:>6}  {:<14}  ", kind.count, kind.name), kind.example, style.width);
  return out;
}

}  // namespace

std::string render_verify(JsonView answer, const RenderStyle& style) {
  const std::uint64_t damage = json_count(answer, "total"), notes = json_count(answer, "notes_total");
  std::string out =
      fmt::format("{}, {}, {}, {}: ", counted(json_count(answer, "sessions"), "session"),
                  counted(json_count(answer, "files"), "file"), counted(json_count(answer, "records"), "record"),
                  human_size(json_count(answer, "bytes")));
  std::uint64_t unreadable = 0;
  for (const JsonItem& item : answer.find("unreadable").elements()) unreadable += item.value ? 1 : 0;
  const std::string not_read = counted(unreadable, "file") + " that cannot be read";
  out += damage > 0       ? painted(style.colour, "31", counted(damage, "damaged place"))
         : unreadable > 0 ? painted(style.colour, "31", not_read)
                          : painted(style.colour, "32", "no damage");
  if (damage > 0 && unreadable > 0) out += ", " + painted(style.colour, "31", not_read);
  out += "\n";
  Places places(style);
  for (const JsonItem& item : answer.find("damage").elements()) places.add(item.value);
  for (const JsonItem& item : answer.find("unreadable").elements()) places.add(item.value);
  out += places.take();
  if (notes > 0) out += "\n" + note_lines(answer, notes, style);
  return out;
}

}  // namespace holdfast::inline v1
