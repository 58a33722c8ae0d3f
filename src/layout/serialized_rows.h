// Sessions that are rows of a database, written as files with the same content: what an
// archive keeps of them. The layout reads such a file like any other session.
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

class SerializedRows {
 public:
  virtual ~SerializedRows() = default;

  // The name of the file; a file of the agent has this name only if it has the same content. nullopt if the
  // session is not in a database.
  virtual std::optional<Place> place(const SessionRef& ref) const = 0;
  // A value that changes whenever the rows change.
  virtual Result<std::string> mark(Feed& feed, const SessionRef& ref) const = 0;
  using TakeBytes = std::function<Result<void>(std::string_view bytes)>;
  virtual Result<void> spell(Feed& feed, const SessionRef& ref, const TakeBytes& take) const = 0;
  // Files that the rows name and that belong to the session.
  virtual Result<std::vector<Place>> files(Feed& /*feed*/, const SessionRef& /*ref*/) const {
    return std::vector<Place>();
  }

  // ---- for agents that import sessions only by a command of their own
  // Followed by a file; empty if the agent reads the spelled file itself.
  virtual std::string_view import_command() const { return {}; }
  // The content of that file.
  virtual Result<std::string> import_form(std::string_view /*spelled*/) const { return std::string(); }
};

}  // namespace holdfast::inline v1
