// Copies what other stores sent to a directory into a store of the same layout, which
// becomes a mirror of the sessions shared with it. Idempotent: what is there already
// stays unchanged. The directory is only read.
#pragma once

#include <holdfast/store.h>

#include <string>

namespace holdfast::inline v1 {

struct ReceiveOptions {
  std::string origin = {};  // only from this store; empty: all except the receiving store itself
};

struct ReceivedParcels {
  std::size_t parcels = 0;        // examined
  std::size_t changes = 0;        // documents and lines that were new or different
  std::vector<Finding> findings;  // parcels that were skipped, and why
};

// Fails with not_found if there is no such directory, with newer_schema if its version is unknown.
Result<ReceivedParcels> receive_directory(const Context& context, FileSystem& files, const std::string& directory,
                                          Store& into, const ReceiveOptions& options = {});

}  // namespace holdfast::inline v1
