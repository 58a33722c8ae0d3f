// session.star, session.tag, session.rename: a person's notes about a session of any agent.
#include "api/note_operations.h"

#include <algorithm>

#include "api/call.h"
#include "api/find_session.h"
#include "api/notes.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestTag = 64, kLongestTitle = 500, kMaxTags = 32;

// Finds sessions as session.get does: sessions of all agents are only read.
Result<FoundSession> session_of(const Call& call) {
  const Call reading{call.context, *find_operation("session.get"), call.params, call.stores};
  return find_session(reading, call.text("id"));
}

Result<std::string> change(const Call& call, const NoteChange& how) {
  HOLDFAST_LET(found, session_of(call));
  bool changed = false;
  const auto noting = [&](SessionNote& note) -> Result<void> {
    const SessionNote before = note;
    HOLDFAST_TRY(how(note));
    changed = note.starred != before.starred || note.tags != before.tags || note.title != before.title;
    return {};
  };
  HOLDFAST_TRY(change_note(call.context, call.stores.settings(), found.session.layout, found.session.id, noting));
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("session");
  write_noted(json, found.session, *Notes::read(call.context, call.stores.settings()));
  return json.key("changed").boolean(changed).end_object().take();
}

Result<std::string> star(Call& call) {
  return change(call, [&](SessionNote& note) -> Result<void> {
    note.starred = !call.flag("remove");
    return {};
  });
}

// The reason why it is no line for a terminal; empty if it is one.
std::string fault_in_line(std::string_view text) {
  if (text.find_first_of("\r\n") != std::string_view::npos) return "one line";
  return clean_for_terminal(text, {.one_line = true}) == text ? "" : "without control characters";
}

Result<void> check_tag(std::string_view tag) {
  std::string must;
  if (tag.empty() || tag.find_first_of(" \t\r\n") != std::string_view::npos)
    must = "one word";
  else if (tag.size() > kLongestTag)
    must = "at most 64 bytes long";
  else if (tag.contains(','))
    must = "without commas";
  else if (tag.starts_with('-'))
    must = "without a dash at the beginning";
  else
    must = fault_in_line(tag);
  if (must.empty()) return {};
  return fail(Code::invalid_argument, "a tag must be " + must);
}

Result<std::vector<std::string>> tags_of(const Call& call) {
  std::vector<std::string> tags;
  for (const JsonItem& item : call.params.find("tags").elements()) {
    std::string one = item.value.as_string().value_or("");
    if (one.starts_with('#')) one.erase(0, 1);
    HOLDFAST_TRY(check_tag(one));
    tags.push_back(std::move(one));
  }
  if (tags.empty()) return fail(Code::invalid_argument, "session.tag needs a tag");
  return tags;
}

Result<std::string> tag(Call& call) {
  HOLDFAST_LET(tags, tags_of(call));
  return change(call, [&](SessionNote& note) -> Result<void> {
    const std::size_t before = note.tags.size();
    for (const std::string& one : tags) {
      if (call.flag("remove"))
        std::erase(note.tags, one);
      else if (!note.has_tag(one))
        note.tags.push_back(one);
    }
    if (note.tags.size() > std::max(kMaxTags, before))
      return fail(Code::too_large,
                  "a session can have at most 32 tags; this would make " + std::to_string(note.tags.size()));
    std::ranges::sort(note.tags);
    return {};
  });
}

Result<std::string> rename(Call& call) {
  const std::string title = call.text("title");
  std::string must;
  if (title.size() > kLongestTitle)
    must = "at most 500 bytes long";
  else if (!title.empty() && title.find_first_not_of(" \t") == std::string::npos)
    must = "more than spaces; \"\" restores the session's own title";
  else
    must = fault_in_line(title);
  if (!must.empty()) return fail(Code::invalid_argument, "a title must be " + must);
  return change(call, [&](SessionNote& note) -> Result<void> {
    note.title = title;
    return {};
  });
}

// The session of a dry run, and what is noted about it now.
struct NotedSession {
  std::string name;  // "session ID of STORE"
  SessionNote note;
};
Result<NotedSession> noted_session(const Call& call) {
  HOLDFAST_LET(found, session_of(call));
  NotedSession noted{"session " + found.session.id + " of " + found.store->name(), {}};
  const auto notes = Notes::read(call.context, call.stores.settings());
  if (const SessionNote* const note = notes->of(found.session.layout, found.session.id)) noted.note = *note;
  return noted;
}

Result<std::string> would_star(Call& call) {
  HOLDFAST_LET(now, noted_session(call));
  if (call.flag("remove"))
    return now.note.starred ? "remove the star from " + now.name : "do nothing: " + now.name + " has no star";
  return now.note.starred ? "do nothing: " + now.name + " already has a star" : "mark " + now.name + " with a star";
}

Result<std::string> would_tag(Call& call) {
  HOLDFAST_LET(tags, tags_of(call));
  HOLDFAST_LET(now, noted_session(call));
  const bool remove = call.flag("remove");
  std::string given, effective;
  for (const std::string& one : tags) {
    given += " #" + one;
    if (now.note.has_tag(one) == remove) effective += " #" + one;
  }
  if (effective.empty()) return "do nothing: " + now.name + (remove ? " is not tagged" : " is already tagged") + given;
  return remove ? "remove" + effective + " from " + now.name : "tag " + now.name + effective;
}

Result<std::string> would_rename(Call& call) {
  HOLDFAST_LET(now, noted_session(call));
  const std::string title = call.text("title");
  if (title == now.note.title)
    return "do nothing: " + now.name + (title.empty() ? " has its own title" : " already has this title");
  return title.empty() ? "give " + now.name + " its own title again" : "give " + now.name + " the title " + title;
}

}  // namespace

Handler note_dry_run(std::string_view method) {
  if (method == "session.star") return would_star;
  if (method == "session.tag") return would_tag;
  return method == "session.rename" ? would_rename : nullptr;
}

std::span<const Operation> note_operations() {
  static const Parameter id{
      .name = "id", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true};
  static const std::vector<Operation> all{
      {.method = "session.star",
       .help = "mark a session of any agent with a star, in Holdfast's own files",
       .use = Use::write,
       .parameters = {id, {.name = "remove", .help = "remove the star", .type = ParamType::boolean}},
       .result = "id:string session:session changed:boolean",
       .handler = star,
       .example = "star @last",
       .command = "star"},
      {.method = "session.tag",
       .help = "tag a session of any agent, in Holdfast's own files",
       .use = Use::write,
       .parameters = {id,
                      {.name = "tags",
                       .help = "tags, one word each; find them with ls --tag TAG",
                       .type = ParamType::array,
                       .required = true,
                       .positional = true,
                       .rest = true,
                       .shape = "string"},
                      {.name = "remove", .help = "remove these tags", .type = ParamType::boolean}},
       .result = "id:string session:session changed:boolean",
       .errors = {Code::too_large},
       .handler = tag,
       .example = "tag @last login urgent",
       .command = "tag"},
      {.method = "session.rename",
       .help = "give a session of any agent a title, in Holdfast's own files",
       .use = Use::write,
       .parameters = {id,
                      {.name = "title",
                       .help = "replaces the session's own title; \"\" restores it",
                       .required = true,
                       .positional = true}},
       .result = "id:string session:session changed:boolean",
       .handler = rename,
       .example = "rename @last \"Login page fails\"",
       .command = "rename"},
  };
  return all;
}

}  // namespace holdfast::inline v1
