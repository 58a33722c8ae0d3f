// What rescue has to know of one agent, so that the agent loads the clean copy of a
// damaged session: the header of its logs, the shape of its documents, its
// database. Every part is optional; by default there is nothing to know.
// Thread-safety: constant. Lifetime: as long as the program.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/feed.h"
#include "layout/rescued.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// What is left of a log whose header is lost.
struct LogRemains {
  std::span<const RescuedRecord> records;  // that were saved, at least one
  std::string_view name;                   // of the file
  std::string piece = {};                  // of the torn header
};

// A session that is one JSON document.
struct DocumentShape {
  std::string_view list;                                  // the key of its messages
  std::span<const std::string_view> fields;               // that the agent needs beside them
  bool (*is_message)(JsonView element) = nullptr;         // whether an object is one that the agent can load
  std::string_view (*id_in)(std::string_view) = nullptr;  // the id in the file's name, without its ending
};

// A rescued session as its agent takes it in by a command of its own, beside the damaged one.
struct TakenIn {
  std::string id;            // a new one
  std::string bytes;         // of the file
  std::string_view command;  // followed by the file
};

// A header stands among the first records of its log; one further down was written when the agent went on, and does not
// make the agent load a log that begins without one.
inline constexpr std::size_t kHeaderWithin = 8;

class SessionRescue {
 public:
  virtual ~SessionRescue() = default;

  // ---- logs that the agent loads only with a header in front
  virtual bool is_header(JsonView /*record*/) const { return false; }
  // A record of such a log, so its header can be made anew.
  virtual bool follows_header(JsonView /*record*/) const { return false; }
  // Empty: it cannot be made.
  virtual std::string make_header(Feed& /*feed*/, const Place& /*log*/, const LogRemains& /*left*/) const { return {}; }

  // ---- logs whose records are numbered, or say things twice
  // Each record has the number after the one before it; nullopt: it has none.
  virtual std::optional<std::int64_t> number_of(JsonView /*record*/) const { return std::nullopt; }
  // Puts in what is lost and other records repeat; how many were put in.
  virtual std::uint64_t restore(std::vector<RescuedRecord>& /*records*/) const { return 0; }

  // ---- documents
  virtual std::span<const DocumentShape> documents() const { return {}; }

  // ---- databases
  // How the names of those in the first root end that may hold sessions although they
  // cannot be listed; empty: there are none.
  virtual std::string_view database_ending() const { return {}; }
  // What can still be read of a session in a database, as the agent takes it in. nullopt: the place is none.
  virtual Result<std::optional<Rescued>> rescue_rows(Feed& /*feed*/, const Place& /*place*/,
                                                     std::string_view /*session*/) const {
    return std::nullopt;
  }
  // Says of sessions that rows name and no list has, for `verify`: a question over all rows.
  virtual Result<void> look_for_lost(Feed& /*feed*/) const { return {}; }
  // What rescue_rows saved, for the agent to take in; nullopt: it has no command for that.
  virtual std::optional<TakenIn> taken_in(std::string_view /*rescued*/, std::uint64_t /*random*/) const {
    return std::nullopt;
  }
};

// The first string of this key that is whole in a piece of JSON.
std::string string_in_piece(std::string_view piece, std::string_view key);

}  // namespace holdfast::inline v1
