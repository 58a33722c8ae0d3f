#include "index/row_view.h"

#include "index/packed_files.h"

namespace holdfast::inline v1 {

void view_row(std::string_view packed, SessionView& row) {
  Unpacker in(packed);
  in.signed_number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    in.view();
    in.view();
    unpack_print(in);
  }
  view_session(in, row);
}

}  // namespace holdfast::inline v1
