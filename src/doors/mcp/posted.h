// The Model Context Protocol over HTTP, without sessions: a message a request. The newer era repeats in headers what
// the body says, for proxies; both must agree, or somebody on the way was told something else.
// Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>

#include <string>
#include <string_view>

#include "doors/mcp/answers.h"

namespace holdfast::inline v1 {

struct McpPost {
  std::string_view body;
  std::string_view protocol, method, name;  // headers of the newer era; empty: not sent
};

struct McpPosted {
  int status = 200;       // of HTTP
  std::string body = {};  // JSON; empty: there is nothing to answer
};

McpPosted answer_post(McpAnswers& answers, const McpPost& post, const Context& context);

}  // namespace holdfast::inline v1
