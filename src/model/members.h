// The members of a JSON object that a caller gave. Each is taken by name; what nobody took is known at the end and
// is kept or refused, never dropped (rule 3).
// Lifetime: views point into the caller's text. Thread-safety: one thread an object.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Said of a string for which json_string_is_text is false.
inline constexpr std::string_view kNoText = "holds half of a surrogate pair, which is not valid text";

class Members {
 public:
  // `where` stands before the names in errors: "blocks[2]", or nothing.
  Members(JsonView object, std::string where);

  bool has(std::string_view name) const;  // given, and not null; takes nothing
  JsonView look(std::string_view name) const;
  // Two names for one thing: that of the value that is given. A null of the other says nothing.
  std::string_view either(std::string_view first, std::string_view second);
  // Of kind `none` when it is not given or null.
  JsonView take(std::string_view name);
  // What is given must be of the kind; nothing given is "", 0 or false.
  std::string text(std::string_view name);
  std::string text_or_number(std::string_view name);
  std::int64_t count(std::string_view name);  // a whole number, not below 0
  bool flag(std::string_view name);
  std::string json(std::string_view name);  // any value, without whitespace; "" when it is not given
  JsonView array(std::string_view name);
  JsonView object(std::string_view name);

  // "blocks[2].text must be a string"; the first one counts.
  void wrong(std::string_view name, std::string_view what);
  void take_over(const Result<void>& other);
  std::string path(std::string_view name) const;

  // What nobody took, and the members of "extra", as one object; empty when there is none.
  // `more` are further members, each with its JSON. Without `own_extra`, "extra" is a member like any other.
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
