// Reads a part of a session's messages at the cost of that part. The page is read from its own
// records, which the page index (index/page_index.h) finds, and is accepted only if every message
// is the same as when the session was read completely. Otherwise (no index, an old one, a layout
// whose messages need more than their records) the whole session is read, with the same answer.
// Thread-safety: any thread, as the store.
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/message_view.h"
#include "store/file_store.h"
#include "store/record_bytes.h"

namespace holdfast::inline v1 {

// The position after a message in a list. It stays valid while messages are added.
struct MessageCursor {
  std::size_t before = 0;  // number of messages up to this position
  std::uint64_t name = 0;  // identity_hash of the last of them
  // Of a list of the last `last` messages, if not 0, which began after `first` messages when its first page was read.
  std::size_t first = 0, last = 0;

  std::string text() const;
  // Fails with invalid_argument if the text is not a cursor.
  static Result<MessageCursor> parse(std::string_view text);
};

struct PageQuery {
  TranscriptQuery list = {};  // what to list; `last` and `raw` are ignored
  std::size_t skip = 0;
  std::size_t limit = 100;
  std::size_t last = 0;                      // if not 0, a page of the last messages: skip counts from there
  std::optional<MessageCursor> cursor = {};  // instead of skip
  // Instead of skip: begins with the first message that has this ordinal or a greater one.
  std::optional<std::int64_t> at = {};
};

struct PagePlace {
  std::string session = {};                // id of the session
  std::size_t from = 0;                    // number of the first message in the list
  std::size_t first = 0;                   // with PageQuery::last, how many messages come before the last ones
  std::size_t total = 0;                   // length of the list
  std::optional<MessageCursor> next = {};  // nullopt at the end of the list
  std::vector<Finding> findings = {};      // of the whole session
};

struct MessagePage : PagePlace {
  std::vector<Message> messages = {};
};

// The same messages without copies, to be written as JSON. The views are of the other members: all of these bytes
// stay where they are when the page is moved.
struct ViewPage : PagePlace {
  std::vector<MessageView> messages = {};
  RecordBytes records = {};
  std::vector<Message> others = {};  // whose records do not show them as they are
  std::vector<ViewPage> after = {};  // of which the page shows something too
};

// `id` as in Store::read. Fails with invalid_argument if the message of the cursor is no longer in the list, or the
// cursor is of a list with another `last`.
Result<MessagePage> read_page(const Context& context, FileStore& store, std::string_view id, const PageQuery& query);
Result<ViewPage> read_view_page(const Context& context, FileStore& store, std::string_view id, const PageQuery& query);

// Cuts a page from a complete list; the caller sets `session` and `findings`.
Result<MessagePage> page_of_list(std::vector<Message> list, const PageQuery& query);

}  // namespace holdfast::inline v1
