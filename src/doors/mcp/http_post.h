// The Model Context Protocol over HTTP without sessions: one message per request. The newer protocol repeats
// parts of the body in headers, for proxies. Both must agree; otherwise a proxy was told something else.
// Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>

#include <string>
#include <string_view>

#include "doors/mcp/answers.h"

namespace holdfast::inline v1 {

struct McpPost {
  std::string_view body;
  std::string_view protocol, method, name;  // headers of the newer protocol; empty if not sent
};

struct McpPostAnswer {
  int status = 200;       // of HTTP
  std::string body = {};  // JSON; empty if there is no answer
};

McpPostAnswer answer_post(McpAnswers& answers, const McpPost& post, const Context& context);

}  // namespace holdfast::inline v1
