// The row of a session as bytes, both ways.
#pragma once

#include <holdfast/session.h>

#include "model/packing.h"

namespace holdfast::inline v1 {

void pack_session(Packer& out, const Session& session);
void unpack_session(Unpacker& in, Session& row);  // into an empty one

}  // namespace holdfast::inline v1
