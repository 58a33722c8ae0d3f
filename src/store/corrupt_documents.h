// Moves a document that cannot be read out of the way (M09, decision 10).
#pragma once

#include <holdfast/root.h>

#include <memory>
#include <optional>
#include <string>

#include "layout/layout.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1 {

struct SetAside {
  std::string moved_to;   // corrupt/NAME.json
  bool restored = false;  // the backup was good and is now in its place
};

// In one commit, moves the document to the layout's corrupt folder and puts its
// backup in its place if the backup can be read. nullopt if the document is
// gone or good by now.
Result<std::optional<SetAside>> set_aside(const Context& context, const std::shared_ptr<Root>& root,
                                          const Layout& layout, const std::string& path);

// The shape of the record at that path; nullptr if none.
const RecordShape* shape_at(const Layout& layout, std::string_view path);

}  // namespace holdfast::inline v1
