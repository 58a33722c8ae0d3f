// How many messages of a session its agent loads from a file of it. The rule is what was
// seen of the agents' own loaders (docs/interop.md): lines that are not JSON are passed over;
// without its header a log is refused; a conversation ends where a record names a parent
// that is not there; a document that is not JSON is refused. Thread-safety: pure function.
#pragma once

#include <holdfast/context.h>

#include <string_view>

#include "layout/layout.h"

namespace holdfast::inline v1 {

// `ref` is the session as its layout found it, `bytes` what its main file holds.
Result<std::size_t> loadable_messages(const Context& context, const Layout& layout, const SessionRef& ref,
                                      std::string_view bytes);

}  // namespace holdfast::inline v1
