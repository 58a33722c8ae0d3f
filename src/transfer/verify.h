// Verify: everything that is wrong in a store, by reading all of it once.
//
// A finding is damage if something was lost or is contradictory. It is a note if
// nothing was lost, as with a call that was running when its program was killed. The
// kinds are listed in docs/guides/verify.md.
//
// Only reads; nothing in a store changes (decision 9). Memory: the findings, and a few
// bytes for each message, call and file of a session.
// Thread-safety: free functions; others may use the Store at the same time.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct VerifyFinding {
  std::string store = {};    // its name
  std::string session = {};  // empty for the store as a whole
  Finding found = {};
};

struct VerifyReport {
  std::uint64_t sessions = 0;
  std::uint64_t files = 0;    // that were read
  std::uint64_t records = 0;  // of logs and databases; a document is one
  std::uint64_t bytes = 0;    // of those files
  std::vector<VerifyFinding> damage = {};
  std::vector<VerifyFinding> unreadable = {};  // could not be read; may be whole
  std::vector<VerifyFinding> notes = {};
};

// Adds the findings in the session with exactly the id `id`, or in all sessions if it is empty, to the
// report. A session that cannot be read does not hide others. Fails with not_found, cancelled or
// deadline_exceeded.
Result<void> verify_store(const Context& context, Store& store, std::string_view id, VerifyReport& report);

// Whether this error code or kind of finding means that something cannot be read here and now, and says nothing
// about its content.
bool is_unreadable_code(std::string_view code);

// Every session of several stores.
Result<VerifyReport> verify_stores(const Context& context, std::span<const std::shared_ptr<Store>> stores);

}  // namespace holdfast::inline v1
