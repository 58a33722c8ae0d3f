#include "archive/forgotten.h"

#include <holdfast/document.h>
#include <holdfast/log_reader.h>

#include <algorithm>

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

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
constexpr std::string_view kLineBegin = "{\"forgot\":";
constexpr std::size_t kLineBytes = std::size_t{12} << 10;  // before that, another line is begun

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

std::string list_json(const Forgotten& forgotten) {
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
  return json.end_object().take();
}

// A list, or a part of one.
Forgotten read_list(JsonView json) {
  const JsonView lines = json.find("lines");
  Forgotten list{
      .sessions = keys_in(json.find("sessions")),
      .unfinished = keys_in(json.find("unfinished")),
      .lines = {.salt = json_text(lines, "salt"), .pending = lines.find("pending").as_bool().value_or(false)}};
  for (const JsonItem& item : lines.find("hashes").elements())
    list.lines.hashes.insert(item.value.as_string().value_or(""));
  return list;
}

// Hashes with another salt are those of another archive.
Result<void> add_list(const Forgotten& list, Forgotten& into) {
  if (!list.lines.hashes.empty() && !into.lines.hashes.empty() && list.lines.salt != into.lines.salt)
    return fail(Code::corrupt,
                "the list of what is forgotten is not that of this archive; put the right one back from a backup",
                std::string(kForgotten));
  into.sessions.insert(list.sessions.begin(), list.sessions.end());
  into.unfinished.insert(list.unfinished.begin(), list.unfinished.end());
  if (into.lines.hashes.empty()) into.lines.salt = list.lines.salt;
  into.lines.hashes.insert(list.lines.hashes.begin(), list.lines.hashes.end());
  into.lines.pending = into.lines.pending || list.lines.pending;
  return {};
}

Result<Forgotten> load_list(Directory& archive) {
  auto file = archive.open(kForgotten, OpenMode::read);
  if (!file && file.error().code == Code::not_found) return Forgotten();
  if (!file) return fail(std::move(file).error());
  HOLDFAST_LET(stat, (*file)->stat());
  if (stat.size > kMostBytes)
    return fail(Code::too_large, "the list of what is forgotten is too large", std::string(kForgotten));
  std::string text(static_cast<std::size_t>(stat.size), '\0');
  HOLDFAST_LET(count, (*file)->read_at(0, text));
  text.resize(count);
  // A broken list must not lead to capturing what is forgotten.
  if (!check_json(text).ok())
    return fail(Code::corrupt,
                std::string("the list of what is forgotten is not JSON; put it back from a backup") +
                    // Before 0.3 the log did not.
                    (load_log_end(archive) ? ", or remove it if no forget was interrupted: the log repeats it" : ""),
                std::string(kForgotten));
  return read_list(JsonView(text));
}

// What the log repeats, in the lines before its captures.
Result<Forgotten> load_from_log(const Context& context, Directory& archive) {
  Forgotten all;
  auto reader = LogReader::open(context, archive, kCaptureLog);
  if (!reader && reader.error().code == Code::not_found) return all;
  if (!reader) return fail(std::move(reader).error());
  Record record;
  std::uint64_t bytes = 0;
  while (true) {
    HOLDFAST_LET(more, reader->next(record));
    if (!more || (!is_forgotten_line(record.bytes) && read_capture(record.bytes))) return all;
    // In several lines it takes somewhat more than in the list.
    if (is_forgotten_line(record.bytes) && (bytes += record.bytes.size()) > 2 * kMostBytes)
      return fail(Code::too_large, "what the log repeats of the list of what is forgotten is too large",
                  std::string(kCaptureLog));
    if (is_forgotten_line(record.bytes) && has_right_checksum(record.bytes))
      HOLDFAST_TRY(add_list(read_list(JsonView(record.bytes).find("forgot")), all));
  }
}

template <typename Set>
bool has_all(const Set& set, const Set& of) {
  return std::ranges::all_of(of, [&](const auto& one) { return set.contains(one); });
}

}  // namespace

std::string ForgottenLines::hash_of(std::string_view line) const {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return sha256_hex(salt + "\n" + std::string(line));
}

