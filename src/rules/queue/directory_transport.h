// Sends parcels to a directory that a second machine can read: a mounted or copied
// folder. Each subject has one folder with its newest parcel, named by the hash of its
// bytes. Format: docs/formats/sync-directory.md.
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
  // `directory` is absolute. If it is not a sync directory, sends fail and nothing is created in it.
  DirectoryTransport(FileSystem& files, std::string directory) : files_(files), directory_(std::move(directory)) {}

  DeliveryResult send(const Context& context, const Parcel& parcel) override;

 private:
  Result<void> open(const Context& context);
  Result<void> put(const Context& context, const Parcel& parcel);
  Result<void> sweep(const Context& context, const std::string& origin, const std::string& owner);

  FileSystem& files_;
  std::string directory_;
  std::shared_ptr<Root> root_;
};

// Creates the directory, whose parent must exist, and marks it as one for parcels; returns false if it is one already.
Result<bool> make_sync_directory(const Context& context, FileSystem& files, const std::string& directory);
// Fails with not_found if it is not a sync directory, or with newer_schema.
Result<void> check_sync_directory(Directory& directory);

// The parts of "00000007-{sha256}.json"; nullopt for any other name.
struct ParcelName {
  std::uint64_t number = 0;
  std::string hash;
};
std::optional<ParcelName> parcel_name(std::string_view file);
std::string parcel_file(const ParcelName& name);

}  // namespace holdfast::inline v1
