// From the words of the command line to a plain struct.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <variant>
#include <vector>

#include "demo/demo.h"
#include "demo/writer.h"

namespace holdfast::inline v1 {

struct ShowOverview {};
struct ShowVersion {};
struct ShowHelp {
  std::string command;  // empty: all of them
  bool markdown = false;
};

using Action = std::variant<ShowOverview, ShowVersion, ShowHelp, DemoOptions, WriterOptions>;

enum class ColourChoice { automatic, always, never };

struct Invocation {
  Action action;
  ColourChoice colour = ColourChoice::automatic;
};

// invalid_argument, with a hint, for anything that is not in the table.
Result<Invocation> parse_arguments(const std::vector<std::string>& words);

}  // namespace holdfast::inline v1
