// Small helps for the rules over records: fields out of them, edits for them.
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

// For plans that make a record under a name they found free: when a program that
// knows no lock took it meanwhile, the plan is asked again.
inline Result<void> edit_under_new_name(const Context& context, Store& store, const Store::EditPlan& plan) {
  for (int attempt = 1;; ++attempt) {
    auto done = store.edit_records(context, plan);
    if (done || done.error().code != Code::already_exists || attempt == 10) return done;
  }
}

// Adds a `create` of the project when the store has none of that path yet: who
// makes something in a project makes the project known (decision 19 rests on it).
Result<void> ensure_project(const Context& context, const Store::Look& look, std::string_view path, Edits& edits);

// A name that becomes (part of) a file name: unsafe_path unless it is harmless.
Result<void> check_record_name(std::string_view what, std::string_view name);

}  // namespace holdfast::inline v1
