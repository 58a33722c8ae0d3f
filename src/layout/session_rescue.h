// What rescue has to know about an agent so that the agent loads the clean copy of a
// damaged session: the header of its logs, the shape of its documents, its database.
// Every part is optional; the defaults do nothing.
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

struct SessionRef;

// What is left of a log whose header is lost.
struct HeaderlessLog {
  std::span<const RescuedRecord> records;  // that were saved, at least one
  std::string_view name;                   // of the file
  std::string piece = {};                  // what is left of the torn header
};

// A session that is one JSON document.
struct DocumentShape {
  std::string_view list;                                  // the key of its list of messages
  std::span<const std::string_view> fields;               // other members that the agent requires
  bool (*is_message)(JsonView element) = nullptr;         // whether the agent can load an object as a message
  std::string_view (*id_in)(std::string_view) = nullptr;  // the id in a file name without its extension
};

// A rescued session in the form that the agent's own import command accepts, beside the damaged one.
struct ImportableSession {
  std::string id;            // a new one
  std::string bytes;         // of the file to import
  std::string_view command;  // followed by the file
};

// A header is among the first records of its log. A later one was written when the agent resumed, and does not make the
// agent load a log that begins without one.
inline constexpr std::size_t kHeaderWithin = 8;

class SessionRescue {
 public:
  virtual ~SessionRescue() = default;

  // ---- logs that the agent loads only with a header in front
  virtual bool is_header(JsonView /*record*/) const { return false; }
  // Whether the record is from a log with such a header, so that its header can be rebuilt.
  virtual bool follows_header(JsonView /*record*/) const { return false; }
  // Empty if the header cannot be rebuilt.
  virtual std::string make_header(Feed& /*feed*/, const Place& /*log*/, const HeaderlessLog& /*left*/) const {
    return {};
  }

  // ---- logs whose records are numbered, or repeat each other
  // The record's number, one more than that of the record before it; nullopt if it has none.
  virtual std::optional<std::int64_t> number_of(JsonView /*record*/) const { return std::nullopt; }
  // Inserts lost records that other records repeat; returns how many.
  virtual std::uint64_t restore(std::vector<RescuedRecord>& /*records*/) const { return 0; }

  // ---- sessions in several logs
  // The session's logs after its first one, if the records of all of them, one log after the other, are a log of the
  // whole session.
  virtual std::vector<std::string> further_logs(const SessionRef& /*ref*/) const { return {}; }

  // ---- documents
  virtual std::span<const DocumentShape> documents() const { return {}; }

  // ---- databases
  // Suffix of the databases in the first root that may hold sessions although they
  // cannot be listed; empty if there are none.
  virtual std::string_view database_ending() const { return {}; }
  // What can still be read of a session in a database, in the form that the agent imports. nullopt if `place` is not a
  // database.
  virtual Result<std::optional<Rescued>> rescue_rows(Feed& /*feed*/, const Place& /*place*/,
                                                     std::string_view /*session*/) const {
    return std::nullopt;
  }
  // Reports sessions that rows name but no list contains, for `verify`. Queries all rows.
  virtual Result<void> report_lost_sessions(Feed& /*feed*/) const { return {}; }
  // Converts the result of rescue_rows for the agent's import command; nullopt if the agent has none.
  virtual std::optional<ImportableSession> as_importable(std::string_view /*rescued*/, std::uint64_t /*random*/) const {
    return std::nullopt;
  }
};

// The first complete string with this key in a piece of JSON.
std::string string_in_piece(std::string_view piece, std::string_view key);

}  // namespace holdfast::inline v1
