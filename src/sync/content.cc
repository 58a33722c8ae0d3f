#include "sync/content.h"

#include <algorithm>
#include <unordered_map>

#include "archive/log_lines.h"
#include "base/hash.h"
#include "base/safe_name.h"
#include "layout/json_pick_checked.h"
#include "sync/seal.h"
#include "text/json_copy.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

std::string text_at(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }
std::uint64_t count_in(JsonView value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value.as_int64().value_or(0), 0));
}

Failure bad(std::string_view why) { return fail(Code::corrupt, "an op " + std::string(why)); }

constexpr std::size_t kMaxMachine = 64;

// Names from another machine must be harmless here, whatever is done with them.
Result<void> check_key(const CaptureKey& key) {
  if (!is_safe_name(key.layout) || !is_plain_name(key.id)) return bad("names no session");
  if (!key.store.starts_with('/')) return bad("names no store");
  return check_relative_path(std::string_view(key.store).substr(1));
}

// The members of an op. Most of its bytes are in the state, so they are found in one walk.
struct OpMembers {
  JsonView op, n, of, as, to, in, state;

  explicit OpMembers(std::string_view text) {
    const auto [its_op, its_n, its_of, its_as, its_to, its_in, its_state] =
        pick_checked<7>(text, {"op", "n", "of", "as", "to", "in", "state"});
    op = its_op, n = its_n, of = its_of, as = its_as, to = its_to, in = its_in, state = its_state;
  }
};

// Whether there is whitespace between tokens.
bool has_space(std::string_view json) {
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (static_cast<unsigned char>(json[at]) <= ' ') return true;
    if (json[at] != '"') continue;
    for (++at; at < json.size() && json[at] != '"'; ++at)
      if (json[at] == '\\') ++at;
  }
  return false;
}

// A drop_name(); empty if it is none.
std::string session_name(JsonView json) {
  std::string name = text_of(json);
  return is_hash_name(name) ? name : std::string();
}

struct AppliedSession {
  CaptureKey key;
  bool is_whole = false;
  bool is_new = false;  // not applied before
};

Result<AppliedSession> apply_session(const Context& context, ArchiveWriter& writer, std::uint64_t seq, JsonView state) {
  HOLDFAST_LET(line, read_capture(state.raw()));
  Capture& capture = line.capture;
  HOLDFAST_TRY(check_key(capture.session));
  AppliedSession applied{capture.session, capture.base == 0};
  const auto known = writer.state().sessions.find(capture.session);
  const bool is_known = known != writer.state().sessions.end();
  if (is_known && capture.number <= read_origin(known->second.origin).number) return applied;
  if (!line.chunks.empty() || JsonView(capture.row).kind() != JsonKind::object) return bad("is not whole");
  // A line of the archive has no spaces between its values.
  if (has_space(capture.row)) capture.row = compact_json(JsonView(capture.row));
  OpOrigin origin = read_origin(capture.origin);
  origin.seq = seq;
  origin.number = capture.number;
  origin.base = capture.base;
  static const Versions kNone;
  if (capture.base != 0 && (!is_known || read_origin(known->second.origin).number != capture.base))
    return fail(Code::not_found, "an op builds on one that was erased; a later one carries the whole state");
  const Versions& base = capture.base == 0 ? kNone : known->second.last;
  HOLDFAST_LET(files, read_files(line.files, base, true));
  // A whole state removes files that are not in it.
  if (capture.base == 0 && is_known) {
    for (const auto& [place, version] : known->second.last)
      if (std::ranges::none_of(files, [&](const FileChange& file) { return file.place == place; }))
        files.push_back({.place = place, .version = nullptr, .moved = true});
  }
  capture.files = std::move(files);
  capture.origin = write_origin(origin);
  HOLDFAST_TRY(writer.add(context, std::move(capture)));
  applied.is_new = true;
  return applied;
}

}  // namespace

std::string write_content(const SegmentContent& content) {
  JsonWriter json;
  json.begin_object().key("machine").string(content.machine).key("names").begin_object();
  for (const auto& [policy, key] : content.names) json.key(policy).string(to_hex(key));
  json.end_object().key("seen").begin_array();
  for (const auto& [id, seq] : content.seen)
    json.begin_array().string(id.device).uint64(id.epoch).uint64(seq).end_array();
  json.end_array();
  if (content.revoked) {
    json.key("revoked").begin_array();
    for (const std::string& device : *content.revoked) json.string(device);
    json.end_array();
  }
  if (!content.unreadable.empty()) {
    json.key("unreadable").begin_array();
    for (const StreamId& id : content.unreadable) json.begin_array().string(id.device).uint64(id.epoch).end_array();
    json.end_array();
  }
  json.key("ops").begin_array();
  for (const std::string& op : content.ops) json.raw(op);
  return json.end_array().end_object().take();
}

