#include "doors/cli/render.h"

#include <fmt/core.h>

#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "base/time.h"
#include "doors/cli/answer_notes.h"
#include "doors/cli/list_table.h"
#include "doors/cli/local_time.h"
#include "doors/cli/render_archive.h"
#include "doors/cli/render_cells.h"
#include "doors/cli/render_find.h"
#include "doors/cli/render_handoff.h"
#include "doors/cli/render_remotes.h"
#include "doors/cli/render_sessions.h"
#include "doors/cli/render_verify.h"
#include "doors/cli/render_workflow.h"
#include "text/clean.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidestValue = 4096;  // bytes

// The data fields of an answer, walked once because a list may have thousands of rows. Notes are printed
// elsewhere (answer_notes.h).
class AnswerFields {
 public:
  explicit AnswerFields(JsonView answer) {
    for (const JsonItem& field : answer.fields()) all_.push_back(field);
    const bool notes = is_note(answer, "findings");
    if (notes) std::erase_if(all_, [&](const JsonItem& field) { return is_note(answer, field.key()); });
  }

  const std::vector<JsonItem>& all() const { return all_; }
  // As JsonView::find.
  JsonView find(std::string_view key) const {
    JsonView found;
    for (const JsonItem& field : all_) {
      if (field.key_is(key)) found = field.value;
    }
    return found;
  }

 private:
  std::vector<JsonItem> all_;
};

std::string table(std::string_view list, JsonView array, const RenderStyle& style) {
  return ListTable::of(list, array).text(style);
}

bool is_table(JsonView value) {
  const auto items = value.elements();
  return items.begin() != items.end() && items.begin()->value.kind() == JsonKind::object;
}

// Fields beside the thing that say where it is from, or what was done.
constexpr std::array<std::string_view, 4> kBeside = {"source", "line", "resumed", "created"};
// The same for what thread.resume continues.
constexpr std::array<std::string_view, 3> kResumed = {"session", "new_session", "owner"};

// Names and values of an object, then of nested objects; tables go to the end. Fields repeated from the
// enclosing object are left out.
void lines(std::string& out, std::string& tables, JsonView object, std::string_view before, const RenderStyle& style,
           JsonView around = {}) {
  for (const JsonItem& field : object.fields()) {
    const std::string name = std::string(before) + field.key();
    if (field.key_is("schema_version") || field.value.is_null() || field.value.raw() == "0") continue;
    const bool whole = field.value.kind() == JsonKind::object || field.value.kind() == JsonKind::array;
    if (whole && around && around.find(field.key()).raw() == field.value.raw()) continue;
    if (is_table(field.value))
      tables += "\n" + table(field.key(), field.value, style);
    else if (field.value.kind() == JsonKind::object)
      lines(out, tables, field.value, name + ".", style, object);
    else if (field.value.raw() != "[]")
      out += fmt::format("{}: {}\n", clean_for_terminal(name, {.one_line = true}), value_of(field, kWidestValue));
  }
}

// An answer about one thing is shown as that thing: {"id":…,"session":{…}}.
JsonView thing_of(JsonView answer, const AnswerFields& fields) {
  for (const JsonItem& field : fields.all()) {
    if (field.value.kind() == JsonKind::object) return field.value;
  }
  return answer;
}

std::string about_one(JsonView answer, const AnswerFields& fields, const RenderStyle& style) {
  std::string out;
  std::string tables;
  const JsonView thing = thing_of(answer, fields);
  if (thing.raw() != answer.raw()) {
    const auto add = [&](std::string_view key) {
      if (const JsonView value = fields.find(key); value && !value.is_null())
        out += fmt::format("{}: {}\n", key, cell_of(value, kWidestValue));
    };
    for (const std::string_view key : kBeside) add(key);
    if (fields.find("new_session"))
      for (const std::string_view key : kResumed) add(key);
  }
  lines(out, tables, thing, "", style);
  if (thing.raw() != answer.raw()) {
    if (const JsonView kept = fields.find("kept_verbatim"); kept && kept.raw() != "0")
      out += fmt::format("kept_verbatim: {} that this version does not know\n", cell_of(kept));
    for (const JsonItem& field : fields.all()) {
      if (is_table(field.value)) tables += "\n" + table(field.key(), field.value, style);
    }
  }
  if (out.empty() && tables.starts_with('\n')) tables.erase(0, 1);
  return out + tables;
}

// What queue.run did; if nothing, when it will do something.
std::string render_queue_run(JsonView answer, const AnswerFields& fields, const RenderStyle& style) {
  for (const std::string_view key : {"sent", "failed", "given_up", "withheld", "gone", "busy"})
    if (fields.find(key).raw() != "0") return about_one(answer, fields, style);
  const auto waiting = fields.find("waiting").as_int64().value_or(0);
  if (waiting == 0) return "nothing to send\n";
  const std::string at = fields.find("next_attempt_at").as_string().value_or("");
  const auto moment = parse_iso8601(at);
  std::string when;
  if (moment) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(*moment - std::chrono::system_clock::now()).count();
    when = left > 0 && left <= 120 ? " in " + counted(left, "second") : " at " + local_time(at);
  }
  return fmt::format("nothing is due: {} waiting{}\n", counted(waiting, "item"),
                     when.empty() ? "" : ", the next attempt is due" + when);
}

