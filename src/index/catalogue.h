// What is known of the sessions of one store: each row with the fingerprints of
// the files it was made from. A row is trusted while none of them has changed
// (decision 34). All of it is derived: without the file, or with any byte of it
// wrong, the catalogue is empty and every row is made anew.
// Thread-safety: one thread at a time.
#pragma once

#include <holdfast/session.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "index/directory_feed.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {

class Catalogue {
 public:
  // Empty when the bytes are not a catalogue of `store` by this version.
  static Catalogue from_bytes(std::string_view store, std::string_view bytes);
  explicit Catalogue(std::string_view store) : store_(store) {}

  // The row of a session, if every file that it depends on is as it was.
  const Session* fresh(const SessionRef& ref, const RootDirectories& roots) const;
  // `looked_ns`: the time before the first of the files was looked at.
  void put(const SessionRef& ref, const std::map<Place, Fingerprint>& files, std::int64_t looked_ns, Session row);
  // Forgets what is not among the sessions that are there now.
  void keep_only(const std::vector<SessionRef>& refs);

  bool changed() const { return changed_; }
  // For the file; counts as saved.
  std::string to_bytes();

 private:
  struct Row {
    std::map<Place, Fingerprint> files;
    std::int64_t looked_ns = 0;
    Session session;
  };
  // What a layout knows of a session from elsewhere (the hint) is part of what the row was made from.
  static std::string key_of(const SessionRef& ref) { return ref.place.path + '\n' + ref.id + '\n' + ref.hint; }

  std::string store_;
  std::map<std::string, Row, std::less<>> rows_;
  bool changed_ = false;
};

}  // namespace holdfast::inline v1
