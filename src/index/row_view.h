// The row of a packed entry, where it stands: what is printed by thousands is not
// made into Sessions first. Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "model/packing.h"
#include "model/session_view.h"

namespace holdfast::inline v1 {

// As unpack_session, into a row that may have been used before; what it points at
// lives as long as the bytes.
void view_session(Unpacker& in, SessionView& row);
// As unpack_row.
void view_row(std::string_view packed, SessionView& row);

}  // namespace holdfast::inline v1
