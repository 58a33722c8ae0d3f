// Packs and unpacks what a layout has learned about a session so far.
#pragma once

#include <holdfast/session.h>

#include "model/packing.h"

namespace holdfast::inline v1 {

void pack_facts(Packer& out, const SessionFacts& facts);
SessionFacts unpack_facts(Unpacker& in);

}  // namespace holdfast::inline v1
