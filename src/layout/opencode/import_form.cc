// A rescued session that `opencode import` adds beside the damaged one. Ids are keys of opencode's tables, and
// existing rows are not changed, so every id is replaced by a new one.
#include <map>
#include <string>

#include "base/hash.h"
#include "layout/opencode/opencode_layout.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::opencode {
namespace {

// opencode sorts by id: a prefix, 12 digits for the time, then random letters.
std::string new_id(const std::string& id, std::uint64_t random) {
  constexpr std::size_t kTime = 12, kLetters = 14;
  const std::size_t begin = id.find('_') + 1, keep = std::min(id.size(), begin + kTime);
  return id.substr(0, keep) + xxh3_hex(id + "/" + std::to_string(random)).substr(0, kLetters);
}

}  // namespace

ImportableSession import_form(std::string_view rescued, std::uint64_t random) {
  const JsonView document(rescued);
  const auto id_in = [](JsonView object) { return object.find("id").as_string().value_or(""); };
  std::map<std::string, std::string> ids;
  const auto note = [&](const std::string& id) {
    if (!id.empty()) ids.emplace(JsonWriter().string(id).take(), JsonWriter().string(new_id(id, random)).take());
  };
  const std::string session = id_in(document.find("info"));
  note(session);
  for (const JsonItem& message : document.find("messages").elements()) {
    note(id_in(message.value.find("info")));
    for (const JsonItem& part : message.value.find("parts").elements()) note(id_in(part.value));
  }
  // Inside a string a quote is escaped, so two unescaped quotes enclose a whole string.
  ImportableSession form{.id = new_id(session, random), .bytes = {}, .command = "opencode import"};
  for (std::size_t at = 0; at < rescued.size();) {
    if (rescued[at] != '"') {
      form.bytes += rescued[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < rescued.size() && rescued[end] != '"') end += rescued[end] == '\\' ? 2 : 1;
    const std::string text(rescued.substr(at, end + 1 - at));
    const auto known = ids.find(text);
    form.bytes += known == ids.end() ? text : known->second;
    at = end + 1;
  }
  return form;
}

}  // namespace holdfast::inline v1::opencode
