// What streams of entries must contain: a second implementation of the transactions
// in docs/formats/holdfast.md, "Entries", which knows nothing of logs. While it is not
// known whether a transaction was applied, every state that it may have left is kept;
// answers rule states out. An answer that fits none of them is a broken promise.
// Plain values; a copy is independent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::lab {

struct ModelEntry {
  std::string name = {};  // of its text: text_of
  std::string uuid = {};  // may be empty
  auto operator<=>(const ModelEntry&) const = default;
};

struct EntryTransaction {
  enum class Kind { append, replace, remove } kind = Kind::append;
  std::string session = {};
  std::string stream = {};  // "": the main one, whose removal removes all streams of the session
  std::vector<ModelEntry> entries = {};
  std::vector<ModelEntry> expected = {};
  std::string operation = {};
  std::string summary = {};  // empty: none
  struct After {
    std::uint64_t changed = 0;  // number of the transaction that changed the stream last; 0: none yet
    std::string version = {};   // what the store calls that
  };
  std::optional<After> after = {};
  std::uint64_t number = 0;  // of this attempt, from 1; no two have the same
};

// What the store answered, or must answer.
struct EntryAnswer {
  std::string error = {};  // name of its code; empty on success
  bool applied = false;    // of a removal: something was removed
  std::uint64_t appended = 0, duplicates = 0, total = 0;
  std::string version = {};
};
std::string text_of(const EntryAnswer& answer);
// Whether the store refused because the transaction does not fit what is there.
bool is_refusal_by_rule(std::string_view error);

struct EntryStream {
  std::vector<ModelEntry> entries = {};
  std::string summary = {};
  std::map<std::string, std::string> operations;  // id and content
  std::uint64_t changed = 0;
  auto operator<=>(const EntryStream&) const = default;
};
// The streams of a session; one that was never written to is absent.
using EntryStreams = std::map<std::string, EntryStream>;

// Applies a transaction, unless it must be refused or was applied before.
EntryAnswer apply(const EntryTransaction& transaction, EntryStreams& streams);
// Whether the store may answer that if the model does. A removal may find the remains of a refused write.
bool agree(const EntryTransaction& transaction, const EntryAnswer& model, const EntryAnswer& store);

// What a reader can see.
struct SeenEntries {
  std::vector<ModelEntry> entries = {};
  std::string summary = {};
  bool operator==(const SeenEntries&) const = default;
};
using SeenStreams = std::map<std::string, SeenEntries>;
SeenStreams visible(const EntryStreams& streams);
std::string text_of(const SeenStreams& seen);

class EntryModel {
 public:
  // At most one transaction per session is in flight. If it is never answered, it may have been applied.
  void attempt(const EntryTransaction& transaction);
  // Returns what is wrong with the answer; empty if it is right.
  std::string answered(const EntryTransaction& transaction, const EntryAnswer& answer);

  // One of the states that are possible now.
  const EntryStreams& some(const std::string& session) const;
  // Empty if no answer named it.
  std::string version(std::uint64_t number) const;
  // The last attempts, oldest first.
  const std::vector<EntryTransaction>& latest() const { return latest_; }

  // What is broken, if the sessions look like this; other sessions have nothing.
  std::vector<std::string> complaints(const std::map<std::string, SeenStreams>& seen) const;
  std::uint64_t size() const;  // entries that must be there

 private:
  std::map<std::string, std::vector<EntryStreams>> possible_;
  std::map<std::string, std::vector<EntryStreams>> before_;  // the transaction in flight
  std::vector<EntryTransaction> latest_;
  std::map<std::uint64_t, std::string> versions_;
  std::vector<std::string> contradictions_;
};

}  // namespace holdfast::lab
