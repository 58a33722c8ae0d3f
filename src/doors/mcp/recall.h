// The tools themselves: operations of the table, put together and bounded for a model to read.
// Thread-safety: any thread.
#pragma once

#include "doors/mcp/citation.h"
#include "doors/mcp/tools.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

Result<std::string> search_sessions(const ToolCall& call);
Result<std::string> list_recent_sessions(const ToolCall& call);
Result<std::string> get_one_session(const ToolCall& call);
Result<std::string> get_messages(const ToolCall& call);
Result<std::string> search_content(const ToolCall& call);
Result<std::string> get_usage(const ToolCall& call);
Result<std::string> get_handoff(const ToolCall& call);
Result<std::string> star_session(const ToolCall& call);
Result<std::string> tag_session(const ToolCall& call);
Result<std::string> rename_session(const ToolCall& call);

// What the operation answers, without secrets: before any of it is shortened, since half a secret looks like none.
// `params` is an object that is still open.
Result<std::string> ask(const ToolCall& call, std::string_view method, JsonWriter& params);

// not_found for the session of the caller, by whatever prefix it was asked for. As ToolCall::is_own.
Result<void> check_not_own(const ToolCall& call, JsonView layout, JsonView id);

// The words and "quoted phrases" of a query.
std::vector<std::string> words_of_query(std::string_view query);

// At most so many bytes of it, not cut inside a character, with a note of what is missing.
std::string shortened(std::string_view text, std::size_t most);
// The same so that it takes at most that many bytes as a string of JSON, what is said about the rest included.
std::string fitted(std::string_view text, std::size_t most);

}  // namespace holdfast::inline v1
