// What a record is that an agent wrote between the messages, in a few words.
// Thread-safety: pure function.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// "attachment: environment", "system: ui_telemetry", "model_change"; "record" of what names no type. As the record
// has it: who prints it to a terminal cleans it.
std::string record_label(std::string_view json);

}  // namespace holdfast::inline v1
