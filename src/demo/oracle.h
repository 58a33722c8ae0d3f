// Records what was acknowledged and verifies that it exists. Relies on nothing but the
// acknowledgements and the bytes that it reads back.
// Thread-safety: one thread.
#pragma once

#include <holdfast/log_reader.h>
#include <holdfast/root.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "demo/messages.h"

namespace holdfast::inline v1 {

// A damaged range: still in a log (then `moved_to` is empty) or moved aside.
struct DemoDamage {
  std::string file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string kind;
  std::string moved_to;
};

struct Findings {
  std::vector<std::string> lost;     // acknowledged, but missing or at another offset
  std::vector<std::string> altered;  // present, but not byte for byte what was written
  std::uint64_t records = 0;         // whole messages read back
  std::uint64_t unacknowledged = 0;  // ... of which were never acknowledged: the writer was killed before
  std::vector<DemoDamage> damage;

  bool good() const { return lost.empty() && altered.empty(); }
};

class Oracle {
 public:
  void acknowledge(const std::string& log, const MessageId& id, std::uint64_t offset, std::uint64_t end);
  void acknowledge_document(const std::string& path, std::uint32_t writer, std::uint64_t number);

  std::uint64_t messages() const { return messages_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t documents() const { return documents_; }

  // Reads everything below `root`, quarantine included.
  Result<Findings> verify(const Context& context, Root& root) const;

 private:
  struct Place {
    MessageId id;
    std::uint64_t end = 0;
  };
  using Places = std::map<std::uint64_t, Place>;  // by offset
  struct Version {
    std::uint32_t writer = 0;
    std::uint64_t number = 0;
  };

  static Result<void> verify_log(const Context& context, Root& root, const std::string& log, const Places& places,
                                 Findings& findings);
  static void verify_document(const Context& context, Root& root, const std::string& path, const Version& version,
                              Findings& findings);

  std::map<std::string, Places> logs_;
  std::map<std::string, Version> versions_;  // the newest acknowledged version
  std::uint64_t messages_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t documents_ = 0;
};

}  // namespace holdfast::inline v1
