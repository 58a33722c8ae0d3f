// Takes what other stores sent to a directory into a store of the same layout,
// which so becomes a mirror of the sessions that were shared with it. Receiving
// twice is receiving once: what is there already is left as it is. The directory
// is only read.
#pragma once

#include <holdfast/store.h>

#include <string>

namespace holdfast::inline v1 {

struct ReceiveOptions {
  std::string origin = {};  // only what this store sent; empty: all but what this store itself did
};

struct ReceivedParcels {
  std::size_t parcels = 0;        // looked at
  std::size_t changes = 0;        // documents and lines that were new or different here
  std::vector<Finding> findings;  // parcels that were left out, and why
};

// not_found: there is no such directory. newer_schema: of a version that this one does not know.
Result<ReceivedParcels> receive_directory(const Context& context, FileSystem& files, const std::string& directory,
                                          Store& into, const ReceiveOptions& options = {});

}  // namespace holdfast::inline v1
