// What a layout has learnt of a session so far, as bytes, both ways.
#pragma once

#include <holdfast/session.h>

#include "model/packing.h"

namespace holdfast::inline v1 {

void pack_facts(Packer& out, const SessionFacts& facts);
SessionFacts unpack_facts(Unpacker& in);

}  // namespace holdfast::inline v1
