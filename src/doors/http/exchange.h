// One request and its answer as plain values, independent of the HTTP library.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

struct HttpRequest {
  std::string method;  // "GET"
  std::string path;    // as sent, without the query
  std::string query;   // after the "?", still encoded
  std::string body;
  // The headers that matter here; empty if not sent.
  std::string host, origin, fetch_site, fetch_mode, fetch_dest, content_type, cookie, authorization, csrf, reveal,
      protocol, mcp_method, mcp_name;
};

struct HttpAnswer {
  int status = 200;
  std::string type = {};  // Content-Type; empty if there is no body
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // in addition to those of every answer
};

// {"error":{"code":…,"message":…}} with that status. `code` is one of the api's.
HttpAnswer refusal(int status, std::string_view code, std::string_view message);

using QueryValues = std::map<std::string, std::string, std::less<>>;

// The values of a query by name, with %XX and + decoded. An invalid query is refused as a whole, because half
// of a request would be another request. Fails with invalid_argument if an escape is broken, or a name is not
// in `known` or occurs twice.
Result<QueryValues> query_values(std::string_view query, std::span<const std::string_view> known);

}  // namespace holdfast::inline v1
