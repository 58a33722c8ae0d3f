// The command line of a benchmark: names with one value each.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "bench/table.h"

namespace holdfast::bench {

using OptionHandlers = std::map<std::string_view, std::function<void(const std::string&)>>;

// Stops the program at an unknown name.
inline void parse_options(int count, char** arguments, const OptionHandlers& known) {
  for (int at = 1; at + 1 < count; at += 2) {
    const auto option = known.find(arguments[at]);
    if (option == known.end()) stop(std::string("unknown option ") + arguments[at]);
    option->second(arguments[at + 1]);
  }
}

inline std::function<void(const std::string&)> into(std::string& text) {
  return [&text](const std::string& value) { text = value; };
}

}  // namespace holdfast::bench
