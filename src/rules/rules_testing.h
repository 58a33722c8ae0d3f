// The rules of the seeds are tested on every layout that has the records.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "store/layout_store_testing.h"
#include "store/typed_records.h"

namespace holdfast::inline v1 {

struct SeedRules : testing::TestWithParam<const char*> {
  LayoutStore files{GetParam()};
  const Context& context = files.context;
  Store& store = *files.store;
  const std::string project = "/srv/p";

  std::vector<std::string> ids(const RecordList& list) {
    std::vector<std::string> all;
    for (const std::string& record : list.records) all.push_back(text_in(record, "id"));
    return all;
  }
  template <typename T>
  std::vector<std::string> ids(const Listed<T>& list) {
    std::vector<std::string> all;
    for (const T& record : list.records) all.push_back(record.id);
    return all;
  }
};

}  // namespace holdfast::inline v1
