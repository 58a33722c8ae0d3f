// ArchiveWriter::replace_log and the sessions that are forgotten. In this order: what
// is needed of packs that go lies in new ones and is synced; which packs go is noted;
// the log is replaced; the packs go; the note goes.
#include <holdfast/document.h>

#include <algorithm>
#include <map>

#include "archive/archive_writer.h"
#include "archive/finish_rewrite.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

Result<std::uint64_t> ArchiveWriter::copy_needed(const Context& context, std::uint32_t pack,
                                                 const std::unordered_set<std::string>& needed) {
  std::map<std::uint64_t, std::string> order;
  for (const auto& [name, place] : packs_.all()) {
    if (place.pack == pack && needed.contains(name)) order.emplace(place.offset, name);
  }
  std::uint64_t copied = 0;
  for (const auto& [offset, name] : order) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(bytes, packs_.packed(name));
    if (end_ + bytes.size() > kPackBytes) HOLDFAST_TRY(begin_pack());
    const std::uint64_t at = end_;
    const std::uint32_t plain = packs_.find(name)->plain;
    HOLDFAST_TRY(write(bytes));
    packs_.add(name,
               {number_, at + kChunkHeaderBytes, static_cast<std::uint32_t>(bytes.size() - kChunkHeaderBytes), plain});
    packs_.set_end(number_, end_);
    copied += bytes.size();
  }
  return copied;
}

Result<Rewritten> ArchiveWriter::replace_log(const Context& context, const std::vector<std::string>& lines,
                                             const std::unordered_set<std::string>& needed) {
  HOLDFAST_TRY(commit(context));
  HOLDFAST_TRY(sync_pack());
  if (broken_) return fail(Code::poisoned, "the archive could not be written to before", pack_path(number_));
  Rewritten done;
  std::map<std::uint32_t, std::uint64_t> used;
  for (const auto& [name, place] : packs_.all()) {
    if (needed.contains(name)) used[place.pack] += kChunkHeaderBytes + place.packed;
  }
  std::vector<std::uint32_t> going;
  std::map<std::uint32_t, std::uint64_t> sizes;
  for (const auto& [pack, end] : packs_.ends()) {
    HOLDFAST_LET(stat, root_->directory().stat(pack_path(pack)));
    if (used[pack] != stat.size || stat.size == 0) sizes[pack] = stat.size;
  }
  // From here on nobody adds to a pack that goes.
  if (!sizes.empty()) HOLDFAST_TRY(begin_pack());
  for (const auto& [pack, size] : sizes) {
    auto copied = copy_needed(context, pack, needed);
    // What cannot be read may still be of use to somebody: the pack stays.
    if (!copied && copied.error().code == Code::corrupt) {
      done.findings.push_back({pack_path(pack), 0, 0, "corrupt",
                               copied.error().message + "; the pack stays as it is, with all that is in it", 0});
      continue;
    }
    if (!copied) return fail(std::move(copied).error());
    done.bytes_kept += *copied;
    done.bytes_gone += size;
    going.push_back(pack);
  }
  done.packs = going.size();
  HOLDFAST_TRY(sync_pack());
  HOLDFAST_TRY(log_->close(context));
  broken_ = true;
  std::string log;
  for (const std::string& line : lines) (log += line) += '\n';
  HOLDFAST_TRY(note_rewrite(context, *root_, log, going));
  HOLDFAST_TRY(replace_document(context, *root_, kCaptureLog, log, {.backup = false}));
  HOLDFAST_TRY(finish_rewrite(context, *root_));
  for (const std::uint32_t pack : going) packs_.remove(pack);
  if (pack_) write_index(context);
  return done;
}

Result<void> ArchiveWriter::load_forgotten() {
  auto file = root_->directory().open(kForgotten, OpenMode::read);
  if (!file && file.error().code == Code::not_found) return {};
  if (!file) return fail(std::move(file).error());
  HOLDFAST_LET(stat, (*file)->stat());
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  if (stat.size > kMost) return fail(Code::too_large, "too many sessions are forgotten", std::string(kForgotten));
  std::string text(static_cast<std::size_t>(stat.size), '\0');
  HOLDFAST_LET(count, (*file)->read_at(0, text));
  text.resize(count);
  // Nothing is captured that somebody wanted forgotten because the list of it is broken.
  if (!check_json(text).ok())
    return fail(Code::corrupt, "the list of what is forgotten is no JSON", std::string(kForgotten));
  const auto text_at = [](JsonView object, std::string_view key) { return object.find(key).as_string().value_or(""); };
  for (const JsonItem& item : JsonView(text).find("sessions").elements())
    forgotten_.insert({text_at(item.value, "layout"), text_at(item.value, "store"), text_at(item.value, "session")});
  return {};
}

Result<void> ArchiveWriter::note_forgotten(const Context& context, const std::set<CaptureKey>& sessions) {
  forgotten_.insert(sessions.begin(), sessions.end());
  JsonWriter json;
  json.begin_object().key("sessions").begin_array();
  for (const CaptureKey& key : forgotten_) {
    json.begin_object().key("layout").string(key.layout).key("store").string(key.store);
    json.key("session").string(key.id).end_object();
  }
  const std::string text = json.end_array().end_object().take() + "\n";
  HOLDFAST_TRY(replace_document(context, *root_, kForgotten, text, {.backup = false}));
  return {};
}

}  // namespace holdfast::inline v1
