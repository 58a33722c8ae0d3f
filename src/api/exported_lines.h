// A session as `session.export` writes it in the format jsonl, for `session.import`.
#pragma once

#include "api/call.h"

namespace holdfast::inline v1 {

Result<std::string> exported_lines(const Call& call, Store& store, const Transcript& transcript);

}  // namespace holdfast::inline v1
