// A page of messages whose tokens can be added up over pages. Thread-safety: any thread, as the store.
#pragma once

#include "store/message_pages.h"

namespace holdfast::inline v1 {

// As read_page, with the tokens and the cost of each API response on the first of its messages only, also if the
// response begins before the page or goes on after it.
Result<MessagePage> read_counted_page(const Context& context, FileStore& store, std::string_view id,
                                      const PageQuery& query);
Result<ViewPage> read_counted_view_page(const Context& context, FileStore& store, std::string_view id,
                                        const PageQuery& query);

}  // namespace holdfast::inline v1