Result<SegmentContent> read_content(std::string_view text) {
  if (!check_json(text).ok() || JsonView(text).kind() != JsonKind::object)
    return fail(Code::corrupt, "the body of a segment is not a JSON object");
  const auto [machine, names, seen, unreadable, revoked, ops] =
      pick_checked<6>(text, {"machine", "names", "seen", "unreadable", "revoked", "ops"});
  SegmentContent content;
  content.machine = text_of(machine).substr(0, kMaxMachine);
  for (const JsonItem& item : names.fields()) {
    auto key = from_hex(item.value.as_string().value_or(""));
    if (key && key->size() == kSecretBytes) content.names[item.key()] = *std::move(key);
  }
  for (const JsonItem& item : seen.elements()) {
    std::vector<JsonView> parts;
    for (const JsonItem& part : item.value.elements()) parts.push_back(part.value);
    if (parts.size() != 3 || !is_device_id(parts[0].as_string().value_or(""))) continue;
    content.seen[{*parts[0].as_string(), count_in(parts[1])}] = count_in(parts[2]);
  }
  for (const JsonItem& item : unreadable.elements()) {
    std::vector<JsonView> parts;
    for (const JsonItem& part : item.value.elements()) parts.push_back(part.value);
    if (parts.size() == 2 && is_device_id(parts[0].as_string().value_or("")))
      content.unreadable.insert({*parts[0].as_string(), count_in(parts[1])});
  }
  if (revoked.kind() == JsonKind::array) {
    content.revoked.emplace();
    for (const JsonItem& item : revoked.elements())
      if (const auto device = item.value.as_string(); device && is_device_id(*device)) content.revoked->insert(*device);
  }
  JsonCursor items(ops.raw());
  if (items.enter_array())
    while (items.next_element()) content.ops.emplace_back(items.skip_raw());
  return content;
}

std::string write_session_op(const Capture& capture) {
  return "{\"op\":\"session\",\"state\":" + write_capture(capture, write_files(capture.files), {}) + "}";
}

std::string drop_name(const CaptureKey& session) {
  return sha256_hex("holdfast session\n" + session.layout + "\n" + session.store + "\n" + session.id + "\n");
}

std::string write_drop_op(std::uint64_t number, std::string_view drop_name, std::string_view as, std::string_view to) {
  JsonWriter json;
  json.begin_object().key("op").string("drop").key("n").uint64(number).key("of").string(drop_name);
  if (!as.empty()) json.key("as").string(as);
  if (!to.empty()) json.key("to").string(to);
  return json.end_object().take();
}

std::string dropped_by(std::string_view op) {
  const OpMembers its(op);
  return its.op.is_string("drop") ? text_of(its.of) : std::string();
}

std::string write_forget_op(std::uint64_t number, std::string_view drop_name, const std::set<std::uint64_t>& epochs) {
  JsonWriter json;
  json.begin_object().key("op").string("forget").key("n").uint64(number).key("of").string(drop_name);
  json.key("in").begin_array();
  for (const std::uint64_t epoch : epochs) json.uint64(epoch);
  return json.end_array().end_object().take();
}

std::set<std::pair<std::uint64_t, std::string>> forgotten_by(std::string_view op) {
  const OpMembers its(op);
  std::set<std::pair<std::uint64_t, std::string>> all;
  if (!its.op.is_string("forget")) return all;
  for (const JsonItem& item : its.in.elements()) all.insert({count_in(item.value), text_of(its.of)});
  return all;
}

std::string write_origin(const OpOrigin& origin) {
  JsonWriter json;
  json.begin_object().key("seq").uint64(origin.seq).key("n").uint64(origin.number).key("base").uint64(origin.base);
  return json.key("policy").string(origin.policy).key("identity").string(origin.identity).end_object().take();
}

OpOrigin read_origin(std::string_view text) {
  const auto [seq, n, base, policy, identity] = pick_checked<5>(text, {"seq", "n", "base", "policy", "identity"});
  return {count_in(seq), count_in(n), count_in(base), text_of(policy), text_of(identity)};
}

std::optional<CaptureKey> session_of(std::string_view op) {
  const JsonView state = OpMembers(op).state;
  if (!state) return std::nullopt;
  const auto [layout, store, session] = pick_checked<3>(state.raw(), {"layout", "store", "session"});
  return CaptureKey{text_of(layout), text_of(store), text_of(session)};
}

