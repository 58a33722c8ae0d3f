// Sends parcels to a directory that a second machine can read: a mounted or
// copied folder. One folder a subject, in it its newest parcel under the hash of
// its bytes. Format: docs/formats/sync-directory.md.
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <string>

#include "rules/queue/transport.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kSyncFormatFile = "holdfast-sync.json";
inline constexpr std::int64_t kSyncFormatVersion = 1;

class DirectoryTransport final : public Transport {
 public:
  // `directory` is absolute. One that is no sync directory takes nothing, and nothing is made in it.
  DirectoryTransport(FileSystem& files, std::string directory) : files_(files), directory_(std::move(directory)) {}

  Delivered send(const Context& context, const Parcel& parcel) override;

 private:
  Result<void> open(const Context& context);
  Result<void> put(const Context& context, const Parcel& parcel);
  Result<void> sweep(const Context& context, const std::string& origin, const std::string& owner);

  FileSystem& files_;
  std::string directory_;
  std::shared_ptr<Root> root_;
};

// Makes the directory, its parent being there, and marks it as one for parcels; false: it is one already.
Result<bool> make_sync_directory(const Context& context, FileSystem& files, const std::string& directory);
// not_found when it is none, newer_schema.
Result<void> check_sync_directory(Directory& directory);

// "00000007-{sha256}.json" in parts; nullopt for any other name.
struct ParcelName {
  std::uint64_t number = 0;
  std::string hash;
};
std::optional<ParcelName> parcel_name(std::string_view file);
std::string parcel_file(const ParcelName& name);

}  // namespace holdfast::inline v1
