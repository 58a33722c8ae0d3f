// Helpers for the rules over records: get fields, make edits.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

inline std::string text_in(std::string_view record, std::string_view field) {
  return JsonView(record).find(field).as_string().value_or("");
}

using Edits = std::vector<RecordEdit>;

// For plans that create a record under a free name: if a program that does not
// know our locks takes the name in the meantime, calls the plan again.
inline Result<void> edit_under_new_name(const Context& context, Store& store, const Store::EditPlan& plan) {
  for (int attempt = 1;; ++attempt) {
    auto done = store.edit_records(context, plan);
    if (done || done.error().code != Code::already_exists || attempt == 10) return done;
  }
}

// Adds a `create` of the project if the store does not know that path yet: whoever
// creates something in a project makes the project known (decision 19 relies on that).
Result<void> ensure_project(const Context& context, const Store::Look& look, std::string_view path, Edits& edits);

// Fails with unsafe_path unless `name` can safely become (part of) a file name.
Result<void> check_record_name(std::string_view what, std::string_view name);

}  // namespace holdfast::inline v1
