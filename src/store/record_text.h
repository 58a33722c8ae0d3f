// Small helps for the rules over records: typed records out of a store, fields out of
// them, edits for them. Thread-safety: pure functions.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

#include "model/record.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

inline std::string text_in(std::string_view record, std::string_view field) {
  return JsonView(record).find(field).as_string().value_or("");
}

// As RecordList, each record as a T of the model.
template <typename T>
struct Listed {
  std::vector<T> records = {};
  std::vector<StoreFinding> findings = {};
};
template <typename T>
Result<Listed<T>> typed(Result<RecordList> list) {
  if (!list) return fail(std::move(list).error());
  Listed<T> all{{}, std::move(list->findings)};
  for (std::string& record : list->records) all.records.push_back(parse_record<T>(std::move(record)));
  return all;
}

template <typename T>
Result<Listed<T>> list_typed(const Context& context, Store& store, const RecordKey& key) {
  return typed<T>(store.list_records(context, key));
}
template <typename T>
Result<Listed<T>> list_typed(const Store::Look& look, const RecordKey& key) {
  return typed<T>(look(key));
}
template <typename T>
Result<T> get_typed(const Context& context, Store& store, const RecordKey& key) {
  HOLDFAST_LET(record, store.get_record(context, key));
  return parse_record<T>(std::move(record));
}
// The one of that id to be patched; an empty one when there is none, which a patch then says.
template <typename T>
Result<T> look_typed(const Store::Look& look, const RecordKey& key) {
  HOLDFAST_LET(list, look(key));
  return list.records.empty() ? T() : parse_record<T>(std::move(list.records.front()));
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
