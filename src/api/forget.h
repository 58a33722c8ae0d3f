// session.forget: what goes from everything that Holdfast keeps, and never comes back (decision 41).
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "api/call.h"
#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

Result<std::string> forget_sessions(Call& call);
Result<std::string> would_forget(Call& call);

// Whether something that is forgotten may still be in the archive, because a crash came between.
bool is_half_forgotten(const ArchiveWriter& writer);
// Makes it go. The writer can only be closed afterwards.
Result<void> finish_forgetting(const Call& call, ArchiveWriter& writer);

// not_found, and no archive is made, when there is none.
Result<std::unique_ptr<ArchiveWriter>> open_archive_writer(const Call& call);
void write_keys(JsonWriter& json, std::string_view name, const std::set<CaptureKey>& keys);
std::string names_of(const std::set<CaptureKey>& keys);  // the first ten

}  // namespace holdfast::inline v1
