// Maps a request to its answer. Thread-safety: plan() on the server's one thread; the returned work on any.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "api/dispatch.h"
#include "api/stores.h"
#include "doors/http/exchange.h"
#include "doors/http/gate.h"
#include "doors/mcp/answers.h"

namespace holdfast::inline v1 {

// Work that takes a while.
using HttpWork = std::function<HttpAnswer(const Context& context)>;

struct HttpStream {
  std::string method, params;
  Secrets secrets = Secrets::masked;
};

using HttpPlan = std::variant<HttpAnswer, HttpWork, HttpStream>;

class Routes {
 public:
  Routes(Stores& stores, HttpGate& gate, bool write)
      : stores_(stores), gate_(gate), write_(write), mcp_(stores, write) {}

  HttpPlan plan(HttpRequest request);

 private:
  HttpPlan plan_call(HttpRequest request);
  HttpPlan plan_stream(const HttpRequest& request);
  HttpPlan plan_blob(const HttpRequest& request);
  HttpPlan plan_mcp(HttpRequest request);

  Stores& stores_;
  HttpGate& gate_;
  const bool write_;
  McpAnswers mcp_;
};

}  // namespace holdfast::inline v1
