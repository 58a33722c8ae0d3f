#include "layout/known_records.h"

#include "layout/layout.h"

namespace holdfast::inline v1 {

bool is_record_beside(JsonView object, std::span<const std::string> others) {
  return std::ranges::any_of(layouts(), [&](const Layout* layout) {
    return layout->is_record(object) && (others.empty() || std::ranges::any_of(others, [&](const std::string& other) {
                                           return layout->is_record(JsonView(other));
                                         }));
  });
}

}  // namespace holdfast::inline v1
