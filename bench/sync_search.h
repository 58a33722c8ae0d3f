// How fast the server of a team finds words, and how large its tables for search are.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "bench/table.h"

namespace holdfast::bench {

// So that the first page of the list is full, and every rare word is in ten messages.
constexpr std::size_t kFewestMessages = 3000;

struct SyncSearch {
  std::string owner, member;  // addresses of one tenant's schema, as its owner and as a role that may only search it
  std::string schema;
  std::size_t messages = 0;
  std::function<std::string(const std::string& statement)> ask;  // by SQL, as the owner of everything
};
// Fills the empty tables with made-up messages, as remote index does, and searches them.
Group measure_sync_search(const SyncSearch& request);

}  // namespace holdfast::bench
