// The files that an entry rests on, as bytes. Thread-safety: pure functions.
#pragma once

#include <map>

#include "index/fingerprint.h"
#include "layout/place.h"
#include "model/packing.h"

namespace holdfast::inline v1 {

inline void pack_files(Packer& out, const std::map<Place, Fingerprint>& files) {
  out.number(files.size());
  for (const auto& [place, print] : files) {
    out.text(place.root);
    out.text(place.path);
    out.number(print.inode);
    out.number(print.size);
    out.signed_number(print.mtime_ns);
    out.signed_number(print.ctime_ns);
  }
}

// What stands behind the root and the path of one of them.
inline Fingerprint unpack_print(Unpacker& in) {
  Fingerprint print;
  print.inode = in.number();
  print.size = in.number();
  print.mtime_ns = in.signed_number();
  print.ctime_ns = in.signed_number();
  return print;
}

// Steps over what an entry begins with: when it was looked at, and the files it rests on.
inline void skip_identity(Unpacker& in) {
  in.signed_number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    in.view();
    in.view();
    unpack_print(in);
  }
}

}  // namespace holdfast::inline v1
