// Makes the index of a session's list (index/page_index.h), and adds to it what was written since.
// Thread-safety: any thread, as the store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "index/page_index.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// Distinguishes the lists of one session.
std::string list_variant(const TranscriptQuery& query);
Layout::ReadOptions list_options(const TranscriptQuery& query);

struct WholeList {
  std::vector<Message> messages;
  std::vector<Finding> findings;
  std::optional<PageIndex> index;  // if one can be made and is worth it
};
Result<WholeList> read_whole_list(const Context& context, FileStore& store, const SessionRef& ref,
                                  const TranscriptQuery& query);

// The same index at a lower cost, where every message is a record that follows the one before it; otherwise nullopt.
Result<std::optional<PageIndex>> line_index(const Context& context, FileStore& store, const SessionRef& ref,
                                            const TranscriptQuery& query);

// The index with the messages added since; nullopt if the whole session must be read.
Result<std::optional<PageIndex>> grown_index(const Context& context, FileStore& store, const SessionRef& ref,
                                             const TranscriptQuery& query, PageIndex index);

}  // namespace holdfast::inline v1
