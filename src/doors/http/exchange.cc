#include "doors/http/exchange.h"

#include <algorithm>
#include <optional>

#include "api/suggest.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size() || digit(text[i + 1]) < 0 || digit(text[i + 2]) < 0) return std::nullopt;
    out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
    i += 2;
  }
  return out;
}

}  // namespace

HttpAnswer refusal(int status, std::string_view code, std::string_view message) {
  JsonWriter json;
  json.begin_object().key("error").begin_object().key("code").string(code).key("message").string(message);
  json.key("path").null().key("os_error").null().end_object().end_object();
  return {.status = status, .type = "application/json", .body = json.take()};
}

Result<QueryValues> query_values(std::string_view query, std::span<const std::string_view> known) {
  QueryValues values;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto name = decoded(pair.substr(0, equals));
    const auto value = decoded(pair.substr(std::min(pair.size(), equals + 1)));
    if (!name || !value)
      return fail(Code::invalid_argument,
                  "the query has a % that is not followed by two hexadecimal digits; send % as %25");
    if (std::ranges::find(known, *name) == known.end()) {
      std::string message = "unknown parameter " + *name + " in the query";
      if (const auto meant = nearest(*name, known)) message += "; did you mean " + std::string(*meant) + "?";
      return fail(Code::invalid_argument, std::move(message));
    }
    if (!values.emplace(*name, *value).second)
      return fail(Code::invalid_argument, "the query has the parameter " + *name + " twice");
  }
  return values;
}

}  // namespace holdfast::inline v1
