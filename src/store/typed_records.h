// The records of a store as types of the model. Thread-safety: that of Store.
#pragma once

#include <holdfast/store.h>

#include <vector>

#include "model/record.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {

// Like RecordList, with each record as a T.
template <typename T>
struct Listed {
  std::vector<T> records = {};
  std::vector<Finding> findings = {};
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
// The record with that id, to be patched; an empty one if there is none, which the patch then reports.
template <typename T>
Result<T> look_typed(const Store::Look& look, const RecordKey& key) {
  HOLDFAST_LET(list, look(key));
  return list.records.empty() ? T() : parse_record<T>(std::move(list.records.front()));
}

}  // namespace holdfast::inline v1
