// The roles of the storm's children. A role runs until it is killed, or for
// job.limit operations. It reports an intent before each operation and an
// acknowledgement after the library gave one. It never retries after an error.
#pragma once

#include <holdfast/root.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storm_wire.h"

namespace holdfast::lab {

using Role = int (*)(const Job&);
const std::vector<std::pair<std::string_view, Role>>& storm_roles();

// storm_role_logs.cc
int role_append(const Job& job);   // AppendLog, all durabilities, batches, sometimes two threads
int role_foreign(const Job& job);  // plain open(O_APPEND) and write(), never looks at the content
int role_read(const Job& job);     // follows a log and reports every record it sees
int role_compact(const Job& job);  // rewrites a log of ours under its lock, like a repair
int role_soak(const Job& job);     // appends job.limit records and reports only the end
int role_soak_foreign(const Job& job);

// storm_role_stores.cc
int role_document(const Job& job);  // increments a number in one document, with the revision it read
int role_commit(const Job& job);    // two documents, a log and a link in two roots, one number in all
int role_counter(const Job& job);   // next_number
int role_lease(const Job& job);     // acquires or takes over a lease, and keeps checking it

// A document of the storm: {"n":17,...}, and its number; nullopt if the text is not a whole one.
std::string make_document(std::uint64_t seed, std::uint64_t number, std::uint64_t writer, Profile profile);
std::optional<std::uint64_t> document_number(std::string_view text);
// The line of a commit.
std::string make_commit_line(std::uint64_t number, std::uint64_t writer);

// Names that the roles and the oracle share.
inline constexpr std::string_view kDocument = "state/count.json";
inline constexpr std::string_view kCommitOne = "one.json";
inline constexpr std::string_view kCommitTwo = "sub/two.json";
inline constexpr std::string_view kCommitLog = "steps.jsonl";
inline constexpr std::string_view kCommitLink = "current";
inline constexpr std::string_view kCounter = "tickets";
inline constexpr std::string_view kLease = "worker";

// A child that cannot continue reports why and ends; the parent judges.
int trouble(const Job& job, bool opening, std::string_view what);
std::optional<std::shared_ptr<Root>> open_root(const Job& job, const std::string& path);

}  // namespace holdfast::lab
