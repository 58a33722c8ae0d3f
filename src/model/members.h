// The members of a JSON object that a caller gave. Each is taken by name; members that were not taken are known at
// the end and are kept or refused, never dropped (rule 3).
// Lifetime: views point into the caller's text. Thread-safety: one thread per object.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// The error for a string for which json_string_is_text is false.
inline constexpr std::string_view kNoText = "holds half of a surrogate pair, which is not valid text";

class Members {
 public:
  // `where` is put before the names in errors: "blocks[2]", or nothing.
  Members(JsonView object, std::string where);

  bool has(std::string_view name) const;  // present and not null; takes nothing
  JsonView look(std::string_view name) const;
  // For two names of one thing, the one that has a value. A null under the other name is ignored.
  std::string_view either(std::string_view first, std::string_view second);
  // Of kind `none` if it is missing or null.
  JsonView take(std::string_view name);
  // A value must be of the right kind; a missing one is "", 0 or false.
  std::string text(std::string_view name);
  // The same, but an empty text, which differs from none, is not taken: it stays for rest().
  std::string nonempty_text(std::string_view name);
  std::string text_or_number(std::string_view name);
  std::int64_t count(std::string_view name);  // a whole number, not below 0
  bool flag(std::string_view name);
  std::string json(std::string_view name);  // any value, without whitespace; "" if missing
  JsonView array(std::string_view name);
  JsonView object(std::string_view name);

  // Records "blocks[2].text must be a string"; the first error wins.
  void wrong(std::string_view name, std::string_view what);
  void take_over(const Result<void>& other);
  std::string path(std::string_view name) const;

  // The members that were not taken, and those of "extra", as one object; empty if there are none. `more`
  // are further members, each with its JSON. Without `own_extra`, "extra" is a member like any other.
  using More = std::vector<std::pair<std::string, std::string>>;
  std::string rest(const More& more = {}, bool own_extra = true);

  Result<void> check() const;

 private:
  struct Member {
    std::string name;
    JsonView value;
    bool taken = false;
  };
  Member* find(std::string_view name);

  std::string where_;
  std::vector<Member> all_;
  std::optional<std::string> wrong_;
};

}  // namespace holdfast::inline v1
