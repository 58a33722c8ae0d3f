#include "archive/capture.h"

#include <algorithm>

#include "base/hash.h"
#include "base/safe_name.h"
#include "layout/json_pick_checked.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

Failure bad(std::string_view why) { return fail(Code::corrupt, "no capture: " + std::string(why)); }

std::uint64_t count_in(JsonView value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value.as_int64().value_or(0), 0));
}

// The last member of a line: CRC-32C of all bytes before it.
constexpr std::string_view kSum = ",\"crc\":\"";
constexpr std::size_t kSumDigits = 8;

std::string sum_of(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::uint32_t sum = crc32c(bytes);
  std::string text(kSumDigits, '0');
  for (std::size_t i = kSumDigits; i-- > 0; sum >>= 4U) text[i] = kHex[sum & 15U];
  return text;
}

void write_block(JsonWriter& json, const FileBlock& block) {
  if (block.size == kBlockBytes)
    json.string(block.name);
  else
    json.begin_array().string(block.name).uint64(block.size).end_array();
}

// "NAME", or ["NAME",SIZE]
Result<FileBlock> read_block(JsonView value) {
  FileBlock block;
  if (value.kind() == JsonKind::array) {
    std::vector<JsonView> parts;
    for (const JsonItem& part : value.elements()) parts.push_back(part.value);
    const auto size = parts.size() == 2 ? parts[1].as_int64().value_or(0) : 0;
    if (size <= 0 || static_cast<std::uint64_t>(size) >= kBlockBytes) return bad("a block has no size");
    block.size = static_cast<std::uint32_t>(size);
    value = parts[0];
  }
  block.name = value.as_string().value_or("");
  if (!is_chunk_name(block.name)) return bad("a block has no name");
  return block;
}

Result<void> read_blocks(JsonView added, JsonView hash, const Versions& base, const Place& place, std::size_t keep,
                         FileVersion& version) {
  if (keep > 0) {
    const auto before = base.find(place);
    if (before == base.end() || before->second->blocks.size() < keep) return bad("its base has fewer blocks");
    const auto& kept = before->second->blocks;
    version.blocks.assign(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(keep));
  }
  for (const JsonItem& item : added.elements()) {
    HOLDFAST_LET(block, read_block(item.value));
    version.blocks.push_back(std::move(block));
  }
  std::uint64_t size = 0;
  for (const FileBlock& block : version.blocks) size += block.size;
  if (size != version.size) return bad("its blocks do not add up to the size of the file");
  if (version.hash() != text_of(hash)) return bad("its blocks are not those that were captured");
  return {};
}

}  // namespace

std::string FileVersion::hash() const {
  std::string names;
  for (const FileBlock& block : blocks) (names += block.name) += '\n';
  return sha256_hex(names);
}

std::size_t FileVersion::sealed() const {
  std::size_t count = 0;
  while (count < blocks.size() && blocks[count].size == kBlockBytes) ++count;
  return count;
}

std::uint64_t CapturedSession::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [place, version] : head) sum += version->size;
  return sum;
}

std::uint64_t CapturedSession::lacks() const {
  std::uint64_t sum = 0;
  for (const auto& [place, version] : head) sum += version->lacks;
  return sum;
}

std::string write_files(const std::vector<FileChange>& files) {
  JsonWriter json;
  json.begin_array();
  for (const FileChange& file : files) {
    json.begin_object().key("root").string(file.place.root).key("path").string(file.place.path);
    if (file.moved) {
      json.key("moved").boolean(true).end_object();
      continue;
    }
    const FileVersion& version = *file.version;
    json.key("size").uint64(version.size).key("mode").uint64(version.mode).key("mtime_ns").int64(version.mtime_ns);
    json.key("ctime_ns").int64(version.ctime_ns).key("inode").uint64(version.inode);
    json.key("hash").string(version.hash());
    if (version.worse) json.key("worse").boolean(true);
    if (version.gone) json.key("gone").boolean(true);
    if (version.holed != 0) json.key("holed").uint64(version.holed);
    if (version.lacks != 0) json.key("lacks").uint64(version.lacks);
    json.key("keep").uint64(file.keep).key("add").begin_array();
    for (std::size_t i = file.keep; i < version.blocks.size(); ++i) write_block(json, version.blocks[i]);
    json.end_array().end_object();
  }
  return json.end_array().take();
}

std::string write_capture(const Capture& capture, std::string_view files, const std::vector<std::string>& chunks) {
  JsonWriter json;
  json.begin_object().key("n").uint64(capture.number).key("base").uint64(capture.base).key("at").string(capture.at);
  json.key("device").string(capture.device).key("layout").string(capture.session.layout);
  json.key("store").string(capture.session.store).key("session").string(capture.session.id);
  if (!capture.first_at.empty()) json.key("first_at").string(capture.first_at);
  if (capture.inner) json.key("inner").boolean(true);
  json.key("row").raw(capture.row.empty() ? "{}" : capture.row);
  if (!capture.origin.empty()) json.key("origin").raw(capture.origin);
  if (chunks.empty()) {
    json.key("files").raw(files);
  } else {
    json.key("files_in").strings(chunks);
  }
  return with_checksum(json.end_object().take());
}

std::string with_checksum(std::string object) {
  object.pop_back();
  const std::string sum = sum_of(object);
  return object.append(kSum).append(sum).append("\"}");
}

