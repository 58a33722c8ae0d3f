// session.forget: removes sessions or a text from everything that Holdfast keeps, for good (decision 41).
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "archive/archive_writer.h"
#include "archive/rewrite_archive.h"

namespace holdfast::inline v1 {

Result<std::string> forget_sessions(Call& call);
Result<std::string> would_forget(Call& call);

// Whether something that was to be forgotten may still be there, because forgetting was interrupted or ran out of
// space.
bool is_half_forgotten(const Forgotten& forgotten, const CaptureState& state);
// Completes that. Afterwards the writer can only be closed.
Result<void> finish_forgetting(const Call& call, ArchiveWriter& writer);

// Fails with not_found if there is no archive; does not create one.
Result<std::unique_ptr<ArchiveWriter>> open_archive_writer(const Call& call);
// For what makes the archive smaller: sets damage in the log aside first, and notes that lines are missing. Fails with
// corrupt if captures that cannot be read are left in the log, because their chunks may come back.
Result<std::unique_ptr<ArchiveWriter>> open_archive_to_shrink(const Call& call, std::vector<Finding>& findings,
                                                              UnreadableLists lists = UnreadableLists::stay);
void write_keys(JsonWriter& json, std::string_view name, const std::set<CaptureKey>& keys);
std::string names_of(const std::set<CaptureKey>& keys);  // the first ten

}  // namespace holdfast::inline v1