// `before`: a table was printed already.
std::string list(bool before, const AnswerFields& fields, const RenderStyle& style) {
  std::string out;
  const bool of_messages = static_cast<bool>(fields.find("messages"));
  for (const JsonItem& field : fields.all()) {
    if (of_messages && field.key_is("sessions")) continue;  // the session of each message, for programs
    if (is_table(field.value)) {
      out += (out.empty() && !before ? "" : "\n") + table(field.key(), field.value, style);
      continue;
    }
    for (const JsonItem& item : field.value.elements()) out += cell_of(item.value) + "\n";
  }
  return out;
}

// Sessions, and not the sessions of entries.
bool lists_sessions(JsonView sessions) {
  if (sessions.kind() != JsonKind::array) return false;
  const auto items = sessions.elements();
  return items.empty() || items.begin()->value.find("layout");
}

// A requested text is the whole output.
std::optional<std::string> content_of(const AnswerFields& fields) {
  auto text = fields.find("content").as_string();
  return text ? text : fields.find("research").find("text").as_string();
}

// What session.mend did with one file: what is left, what was lost, what was made.
std::string mended(const std::string& message, JsonView kept, JsonView rescued, const RenderStyle& style) {
  std::string text = clean_for_terminal(message, {.one_line = true}) + "\n", tables;
  const bool undone = rescued.kind() != JsonKind::object;
  if (kept && !kept.is_null())
    text += (undone ? "the repaired copy is kept as " : "the damaged file is kept as ") + cell_of(kept, kWidestValue) +
            "\n";
  if (!undone) lines(text, tables, rescued, "", style);
  return text + tables;
}

std::string mended_all(const std::string& message, const AnswerFields& fields, const RenderStyle& style) {
  std::string text = mended(message, fields.find("kept"), fields.find("rescued"), style);
  for (const JsonItem& one : fields.find("more").elements())
    text += "\n" + mended(one.value.find("message").as_string().value_or(""), one.value.find("kept"),
                          one.value.find("rescued"), style);
  return text;
}

}  // namespace

bool is_document(JsonView answer) {
  const AnswerFields fields(answer);
  if (fields.find("text").as_string() && fields.find("format")) return !fields.find("format").is_string("text");
  return content_of(fields).has_value();
}

std::string render(JsonView answer, const RenderStyle& style) {
  const AnswerFields fields(answer);
  if (const auto text = fields.find("text").as_string(); text && fields.find("format"))
    return style.terminal && !fields.find("format").is_string("text") ? clean_for_terminal(*text) : *text;
  if (const auto text = content_of(fields)) return (style.terminal ? clean_for_terminal(*text) : *text) + "\n";
  if (const auto message = fields.find("message").as_string(); message && fields.find("loaded_now"))
    return mended_all(*message, fields, style);
  if (fields.find("output") && fields.find("format")) return cell_of(fields.find("output"), kWidestValue) + "\n";
  if (fields.find("dry_run").as_bool() == true) return "would " + cell_of(fields.find("would"), kWidestValue) + "\n";
  if (fields.find("done").raw() == "[]") return "nothing to prune\n";
  if (auto text = render_archive_answer(answer, style)) return *std::move(text);
  if (auto text = render_workflow_answer(answer, style)) return *std::move(text);
  if (style.width > 0 && lists_sessions(fields.find("sessions")) && fields.find("total"))
    return render_sessions(answer, style, std::chrono::system_clock::now());
  if (fields.find("damage") && fields.find("notes_total")) return render_verify(answer, style);
  if (fields.find("remotes")) return render_remotes(answer, style);
  if (fields.find("sent") && fields.find("received")) return render_watched(answer);
  if (fields.find("withheld") && fields.find("given_up")) return render_queue_run(answer, fields, style);
  if (fields.find("parcels").raw() == "0" && fields.find("changes").raw() == "0") return "nothing to receive\n";
  if (fields.find("made") && fields.find("machine")) return render_added(answer, style);
  if (fields.find("had_read")) return render_revoked(answer, style);
  if (fields.find("indexed_at") && fields.find("left_out")) return render_indexed(answer);
  if (fields.find("left_behind") && fields.find("carried")) return render_handoff(answer, style);
  if (fields.find("hits")) return render_hits(answer, style);
  if (fields.find("rows") && fields.find("by")) return render_stats(answer, style);
  return fields.find("total") ? list(false, fields, style) : about_one(answer, fields, style);
}

std::string render_rest(bool before, JsonView answer, const RenderStyle& style) {
  return list(before, AnswerFields(answer), style);
}

}  // namespace holdfast::inline v1