Result<KnownForgotten> load_known_forgotten(const Context& context, Directory& archive) {
  KnownForgotten known;
  HOLDFAST_LET(list, load_list(archive));
  HOLDFAST_LET(in_log, load_from_log(context, archive));
  HOLDFAST_TRY(add_list(in_log, known.all));
  HOLDFAST_TRY(add_list(list, known.all));
  known.list_is_older = !has_all(list.sessions, in_log.sessions) || !has_all(list.lines.hashes, in_log.lines.hashes);
  // What is still to be removed gets into the log when it is.
  std::set<CaptureKey> missing;
  for (const CaptureKey& key : list.sessions) {
    if (!in_log.sessions.contains(key) && !known.all.unfinished.contains(key)) missing.insert(key);
  }
  const bool lines_missing = !list.lines.pending && !has_all(in_log.lines.hashes, list.lines.hashes);
  if (missing.empty() && !lines_missing) return known;
  known.log_never_had_it = !load_log_end(archive);
  if (known.log_never_had_it) return known;
  known.log_is_older = true;
  known.all.unfinished.merge(missing);
  known.all.lines.pending = known.all.lines.pending || lines_missing;
  return known;
}

Result<Forgotten> load_forgotten(const Context& context, Directory& archive) {
  HOLDFAST_LET(known, load_known_forgotten(context, archive));
  return std::move(known.all);
}

std::vector<Finding> forgotten_findings(const KnownForgotten& known) {
  std::vector<Finding> findings;
  if (known.list_is_older)
    findings.push_back({std::string(kForgotten), 0, 0, "older",
                        "it lacks some of what is forgotten: it was lost, or an older one was put back; the log knows "
                        "the rest, and nothing of it is captured; the next holdfast archive run writes the list again",
                        0});
  if (known.log_is_older)
    findings.push_back({std::string(kCaptureLog), 0, 0, "older",
                        "it does not know of everything that is forgotten, as after an older log was put back, and "
                        "that may be shown again; put back the newest log that you have, or let holdfast archive run "
                        "capture again what agents still have and remove what is forgotten",
                        0});
  return findings;
}

bool is_forgotten_line(std::string_view line) { return line.starts_with(kLineBegin); }

std::vector<std::string> lines_for_log(const Forgotten& forgotten) {
  std::vector<std::string> lines;
  Forgotten part;
  std::size_t bytes = 0;
  const auto end_line = [&] {
    if (bytes == 0) return;
    lines.push_back(with_checksum(JsonWriter().begin_object().key("forgot").raw(list_json(part)).end_object().take()));
    part = {};
    bytes = 0;
  };
  const auto make_room = [&](std::size_t more) {
    if (bytes + more > kLineBytes) end_line();
    bytes += more;
  };
  for (const CaptureKey& key : forgotten.sessions) {
    Forgotten one{.sessions = {key}};
    if (forgotten.unfinished.contains(key)) one.unfinished.insert(key);
    make_room(list_json(one).size());
    part.sessions.merge(one.sessions);
    part.unfinished.merge(one.unfinished);
  }
  end_line();
  for (const std::string_view hash :
       std::set<std::string_view>(forgotten.lines.hashes.begin(), forgotten.lines.hashes.end())) {
    make_room(hash.size() + 3);  // quotes and a comma
    part.lines.salt = forgotten.lines.salt;
    part.lines.pending = forgotten.lines.pending;
    part.lines.hashes.emplace(hash);
  }
  end_line();
  return lines;
}

Result<void> save_forgotten(const Context& context, Root& root, const Forgotten& forgotten) {
  const std::string text = list_json(forgotten) + "\n";
  if (text.size() > kMostBytes)
    return fail(Code::too_large, "the list of what is forgotten would be too large", std::string(kForgotten));
  HOLDFAST_TRY(replace_document(context, root, kForgotten, text, {.backup = false}));
  return {};
}

Result<std::optional<Finding>> pieces_after_forgetting(const Context& context, Directory& directory) {
  HOLDFAST_LET(forgotten, load_forgotten(context, directory));
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
