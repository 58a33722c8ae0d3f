// Values for property tests of formats: strings that careless writers get wrong, as
// compact JSON without duplicate keys.
#pragma once

#include <rapidcheck.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "text/json_string.h"

namespace holdfast::inline v1 {

inline std::string nasty_pick(const std::vector<std::string>& choices) { return *rc::gen::elementOf(choices); }

// Returns valid UTF-8, glued together from pieces that have a meaning in YAML, TOML or Markdown.
inline std::string nasty_string() {
  static const std::vector<std::string> kPieces = {"",
                                                   "a",
                                                   "b",
                                                   "1",
                                                   "0",
                                                   ".",
                                                   "-",
                                                   "- ",
                                                   "+",
                                                   ":",
                                                   ": ",
                                                   "#",
                                                   " #",
                                                   " ",
                                                   "  ",
                                                   "\t",
                                                   "\n",
                                                   "\r",
                                                   "\r\n",
                                                   "\"",
                                                   "'",
                                                   "''",
                                                   "\\",
                                                   "\\n",
                                                   "{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   ",",
                                                   "&",
                                                   "*",
                                                   "!",
                                                   "!!str",
                                                   "|",
                                                   ">",
                                                   "%",
                                                   "@",
                                                   "`",
                                                   "?",
                                                   "? ",
                                                   "=",
                                                   "<<",
                                                   "~",
                                                   "null",
                                                   "Null",
                                                   "true",
                                                   "True",
                                                   "yes",
                                                   "no",
                                                   "on",
                                                   "y",
                                                   "1e5",
                                                   "0x1F",
                                                   "1:30",
                                                   "2026-01-01",
                                                   ".inf",
                                                   "---",
                                                   "...",
                                                   "\x01",
                                                   "\x1b",
                                                   "\x7f",
                                                   "\xC2\x85",
                                                   "\xC2\xA0",
                                                   "\xC2\x9B",
                                                   "\xC3\xA9",
                                                   "$",
                                                   "key",
                                                   "a b",
                                                   "\xE2\x80\xA8",
                                                   "\xE2\x80\xA9",
                                                   "\xEF\xBB\xBF",
                                                   "\xEF\xBF\xBE",
                                                   "\xEF\xBF\xBD",
                                                   "\xF0\x9F\x98\x80",
                                                   std::string(1, '\0'),
                                                   "\"\"\"",
                                                   "'''",
                                                   "[[a]]"};
  std::string text;
  for (int left = *rc::gen::inRange(0, 5); left > 0; --left) text += nasty_pick(kPieces);
  return text;
}

inline std::string nasty_json_string() {
  std::string token;
  append_json_string(token, nasty_string());
  return token;
}

inline std::string nasty_json(int depth, bool with_null = true) {
  const int kind = *rc::gen::inRange(0, depth == 0 ? 3 : 5);
  if (kind == 0) {
    if (with_null && *rc::gen::inRange(0, 4) == 0) return "null";
    return nasty_pick({"0", "-1", "1.5", "-0.25", "9007199254740993", "true", "false", "-9223372036854775808"});
  }
  if (kind < 3) return nasty_json_string();
  std::set<std::string> seen;
  std::string out(kind == 3 ? "{" : "[");
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    if (kind == 3) {
      std::string key = nasty_json_string();
      if (!seen.insert(key).second) continue;
      if (out.size() > 1) out += ",";
      out += key + ":";
    } else if (out.size() > 1) {
      out += ",";
    }
    out += nasty_json(depth - 1, with_null);
  }
  return out += kind == 3 ? '}' : ']';
}

// Like nasty_json, with an object at the top level.
inline std::string nasty_json_object(int depth, bool with_null = true) {
  std::string out("{");
  std::set<std::string> seen;
  for (int left = *rc::gen::inRange(0, 5); left > 0; --left) {
    std::string key = nasty_json_string();
    if (!seen.insert(key).second) continue;
    out += (out.size() > 1 ? "," : "") + key + ":" + nasty_json(depth, with_null);
  }
  return out += "}";
}

}  // namespace holdfast::inline v1
