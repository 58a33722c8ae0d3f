// How many messages an agent would load from a session file. The rules were observed in the
// agents' own loaders (docs/interop.md): lines that are not JSON are skipped; a log without
// its header is rejected; a conversation ends where a record names a missing parent; a
// document that is not JSON is rejected. Thread-safety: pure function.
#pragma once

#include <holdfast/context.h>

#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1 {

// `ref` is the session as its layout found it, `bytes` the content of its main file.
Result<std::size_t> loadable_messages(const Context& context, const Layout& layout, const SessionRef& ref,
                                      std::string_view bytes);

}  // namespace holdfast::inline v1
