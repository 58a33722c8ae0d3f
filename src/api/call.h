// One call of an operation: what handlers see. Parameters are valid already.
#pragma once

#include <holdfast/context.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/stores.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

struct Call {
  const Context& context;
  const Operation& operation;
  JsonView params;
  Stores& stores;
  bool looking = false;  // a preview: means the stores that the operation would write to, and only reads them

  const TakeItem* items = nullptr;  // where items go; set when the call is to tell them

  Use opening() const { return looking ? Use::read : operation.use; }
  bool has(std::string_view name) const;          // given and not null
  std::string text(std::string_view name) const;  // empty when absent
  std::optional<std::string> maybe_text(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  bool flag(std::string_view name, bool otherwise = false) const;
  std::string json(std::string_view name) const;  // as written; empty when absent

  // The one store that this call means, opened as the operation needs it.
  Result<std::shared_ptr<Store>> store() const;
  // The same for records of that kind: where they lie in a directory of the project itself, the store is opened on
  // the project that is given, not on the one that the door stands in. not_found when there is no such directory.
  Result<std::shared_ptr<Store>> store_of(std::string_view kind) const;

  // The directory that `project` names: links followed, and spelled as the store that this call has opened knows it,
  // so that two spellings of one directory are one project. Empty when none is given.
  std::string project() const;
  mutable std::optional<std::string> known_project = {};  // of project(), once a store is open
};

// An answer begins with its schema_version; the caller ends the object.
JsonWriter begin_answer();

// Which part of a list was asked for. Every list takes both and says its total.
struct Page {
  std::size_t limit = 100;
  std::size_t skip = 0;
};
Parameter limit_parameter();
Parameter skip_parameter();
Page page_of(const Call& call);
// A cursor of lists that count: the place behind so many.
std::string counted_cursor(std::size_t before);
// Whether `cursor` is one that page_of understands.
Result<void> check_cursor(const Call& call);
// "total" and "next": what to pass as skip for the next page, or null; and "next_cursor", the same as a cursor.
void write_page(JsonWriter& json, const Page& page, std::size_t shown, std::size_t total);
// The same with a cursor of the list's own; not asked for where the list ends.
void write_page(JsonWriter& json, const Page& page, std::size_t shown, std::size_t total,
                const std::function<std::string()>& cursor);

void write_findings(JsonWriter& json, std::string_view key, const std::vector<Finding>& findings);

}  // namespace holdfast::inline v1
