// The demo's report, for people and for programs. Thread-safety: pure functions.
#pragma once

#include <string>

#include "demo/demo.h"

namespace holdfast::inline v1 {

// At most 80 columns wide, except for paths; ends with a newline.
std::string report_text(const DemoReport& report, bool colour);

// One JSON document with schema_version 1 (docs/cli.md); ends with a newline.
std::string report_json(const DemoReport& report);

}  // namespace holdfast::inline v1
