// One request and its answer, in plain values: what the rules of this door are written in.
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
  std::string path;    // as it was sent, without the query
  std::string query;   // behind the "?"; still encoded
  std::string body;
  // Headers that count here; empty: not sent.
  std::string host, origin, fetch_site, content_type, cookie, authorization, csrf, reveal, protocol, mcp_method,
      mcp_name;
};

struct HttpAnswer {
  int status = 200;
  std::string type = {};  // Content-Type; empty: there is no body
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // besides those that every answer has
};

// {"error":{"code":…,"message":…}} with that status. `code` is one of the api's.
HttpAnswer refusal(int status, std::string_view code, std::string_view message);

using QueryValues = std::map<std::string, std::string, std::less<>>;

// The values of a query by their names, with %XX and + decoded. What cannot be read is refused as a whole: half of a
// request would be another request. invalid_argument: an escape is broken, or a name is not one of `known`, or is there
// twice.
Result<QueryValues> query_values(std::string_view query, std::span<const std::string_view> known);

}  // namespace holdfast::inline v1
