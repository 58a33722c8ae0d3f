#include "doors/cli/render_done.h"

#include <algorithm>
#include <string_view>

#include "doors/cli/pasteable_commands.h"
#include "doors/cli/render_cells.h"
#include "doors/cli/render_sessions.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

// {FIELD} is that field of the answer, or else of the parameters; {session} is LAYOUT/ID, followed by its title; {name}
// is LAYOUT/ID for a command.
struct Sentence {
  std::string_view method, text, with_remove = {}, nothing_removed = {};
};
constexpr Sentence kSentences[] = {
    {"session.create", "created {session}"},
    {"session.fork", "created {session}"},
    {"session.import", "imported {session}"},
    {"session.update", "updated {session}"},
    {"session.end", "ended {session}"},
    {"session.star", "starred {session}", "removed the star from {session}",
     "nothing to remove: {session} has no star"},
    {"session.tag", "tagged {session} {tags}", "removed {tags} from {session}",
     "nothing to remove: {session} is not tagged {tags}"},
    {"session.rename", "renamed {session}", "gave {session} its own title again",
     "nothing to restore: {session} has its own title"},
    {"session.trash", "moved {id} to the trash; run holdfast restore {name} to bring it back"},
    {"session.restore", "restored {session} from the trash"},
    {"session.compact", "compacted {id}"},
    {"message.append", "added {id} to {session}"},
    {"store.create", "sessions are kept in {root}"},
    {"permission.allow", "allowed {tool}"},
    {"permission.revoke", "revoked {tool}"},  // if it was allowed
    {"credential.set", "saved the key of {id}"},
};
constexpr std::size_t kWidest = 4096;  // bytes

std::string text_of(JsonView value) {
  std::string all;
  for (const JsonItem& item : value.elements()) {
    const std::string tag = cell_of(item.value, kWidest);
    all += (all.empty() ? "#" : " #") + (tag.starts_with('#') ? tag.substr(1) : tag);
  }
  return all.empty() ? cell_of(value, kWidest) : all;
}

// As many characters of a long id as were typed, but at least eight; all of a new one.
std::string name_of(JsonView session, JsonView typed) {
  constexpr std::size_t kShort = 8, kLong = 20;
  std::string id = line_of(session.find("id"), kWidest);
  if (typed && id.size() > kLong)
    id.resize(id.starts_with(line_of(typed)) ? std::max(kShort, line_of(typed).size()) : kShort);
  return line_of(session.find("layout")) + "/" + id;
}

std::string layout_of_store(JsonView answer) {
  const std::string store = text_of(answer.find("store"));
  return store.substr(0, store.find(':'));
}

}  // namespace

std::optional<std::string> done_sentence(const Operation& operation, JsonView params, JsonView answer) {
  if (answer.find("dry_run").as_bool() == true || !operation.writes()) return std::nullopt;
  if (answer.find("deleted").as_bool() == true) {
    for (const JsonView name : {answer.find("id"), answer.find("project"), params.find("session")})
      if (name) return "deleted " + text_of(name) + "\n";
    return std::nullopt;
  }
  if (answer.find("from")) return std::nullopt;  // from the archive, which is rendered elsewhere
  const auto found = std::ranges::find(kSentences, operation.method, &Sentence::method);
  if (found == std::end(kSentences) || answer.find("appended").as_bool() == false) return std::nullopt;
  if (answer.find("was_allowed").as_bool() == false)
    return text_of(answer.find("tool")) + " was not allowed; nothing was changed\n";
  const bool fresh = operation.verb() == "create" || operation.verb() == "fork" || operation.verb() == "import";
  const bool remove = (params.find("remove").as_bool().value_or(false) || params.find("title").is_string("")) &&
                      !found->with_remove.empty();
  const JsonView session = answer.find("session");
  std::string out;
  const bool nothing = remove && answer.find("changed").as_bool() == false;
  const std::string_view chosen = nothing ? found->nothing_removed : remove ? found->with_remove : found->text;
  const std::string pasted = with_store_of(std::string(chosen), params);
  for (std::string_view text = pasted; !text.empty();) {
    const std::size_t open = std::min(text.find('{'), text.size());
    out += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::string_view name = text.substr(1, text.find('}') - 1);
    text.remove_prefix(name.size() + 2);
    if (name == "session" && session.kind() == JsonKind::object)
      out += name_of(session, fresh ? JsonView() : params.find("id"));
    else if (name == "name")
      out += session_word(layout_of_store(answer), text_of(answer.find("id")));
    else if (name == "root")
      out += text_of(answer.find("store").find("root"));
    else if (name == "id" && answer.find(name).is_string(""))
      out += "a message";  // without a name
    else
      out += text_of(name != "tags" && answer.find(name) ? answer.find(name) : params.find(name));
  }
  if (session.kind() == JsonKind::object)
    if (const std::string title = session_title(session); !title.empty()) out += "  " + title;
  return out + "\n";
}

}  // namespace holdfast::inline v1
