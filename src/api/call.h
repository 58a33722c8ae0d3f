// One call of an operation, as its handler sees it. The parameters have been validated.
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
  bool looking = false;  // a preview: only reads the stores that the operation would write to

  const ItemSink* items = nullptr;  // receives the items of a stream; nullptr if the call is not one

  Use opening() const { return looking ? Use::read : operation.use; }
  bool has(std::string_view name) const;          // given and not null
  std::string text(std::string_view name) const;  // empty if absent
  std::optional<std::string> maybe_text(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  bool flag(std::string_view name, bool fallback = false) const;
  std::string json(std::string_view name) const;  // as written; empty if absent

  // The store that this call refers to, opened as the operation needs it.
  Result<std::shared_ptr<Store>> store() const;
  // The same for records of that kind: if they are kept in a directory of the project itself, opens the store of the
  // given project, not of the door's working directory. Fails with not_found if there is no such directory.
  Result<std::shared_ptr<Store>> store_of(std::string_view kind) const;

  // The directory that `project` names, with links resolved, spelled as the store that this call has opened spells it,
  // so two spellings of a directory are one project. Empty if none is given.
  std::string project() const;
  mutable std::optional<std::string> known_project = {};  // result of project(), once a store is open

  // Set by a dry run: the call would leave out something, because it cannot be read or there is no space for it, and
  // what.
  bool missed = false;
  std::vector<Finding> findings = {};
};

// Begins an answer with its schema_version; the caller ends the object.
JsonWriter begin_answer();

// The requested part of a list. Every list takes both and returns its total.
struct Page {
  std::size_t limit = 100;
  std::size_t skip = 0;
};
Parameter limit_parameter();
Parameter skip_parameter();
Page page_of(const Call& call);
// The cursor of a list that continues after the first `before` items.
std::string counted_cursor(std::size_t before);
// Whether `cursor` is one that page_of understands.
Result<void> check_cursor(const Call& call);
// Writes "total", "next" (the `skip` of the next page, or null) and "next_cursor" (the same as a cursor).
void write_page(JsonWriter& json, const Page& page, std::size_t shown, std::size_t total);
// The same with the list's own cursor; `cursor` is not called if this is the last page.
void write_page(JsonWriter& json, const Page& page, std::size_t shown, std::size_t total,
                const std::function<std::string()>& cursor);

void write_findings(JsonWriter& json, std::string_view key, const std::vector<Finding>& findings);

}  // namespace holdfast::inline v1