bool has_right_checksum(std::string_view line) {
  constexpr std::size_t kSize = kSum.size() + kSumDigits + 2;
  if (line.size() <= kSize || !line.ends_with("\"}")) return true;
  const std::string_view sum = line.substr(line.size() - kSize), rest = line.substr(0, line.size() - kSize);
  return !sum.starts_with(kSum) || sum.substr(kSum.size(), kSumDigits) == sum_of(rest);
}

Result<CaptureLine> read_capture(std::string_view line) {
  if (!has_right_checksum(line)) return bad("it differs from the line that was written");
  const auto [n, base, at, device, first_at, layout, store, session, inner, row, origin, files_in, files] =
      pick_checked<13>(line, {"n", "base", "at", "device", "first_at", "layout", "store", "session", "inner", "row",
                              "origin", "files_in", "files"});
  CaptureLine read;
  Capture& capture = read.capture;
  capture.number = count_in(n);
  capture.base = count_in(base);
  capture.at = text_of(at);
  capture.device = text_of(device);
  capture.first_at = text_of(first_at);
  capture.session = {text_of(layout), text_of(store), text_of(session)};
  capture.inner = inner.as_bool().value_or(false);
  capture.row = row.raw();
  capture.origin = origin.raw();
  if (capture.number == 0 || capture.session.layout.empty() || capture.session.id.empty())
    return bad("it names no session");
  for (const JsonItem& item : files_in.elements()) {
    read.chunks.push_back(item.value.as_string().value_or(""));
    if (!is_chunk_name(read.chunks.back())) return bad("it names no chunk");
  }
  if (read.chunks.empty()) read.files = files.raw();
  return read;
}

Result<std::vector<FileChange>> read_files(std::string_view array, const Versions& base, bool is_checked) {
  if ((!is_checked && !check_json(array).ok()) || JsonView(array).kind() != JsonKind::array)
    return bad("it has no files");
  std::vector<FileChange> files;
  JsonCursor items(array);
  items.enter_array();
  while (items.next_element()) {
    const auto [root, path, moved, size, mode, mtime, ctime, inode, worse, gone, holed, lacks, keep, add, hash] =
        pick_checked<15>(items.skip_raw(), {"root", "path", "moved", "size", "mode", "mtime_ns", "ctime_ns", "inode",
                                            "worse", "gone", "holed", "lacks", "keep", "add", "hash"});
    FileChange change{.place = {text_of(root), text_of(path)}};
    HOLDFAST_TRY(check_relative_path(change.place.path));
    change.moved = moved.as_bool().value_or(false);
    if (!change.moved) {
      auto version = std::make_shared<FileVersion>();
      version->size = count_in(size);
      version->mode = static_cast<std::uint32_t>(count_in(mode));
      version->mtime_ns = mtime.as_int64().value_or(0);
      version->ctime_ns = ctime.as_int64().value_or(0);
      version->inode = count_in(inode);
      version->worse = worse.as_bool().value_or(false);
      version->gone = gone.as_bool().value_or(false);
      version->holed = count_in(holed);
      version->lacks = count_in(lacks);
      change.keep = count_in(keep);
      HOLDFAST_TRY(read_blocks(add, hash, base, change.place, change.keep, *version));
      change.version = std::move(version);
    }
    files.push_back(std::move(change));
  }
  return files;
}

bool is_holed(const Capture& capture) {
  return std::ranges::any_of(
      capture.files, [](const FileChange& file) { return file.version != nullptr && file.version->holed != 0; });
}

bool is_holed(const CapturedSession& session) {
  return std::ranges::any_of(session.last, [](const auto& file) { return file.second->holed != 0; });
}

std::string without_texts(std::string_view row) {
  JsonWriter json;
  json.begin_object();
  for (const JsonItem& field : JsonView(row).fields()) {
    const std::string key = field.key();
    if (key != "title" && key != "first_prompt") json.key(key).raw(field.value.raw());
  }
  return json.end_object().take();
}

void fold(const Capture& capture, CapturedSession& session) {
  if (session.number == 0) session.first_at = capture.first_at.empty() ? capture.at : capture.first_at;
  session.number = capture.number;
  session.at = capture.at;
  session.inner = capture.inner;
  session.row = capture.row;
  session.device = capture.device;
  session.origin = capture.origin;
  if (session.shown_at.empty()) session.shown_at = session.first_at;
  for (const FileChange& file : capture.files) {
    if (!file.moved && !file.version->worse && !file.version->gone) session.shown_at = capture.at;
    if (file.moved) {
      session.last.erase(file.place);
      session.head.erase(file.place);
      continue;
    }
    session.last[file.place] = file.version;
    if (!file.version->worse) session.head[file.place] = file.version;
    if (!file.version->worse) continue;
    // A damaged NAME.zst does not stand beside the log that it was made from.
    const std::string_view path = file.place.path;
    const bool packed = path.ends_with(".zst") &&
                        session.head.contains({file.place.root, std::string(path.substr(0, path.size() - 4))});
    const auto shown = session.head.find(file.place);
    if (shown == session.head.end() && !packed)
      session.head[file.place] = file.version;
    else if (packed && shown != session.head.end() && shown->second->blocks == file.version->blocks)
      session.head.erase(shown);
  }
}

}  // namespace holdfast::inline v1
