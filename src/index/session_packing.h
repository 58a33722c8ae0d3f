// Packs and unpacks the row of a session.
#pragma once

#include <holdfast/session.h>

#include <string_view>

#include "model/packing.h"

namespace holdfast::inline v1 {

void pack_session(Packer& out, const Session& session);
void unpack_session(Unpacker& in, Session& row);  // `row` must be empty

// The fields by which sessions are selected, ordered and related, as views into the bytes.
struct RowHead {
  std::string_view id = {}, project = {}, created_at = {}, updated_at = {};
  std::string_view first_message = {}, first_response = {}, began_at = {};  // Lineage
  Status status = Status::unknown;
  bool has_parent = false;
  ParentKind parent_kind = ParentKind::fork;
  std::string_view parent_id = {}, parent_message = {};
};
RowHead peek_session(Unpacker& in);

}  // namespace holdfast::inline v1
