// A view of the row of a packed entry: printing thousands of rows does not create
// Sessions first. Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "model/packing.h"
#include "model/session_view.h"

namespace holdfast::inline v1 {

// Like unpack_session, into a row that may be reused; it points into the bytes.
void view_session(Unpacker& in, SessionView& row);
// Like unpack_row.
void view_row(std::string_view packed, SessionView& row);

}  // namespace holdfast::inline v1
