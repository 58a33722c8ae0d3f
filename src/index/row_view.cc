#include "index/row_view.h"

#include "index/packed_files.h"

namespace holdfast::inline v1 {

void view_row(std::string_view packed, SessionView& row) {
  Unpacker in(packed);
  skip_identity(in);
  view_session(in, row);
}

}  // namespace holdfast::inline v1
