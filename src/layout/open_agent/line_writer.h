// Formats the messages of one session.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "layout/layout.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1::open_agent {

struct LineStart {
  SessionRef ref;
  std::string header;             // the first line for a log that has none yet
  std::set<std::string> spilled;  // names already used in the tool-results folder
};

std::unique_ptr<LineWriter> make_line_writer(LineStart start);

}  // namespace holdfast::inline v1::open_agent
