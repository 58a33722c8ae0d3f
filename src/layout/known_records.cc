#include "layout/known_records.h"

#include "layout/layout.h"

namespace holdfast::inline v1 {

bool is_record_beside(JsonView object, std::span<const std::string> others) {
  return std::ranges::any_of(layouts(), [&](const Layout* layout) {
    const auto* const knows = dynamic_cast<const KnowsRecords*>(layout);
    return knows != nullptr && knows->is_record(object) &&
           (others.empty() ||
            std::ranges::any_of(others, [&](const std::string& other) { return knows->is_record(JsonView(other)); }));
  });
}

}  // namespace holdfast::inline v1
