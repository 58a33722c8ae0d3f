#include "archive/forgotten.h"

#include <holdfast/document.h>

#include "archive/archive_writer.h"
#include "archive/lost_lines.h"
#include "base/hash.h"
#include "text/json_scan.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

std::set<CaptureKey> keys_in(JsonView array) {
  std::set<CaptureKey> keys;
  for (const JsonItem& item : array.elements())
    keys.insert({json_text(item.value, "layout"), json_text(item.value, "store"), json_text(item.value, "session")});
  return keys;
}

void write_sessions(JsonWriter& json, std::string_view name, const std::set<CaptureKey>& keys) {
  json.key(name).begin_array();
  for (const CaptureKey& key : keys) {
    json.begin_object().key("layout").string(key.layout).key("store").string(key.store);
    json.key("session").string(key.id).end_object();
  }
  json.end_array();
}

}  // namespace

std::string ForgottenLines::hash_of(std::string_view line) const {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return sha256_hex(salt + "\n" + std::string(line));
}

Result<Forgotten> load_forgotten(Directory& directory) {
  Forgotten forgotten;
  auto file = directory.open(kForgotten, OpenMode::read);
  if (!file && file.error().code == Code::not_found) return forgotten;
  if (!file) return fail(std::move(file).error());
  HOLDFAST_LET(stat, (*file)->stat());
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  if (stat.size > kMost)
    return fail(Code::too_large, "the list of what is forgotten is too large", std::string(kForgotten));
  std::string text(static_cast<std::size_t>(stat.size), '\0');
  HOLDFAST_LET(count, (*file)->read_at(0, text));
  text.resize(count);
  // A broken list must not lead to capturing what is forgotten.
  if (!check_json(text).ok())
    return fail(Code::corrupt, "the list of what is forgotten is not JSON; put it back from a backup",
                std::string(kForgotten));
  const JsonView json(text);
  forgotten.sessions = keys_in(json.find("sessions"));
  forgotten.unfinished = keys_in(json.find("unfinished"));
  const JsonView lines = json.find("lines");
  forgotten.lines.salt = json_text(lines, "salt");
  forgotten.lines.pending = lines.find("pending").as_bool().value_or(false);
  for (const JsonItem& item : lines.find("hashes").elements())
    forgotten.lines.hashes.insert(item.value.as_string().value_or(""));
  return forgotten;
}

Result<void> save_forgotten(const Context& context, Root& root, const Forgotten& forgotten) {
  JsonWriter json;
  json.begin_object();
  write_sessions(json, "sessions", forgotten.sessions);
  if (!forgotten.unfinished.empty()) write_sessions(json, "unfinished", forgotten.unfinished);
  if (!forgotten.lines.hashes.empty()) {
    json.key("lines").begin_object().key("salt").string(forgotten.lines.salt);
    if (forgotten.lines.pending) json.key("pending").boolean(true);
    const std::set<std::string> sorted(forgotten.lines.hashes.begin(), forgotten.lines.hashes.end());
    json.key("hashes").strings(sorted).end_object();
  }
  HOLDFAST_TRY(replace_document(context, root, kForgotten, json.end_object().take() + "\n", {.backup = false}));
  return {};
}

Result<std::optional<Finding>> pieces_after_forgetting(const Context& context, Directory& directory) {
  HOLDFAST_LET(forgotten, load_forgotten(directory));
  if (forgotten.sessions.empty() && forgotten.lines.hashes.empty()) return std::optional<Finding>();
  HOLDFAST_LET(pieces, chunks_without_line(context, directory));
  if (pieces.empty()) return std::optional<Finding>();
  const bool one = pieces.size() == 1;
  return std::optional<Finding>({std::string(kPacks), 0, 0, "unnamed",
                                 counted(pieces.size(), "piece") + " in the packs " + (one ? "belongs" : "belong") +
                                     " to no session, as after an old pack was put back, and may hold what was "
                                     "forgotten; holdfast archive compact removes " +
                                     (one ? "it" : "them"),
                                 0});
}

}  // namespace holdfast::inline v1
