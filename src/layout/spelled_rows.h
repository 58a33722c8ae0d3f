// Sessions that are rows of a database, as files that say the same: what an archive
// keeps of them. The layout reads such a file like a session of its own.
// Thread-safety: constant. Lifetime: as long as the program.
#pragma once

#include <holdfast/error.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/feed.h"
#include "layout/place.h"

namespace holdfast::inline v1 {

struct SessionRef;

class SpelledRows {
 public:
  virtual ~SpelledRows() = default;

  // The name of the file, which no file of the agent has unless it says the same; nullopt: the session lies in no
  // database.
  virtual std::optional<Place> place(const SessionRef& ref) const = 0;
  // Another one whenever the rows are others.
  virtual Result<std::string> mark(Feed& feed, const SessionRef& ref) const = 0;
  using TakeBytes = std::function<Result<void>(std::string_view bytes)>;
  virtual Result<void> spell(Feed& feed, const SessionRef& ref, const TakeBytes& take) const = 0;
  // Files that the rows name and that are the session's own.
  virtual Result<std::vector<Place>> files(Feed& /*feed*/, const SessionRef& /*ref*/) const {
    return std::vector<Place>();
  }

  // ---- for agents that take sessions in by a command of theirs only
  // Followed by a file; empty: the agent reads the spelled file itself.
  virtual std::string_view import_command() const { return {}; }
  // What that file holds.
  virtual Result<std::string> import_form(std::string_view /*spelled*/) const { return std::string(); }
};

}  // namespace holdfast::inline v1
