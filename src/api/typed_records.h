// Answers with records that are types of the model.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/records.h"
#include "store/typed_records.h"

namespace holdfast::inline v1 {

// A page under `name`, as answer_records does; `record` formats one of `total` records.
std::string answer_page(const Call& call, std::string_view name, std::size_t total,
                        const std::function<std::string(std::size_t)>& record, const std::vector<Finding>& findings);
template <typename T>
std::string answer_records(const Call& call, std::string_view name, const Listed<T>& all) {
  const auto record = [&](std::size_t i) { return json_of(all.records[i]); };
  return answer_page(call, name, all.records.size(), record, all.findings);
}

}  // namespace holdfast::inline v1
