// A part of a session's messages at the cost of that part. What is on a page is read
// from its records alone, found by the page index (index/page_index.h), and believed
// only when every message says what it said when the session was read whole; anything
// else (no index, an old one, a layout whose messages take more than their records) is
// read whole, with the same answer. Thread-safety: any thread, as the store.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/file_store.h"

namespace holdfast::inline v1 {

// The place behind a message in a list. It stays right while more is said.
struct MessageCursor {
  std::size_t before = 0;  // how many messages there were up to it
  std::uint64_t name = 0;  // of the last of them (name_hash)

  std::string text() const;
  // invalid_argument when it is none.
  static Result<MessageCursor> parse(std::string_view text);
};

struct PageQuery {
  TranscriptQuery list = {};  // what is listed; `last` and `raw` are not looked at
  std::size_t skip = 0;
  std::size_t limit = 100;
  std::size_t last = 0;                      // not 0: the last so many instead
  std::optional<MessageCursor> cursor = {};  // instead of skip
};

struct MessagePage {
  std::string session = {};  // its id
  std::vector<Message> messages = {};
  std::size_t from = 0;                    // number of the first of them in the list
  std::size_t total = 0;                   // of the list
  std::optional<MessageCursor> next = {};  // nullopt: the list ends here
  std::vector<Finding> findings = {};      // of the whole session
};

// `id` as Store::read takes it. invalid_argument for a cursor whose message is no longer in the list.
Result<MessagePage> read_page(const Context& context, FileStore& store, std::string_view id, const PageQuery& query);

// The part of a list that is there already; `session` and `findings` are left to the caller.
Result<MessagePage> page_of_list(std::vector<Message> list, const PageQuery& query);

}  // namespace holdfast::inline v1
