// Verify: everything that is wrong in a store, by reading all of it once.
//
// A finding is damage when something was lost or contradicts itself; it is a
// note when nothing was, as with a call that was running when its program was
// killed. The kinds are listed in docs/guides/verify.md.
//
// Reads only; nothing in a store changes (decision 9). Memory: the findings, and
// some bytes for each message, call and file of a session.
// Thread-safety: free functions; a Store may be used by others meanwhile.
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
  std::string session = {};  // empty: of the store as a whole
  Finding found = {};
};

struct VerifyReport {
  std::uint64_t sessions = 0;
  std::uint64_t files = 0;    // that were read
  std::uint64_t records = 0;  // of logs and databases; a document is one
  std::uint64_t bytes = 0;    // of those files
  std::vector<VerifyFinding> damage = {};
  std::vector<VerifyFinding> unreadable = {};  // what could not be looked at: it may be whole
  std::vector<VerifyFinding> notes = {};
};

// Adds what is found in the session `id` (exactly that), or in all of them when
// it is empty, to the report. A session that cannot be read hides no other. Errors: not_found, cancelled,
// deadline_exceeded.
Result<void> verify_store(const Context& context, Store& store, std::string_view id, VerifyReport& report);

// Whether such an error, or finding of that kind, says that something cannot be read here and now, and nothing about
// what is in it.
bool says_unreadable(std::string_view code);

// Every session of several stores.
Result<VerifyReport> verify_stores(const Context& context, std::span<const std::shared_ptr<Store>> stores);

}  // namespace holdfast::inline v1