std::vector<std::pair<std::string, std::string>> chunks_of(const SegmentContent& content) {
  std::vector<std::pair<std::string, std::string>> chunks;
  for (const std::string& op : content.ops) {
    const auto [origin, files] = pick_checked<2>(OpMembers(op).state.raw(), {"origin", "files"});
    const std::string policy = text_at(origin, "policy");
    for (const JsonItem& file : files.elements()) {
      for (const JsonItem& block : pick_checked<1>(file.value.raw(), {"add"})[0].elements()) {
        JsonView name = block.value;
        if (name.kind() == JsonKind::array)
          for (const JsonItem& part : block.value.elements()) {
            name = part.value;
            break;
          }
        chunks.emplace_back(name.as_string().value_or(""), policy);
      }
    }
  }
  return chunks;
}

std::uint64_t last_op(const SegmentContent& content) {
  std::uint64_t last = 0;
  for (const std::string& text : content.ops) {
    const OpMembers op(text);
    last = std::max({last, count_in(op.n), count_in(op.state.find("n"))});
  }
  return last;
}

std::uint64_t last_op(const CaptureState& state) {
  std::uint64_t last = 0;
  for (const auto& [key, session] : state.sessions) last = std::max(last, read_origin(session.origin).number);
  return last;
}

Result<void> apply_ops(const Context& context, ArchiveWriter& writer, std::uint64_t seq, const SegmentContent& content,
                       AppliedOps& applied) {
  std::unordered_map<std::string, CaptureKey> by_name;  // the archive's, by drop_name(); cleared on change
  for (const std::string& text : content.ops) {
    const OpMembers op(text);
    const std::string kind = text_of(op.op);
    Result<void> done;
    if (kind == "session") {
      by_name.clear();
      const auto one = apply_session(context, writer, seq, op.state);
      if (!one) done = fail(one.error());
      // Also if it is already applied: a crash may have prevented the rest.
      if (one && one->is_whole) applied.whole.insert(one->key);
      if (one && one->is_new) {
        applied.sessions.insert(one->key);
        applied.dropped.erase(one->key);
      }
    } else if (kind == "drop") {
      if (by_name.empty())
        for (const auto& [key, session] : writer.state().sessions) by_name.emplace(drop_name(key), key);
      const std::string name = text_of(op.of);
      std::string as = session_name(op.as), to = session_name(op.to);
      if (by_name.contains(as))
        applied.replaced.insert(name);
      else if (!as.empty())
        applied.forms[name] = {std::move(as), name};
      if (!to.empty()) applied.forms[name] = {name, std::move(to)};
      const auto known = by_name.find(name);
      if (known == by_name.end()) continue;
      // When read again after a crash, the drop may precede a state that is already here.
      const OpOrigin state = read_origin(writer.state().sessions.at(known->second).origin);
      if (state.seq < seq || (state.seq == seq && state.number < count_in(op.n))) applied.dropped.insert(known->second);
    } else if (kind == "forget") {
      applied.forgotten.merge(forgotten_by(text));
    } else {
      done = bad("is of a kind that this version does not know");
    }
    if (done) continue;
    const Code code = done.error().code;
    if (code != Code::corrupt && code != Code::not_found && code != Code::unsafe_path && code != Code::too_large)
      return done;
    applied.findings.push_back({"segment " + std::to_string(seq), 0, 0, code == Code::not_found ? "erased" : "op",
                                done.error().message + "; it is skipped", 0});
  }
  return {};
}

std::uint64_t forgotten_bytes(const FileVersion& version) {
  return version.agents_size() - std::min(version.size, version.agents_size());
}

Result<bool> drop_replaced(const Context& context, ArchiveWriter& writer,
                           const std::function<bool(const CaptureKey& key, const OpOrigin& origin)>& may_go) {
  HOLDFAST_LET(lines, log_lines(context, writer.root().directory()));
  std::map<CaptureKey, std::size_t> whole;  // index of the last whole state of each session
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (read_origin(lines[i].read.capture.origin).base == 0) whole[lines[i].read.capture.session] = i;
  std::vector<std::string> kept;
  std::unordered_set<std::string> needed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Capture& capture = lines[i].read.capture;
    const auto later = whole.find(capture.session);
    if (later != whole.end() && i < later->second && may_go(capture.session, read_origin(capture.origin))) continue;
    (void)note_names(lines[i].read, writer.packs(), needed);
    kept.push_back(lines[i].bytes);
  }
  if (kept.size() == lines.size()) return false;
  HOLDFAST_TRY(writer.replace_log(context, kept, needed));
  return true;
}

}  // namespace holdfast::inline v1
