// Converts values of the typed operations in holdfast/api.h to JSON and back.
// Thread-safety: plain values, pure functions.
#pragma once

#include <holdfast/client.h>
#include <holdfast/export.h>

#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Lists the members of a struct that are read and written as JSON.
#define HOLDFAST_API_FIELDS(...)                                   \
  template <typename Self, typename Visit>                         \
  static void each_field(Self& self, Visit&& visit) {              \
    (void)self, (void)visit;                                       \
    __VA_OPT__(HOLDFAST_API_AGAIN(HOLDFAST_API_EACH(__VA_ARGS__))) \
  }
#define HOLDFAST_API_EACH(name, ...) \
  visit(#name, self.name);           \
  __VA_OPT__(HOLDFAST_API_MORE HOLDFAST_API_PARENS(__VA_ARGS__))
#define HOLDFAST_API_MORE() HOLDFAST_API_EACH
#define HOLDFAST_API_PARENS ()
#define HOLDFAST_API_AGAIN(...) \
  HOLDFAST_API_AGAIN1(HOLDFAST_API_AGAIN1(HOLDFAST_API_AGAIN1(HOLDFAST_API_AGAIN1(__VA_ARGS__))))
#define HOLDFAST_API_AGAIN1(...) \
  HOLDFAST_API_AGAIN2(HOLDFAST_API_AGAIN2(HOLDFAST_API_AGAIN2(HOLDFAST_API_AGAIN2(__VA_ARGS__))))
#define HOLDFAST_API_AGAIN2(...) \
  HOLDFAST_API_AGAIN3(HOLDFAST_API_AGAIN3(HOLDFAST_API_AGAIN3(HOLDFAST_API_AGAIN3(__VA_ARGS__))))
#define HOLDFAST_API_AGAIN3(...) __VA_ARGS__

namespace holdfast::inline v1::api {

// One JSON value, verbatim: for objects with arbitrary keys and lists of mixed values.
struct Json {
  std::string text = "null";
};

// Returns `text` as a JSON string, quoted and escaped.
HOLDFAST_EXPORT std::string quoted_json(std::string_view text);
// Returns false if the value is of another kind.
HOLDFAST_EXPORT bool read_json(std::string_view json, std::string& into);
HOLDFAST_EXPORT bool read_json(std::string_view json, std::int64_t& into);
HOLDFAST_EXPORT bool read_json(std::string_view json, double& into);
HOLDFAST_EXPORT bool read_json(std::string_view json, bool& into);
// Calls `each` for the members of an object or the elements of an array (with an empty key); false for other values.
using EachItem = std::function<void(std::string key, std::string_view value)>;
HOLDFAST_EXPORT bool read_items(std::string_view json, const EachItem& each);

template <typename T>
std::string json_of(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return quoted_json(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  } else if constexpr (std::is_same_v<T, Json>) {
    return value.text;
  } else if constexpr (requires { value.has_value(); }) {
    return value ? json_of(*value) : "null";
  } else if constexpr (requires { value.begin(); }) {
    std::string out;
    for (const auto& element : value) out.append(out.empty() ? "" : ",").append(json_of(element));
    return "[" + out + "]";
  } else {
    std::string out;
    T::each_field(value, [&](std::string_view name, const auto& field) {
      if constexpr (requires { field.has_value(); }) {
        if (!field) return;
      }
      if (name.ends_with('_')) name.remove_suffix(1);  // the name is a C++ keyword
      out.append(out.empty() ? "" : ",").append(quoted_json(name)).append(":").append(json_of(field));
    });
    return "{" + out + "}";
  }
}

template <typename T>
bool value_of(std::string_view json, T& into) {
  if constexpr (std::is_same_v<T, Json>) {
    into.text = json;
    return true;
  } else if constexpr (requires { into.has_value(); }) {
    return json == "null" || value_of(json, into.emplace());
  } else if constexpr (requires { read_json(json, into); }) {
    return read_json(json, into);
  } else if constexpr (requires { into.push_back({}); }) {
    bool good = true;
    return read_items(json, [&](const std::string&,
                                std::string_view value) { good = value_of(value, into.emplace_back()) && good; }) &&
           good;
  } else {
    std::map<std::string, std::string_view, std::less<>> members;
    if (!read_items(json, [&](std::string key, std::string_view value) { members[std::move(key)] = value; }))
      return false;
    bool good = true;
    T::each_field(into, [&](std::string_view name, auto& field) {
      if (name.ends_with('_')) name.remove_suffix(1);
      const auto member = members.find(name);
      if (member != members.end())
        good = value_of(member->second, field) && good;
      else if constexpr (!requires { field.has_value(); })
        good = false;
    });
    return good;
  }
}

// Fails with internal if the answer does not have the declared type.
template <typename Answer, typename Request>
Result<Answer> call(Client& client, const Context& context, std::string_view method, const Request& request) {
  HOLDFAST_LET(text, client.call(context, method, json_of(request)));
  Answer answer;
  if (!value_of(text, answer)) return fail(Code::internal, std::string(method) + " answered something else");
  return answer;
}

}  // namespace holdfast::inline v1::api
