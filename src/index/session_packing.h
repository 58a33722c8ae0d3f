// The row of a session as bytes, both ways.
#pragma once

#include <holdfast/session.h>

#include "index/packing.h"

namespace holdfast::inline v1 {

void pack_session(Packer& out, const Session& session);
Session unpack_session(Unpacker& in);

}  // namespace holdfast::inline v1
