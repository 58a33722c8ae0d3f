// archive.prune: removes old sessions that their agents no longer have (decision 41).
#pragma once

#include "api/call.h"
#include "archive/packs.h"

namespace holdfast::inline v1 {

Result<std::string> prune_archive(Call& call);
Result<std::string> would_prune_archive(Call& call);

std::uint64_t packed_bytes(const Packs& packs);

}  // namespace holdfast::inline v1
