// Describes in a few words a record that an agent wrote between the messages.
// Thread-safety: pure function.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "attachment: environment", "system: ui_telemetry", "model_change"; "record" if it names no type. The text is not
// cleaned for terminals.
std::string record_label(std::string_view json);

}  // namespace holdfast::inline v1
