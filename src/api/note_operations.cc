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

Result<std::string> change(const Call& call, const std::function<void(SessionNote& note)>& how) {
  HOLDFAST_LET(found, session_of(call));
  bool changed = false;
  const auto noting = [&](SessionNote& note) {
    const SessionNote before = note;
    how(note);
    changed = note.starred != before.starred || note.tags != before.tags || note.title != before.title;
  };
  HOLDFAST_TRY(change_note(call.context, call.stores.settings(), found.session.layout, found.session.id, noting));
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("session");
  write_noted(json, found.session, *Notes::read(call.context, call.stores.settings()));
  return json.key("changed").boolean(changed).end_object().take();
}

Result<std::string> star(Call& call) {
  const bool remove = call.flag("remove");
  return change(call, [&](SessionNote& note) { note.starred = !remove; });
}

bool is_one_line(std::string_view text) { return clean_for_terminal(text, {.one_line = true}) == text; }

Result<void> check_tag(std::string_view tag) {
  if (tag.empty() || tag.size() > kLongestTag || tag.starts_with('-') || !is_one_line(tag) ||
      tag.find_first_of(" \t,") != std::string_view::npos)
    return fail(Code::invalid_argument, "a tag must be one word of at most 64 bytes, without commas");
  return {};
}

Result<std::string> tag(Call& call) {
  std::vector<std::string> tags;
  for (const JsonItem& item : call.params.find("tags").elements()) {
    std::string one = item.value.as_string().value_or("");
    if (one.starts_with('#')) one.erase(0, 1);
    HOLDFAST_TRY(check_tag(one));
    tags.push_back(std::move(one));
  }
  if (tags.empty()) return fail(Code::invalid_argument, "session.tag needs a tag");
  const bool remove = call.flag("remove");
  bool full = false;
  HOLDFAST_LET(answer, change(call, [&](SessionNote& note) {
                 for (const std::string& one : tags) {
                   if (remove)
                     std::erase(note.tags, one);
                   else if (!note.has_tag(one) && !(full = full || note.tags.size() >= kMaxTags))
                     note.tags.push_back(one);
                 }
                 std::ranges::sort(note.tags);
               }));
  if (full) return fail(Code::too_large, "a session can have at most 32 tags");
  return answer;
}

Result<std::string> rename(Call& call) {
  const std::string title = call.text("title");
  if (title.size() > kLongestTitle || !is_one_line(title))
    return fail(Code::invalid_argument, "a title must be one line of at most 500 bytes");
  return change(call, [&](SessionNote& note) { note.title = title; });
}

}  // namespace

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
