#include "rules/queue/directory_transport.h"

#include <holdfast/document.h>

#include <charconv>

#include "base/hash.h"
#include "base/safe_name.h"
#include "disk/staged.h"
#include "text/json_value.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kDigits = 8;

constexpr std::string_view kFormatText = "{\"format\":\"holdfast-sync\",\"version\":1}\n";

Failure no_sync_directory(const std::string& directory) {
  return fail(Code::not_found,
              "this is not a sync directory; run holdfast queue init --directory " + shell_word(directory) +
                  " to turn it into one",
              directory);
}

}  // namespace

std::optional<ParcelName> parcel_name(std::string_view file) {
  ParcelName name;
  if (file.size() != kDigits + 1 + 64 + 5 || file[kDigits] != '-' || !file.ends_with(".json")) return std::nullopt;
  const auto [end, error] = std::from_chars(file.data(), file.data() + kDigits, name.number);
  if (error != std::errc() || end != file.data() + kDigits) return std::nullopt;
  name.hash = file.substr(kDigits + 1, 64);
  if (!is_sha256_hex(name.hash)) return std::nullopt;
  return name;
}

std::string parcel_file(const ParcelName& name) {
  std::string digits = std::to_string(name.number);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return digits + "-" + name.hash + ".json";
}

Result<void> check_sync_directory(Directory& directory) {
  const auto format = read_whole(directory, kSyncFormatFile);
  if (!format && format.error().code == Code::not_found) return no_sync_directory(directory.path());
  if (!format) return fail(format.error());
  const JsonView json(*format);
  if (!json.find("format").is_string("holdfast-sync")) return no_sync_directory(directory.path());
  if (json.find("version").as_int64().value_or(0) > kSyncFormatVersion)
    return fail(Code::newer_schema, "the sync directory was made by a newer version", directory.path());
  return {};
}

Result<bool> make_sync_directory(const Context& context, FileSystem& files, const std::string& directory) {
  RootOptions options;
  options.create = true;
  HOLDFAST_LET(root, Root::open(context, files, directory, options));
  const auto format = root->directory().stat(kSyncFormatFile);
  if (!format && format.error().code != Code::not_found) return fail(format.error());
  if (format) {
    HOLDFAST_TRY(check_sync_directory(root->directory()));
    return false;
  }
  // Concurrent creators write the same bytes.
  HOLDFAST_TRY(replace_document(context, *root, kSyncFormatFile, kFormatText));
  return true;
}

Result<void> DirectoryTransport::open(const Context& context) {
  if (root_) return {};
  {
    // Check before creating anything: the mount point of an unmounted share is an empty directory.
    auto directory = files_.open_directory(directory_, false);
    if (!directory && directory.error().code == Code::not_found) return no_sync_directory(directory_);
    if (!directory) return fail(std::move(directory).error());
    HOLDFAST_TRY(check_sync_directory(**directory));
  }
  HOLDFAST_LET(root, Root::open(context, files_, directory_, {}));
  root_ = std::move(root);
  return {};
}

Result<void> DirectoryTransport::put(const Context& context, const Parcel& parcel) {
  HOLDFAST_TRY(open(context));
  if (!is_safe_name(parcel.origin) || !is_safe_name(parcel.item))
    return fail(Code::unsafe_path, "not a valid name: " + parcel.origin + "/" + parcel.item);
  HOLDFAST_LET(text, parcel_text(parcel));
  const std::string folder = parcel.origin + "/" + parcel.item;
  std::vector<ParcelName> there;
  auto entries = root_->directory().list(folder);
  if (!entries && entries.error().code != Code::not_found) return fail(std::move(entries).error());
  ParcelName last;
  if (entries) {
    for (const DirectoryEntry& entry : *entries) {
      if (auto name = parcel_name(entry.name)) there.push_back(std::move(*name));
    }
  }
  for (const ParcelName& name : there) {
    if (name.number >= last.number) last = name;
  }
  const ParcelName name{last.number + 1, sha256_hex(text)};
  if (name.hash != last.hash) {  // else it was sent before, but not recorded
    ReplaceOptions options;
    options.expected = std::string(kAbsent);
    options.backup = false;
    HOLDFAST_TRY(replace_document(context, *root_, folder + "/" + parcel_file(name), text, options));
    // The newest parcel is complete. Old ones that cannot be removed now do no harm.
    for (const ParcelName& old : there) (void)root_->directory().remove(folder + "/" + parcel_file(old));
  }
  if (!parcel.payload && parcel.subject.entity != "message") return sweep(context, parcel.origin, parcel.subject.id);
  return {};
}

// Parcels that belonged to something deleted must not stay readable here.
Result<void> DirectoryTransport::sweep(const Context& context, const std::string& origin, const std::string& owner) {
  Directory& directory = root_->directory();
  HOLDFAST_LET(items, directory.list(origin));
  for (const DirectoryEntry& item : items) {
    HOLDFAST_TRY(context.check());
    if (item.kind != FileKind::directory) continue;
    HOLDFAST_LET(files, directory.list(origin + "/" + item.name));
    for (const DirectoryEntry& file : files) {
      const std::string path = origin + "/" + item.name + "/" + file.name;
      const auto text = parcel_name(file.name) ? read_whole(directory, path) : fail(Code::not_found, "no parcel");
      if (text && JsonView(*text).find("owner").is_string(owner)) HOLDFAST_TRY(directory.remove(path));
    }
  }
  return {};
}

DeliveryResult DirectoryTransport::send(const Context& context, const Parcel& parcel) {
  auto done = put(context, parcel);
  if (done) return {};
  root_.reset();  // reopen, in case the directory was unmounted
  return {Delivery::retryable, done.error().text()};
}

}  // namespace holdfast::inline v1
