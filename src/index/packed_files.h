// Packs the files that an entry depends on. Thread-safety: pure functions.
#pragma once

#include <map>
#include <utility>

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

// The part after the root and the path of a file.
inline Fingerprint unpack_print(Unpacker& in) {
  Fingerprint print;
  print.inode = in.number();
  print.size = in.number();
  print.mtime_ns = in.signed_number();
  print.ctime_ns = in.signed_number();
  return print;
}

// What pack_files packed.
inline std::map<Place, Fingerprint> unpack_files(Unpacker& in) {
  std::map<Place, Fingerprint> files;
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    Place place;
    place.root = in.text();
    place.path = in.text();
    const Fingerprint print = unpack_print(in);
    files.emplace_hint(files.end(), std::move(place), print);
  }
  return files;
}

// Skips the beginning of an entry: when it was made, and the files it depends on.
inline void skip_identity(Unpacker& in) {
  in.signed_number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    in.view();
    in.view();
    unpack_print(in);
  }
}

}  // namespace holdfast::inline v1
