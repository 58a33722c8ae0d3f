#include "rules/workflow/cache_entry.h"

#include <holdfast/document.h>

#include <cstdlib>

#include "base/ascii.h"
#include "base/hash.h"
#include "disk/staged.h"
#include "model/time_formats.h"
#include "store/engine.h"
#include "store/record_codec.h"
#include "store/record_lookup.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kToldAfter = 3;
// The last member: 32 hex digits of the hash of everything before it.
constexpr std::string_view kCheck = ",\"check\":\"";
constexpr std::size_t kCheckSize = kCheck.size() + 32 + 2;

std::string file_id(std::string_view key) { return in_upper_case(sha256_hex(key).substr(0, 16)); }

bool has_check(std::string_view bytes) {
  return bytes.size() > kCheckSize && bytes.ends_with("\"}") &&
         bytes.substr(bytes.size() - kCheckSize).starts_with(kCheck);
}

bool check_holds(std::string_view bytes) {
  return xxh3_hex(bytes.substr(0, bytes.size() - kCheckSize)) == bytes.substr(bytes.size() - 34, 32);
}

}  // namespace

std::string utc_ticks(std::int64_t ns) {
  const std::chrono::system_clock::time_point time{std::chrono::nanoseconds(ns)};
  std::string text = format_dotnet_time(time);
  text.resize(text.rfind('+'));
  return text + "Z";
}

Result<CacheEntry> CacheEntry::open(Store& store, std::string_view kind, std::string_view key) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(shape, shape_of_kind(files->layout(), kind));
  HOLDFAST_LET(root, files->roots().root(shape->root));
  const std::string id = file_id(key);
  std::string mark = root->side("cache-failures", std::string(kind) + "." + id);
  return CacheEntry(std::move(root), record_path(*shape, {}, id), std::move(mark), files->roots().writable());
}

std::optional<std::string> CacheEntry::read() {
  auto bytes = read_whole(root_->directory(), path_);
  if (!bytes) {
    if (bytes.error().code != Code::not_found) failed(bytes.error().message);
    return std::nullopt;
  }
  if (has_check(*bytes) && check_holds(*bytes)) {
    ours_ = true;
    return std::move(*bytes);
  }
  if (!has_check(*bytes) && check_json(*bytes).ok() && JsonView(*bytes).kind() == JsonKind::object)
    return std::move(*bytes);
  failed("the entry was damaged");
  return std::nullopt;
}

void CacheEntry::good() {
  if (writable_ && root_->directory().exists(mark_)) (void)root_->directory().remove(mark_);
}

void CacheEntry::keep(const Context& context, std::string_view json) {
  if (!writable_) return;
  std::string bytes(json.substr(0, json.size() - 1));
  const std::string hash = xxh3_hex(bytes);
  bytes.append(kCheck).append(hash).append("\"}");
  ReplaceOptions options;
  options.backup = false;
  options.durability = Durability::none;
  auto kept = replace_document(context, *root_, path_, bytes, options);
  if (!kept) failed(kept.error().message);
}

void CacheEntry::failed(std::string_view why) {
  if (!writable_ || counted_) return;
  counted_ = true;
  const auto before = read_whole(root_->directory(), mark_);
  const int count = (before ? std::atoi(before->c_str()) : 0) + 1;
  ReplaceOptions options;
  options.backup = false;
  options.durability = Durability::none;
  (void)replace_document({}, *root_, mark_, std::to_string(count), options);
  if (count < kToldAfter) return;
  finding_ = Finding{path_,
                     0,
                     0,
                     "cache_failing",
                     "could not be stored " + std::to_string(count) + " times in a row: " + std::string(why),
                     0};
}

}  // namespace holdfast::inline v1
