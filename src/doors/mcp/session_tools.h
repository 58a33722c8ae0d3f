// The tools themselves: operations of the table, combined and bounded for a model to read. Thread-safety: any thread.
#pragma once

#include "doors/mcp/citation.h"
#include "doors/mcp/quoted_text.h"
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

// The answer of an operation, with secrets masked before anything is shortened, since half a secret looks
// harmless. Collects its warnings. `params` must be an object that is still open.
Result<std::string> ask(const ToolCall& call, std::string_view method, JsonWriter& params);

// Fails with not_found for the caller's own session, whatever prefix named it. See ToolCall::is_own.
Result<void> check_not_own(const ToolCall& call, JsonView layout, JsonView id);

// The words and "quoted phrases" of a query.
std::vector<std::string> split_query(std::string_view query);

}  // namespace holdfast::inline v1
