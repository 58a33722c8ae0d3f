// Folds all captures of one session into one if that loses nothing, that is, if its files only ever
// grew. Lifetime: context and writer must outlive the object. Thread-safety: as the writer's.
#pragma once

#include <optional>

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

class Folding {
 public:
  Folding(const Context& context, ArchiveWriter& writer) : context_(context), writer_(writer) {}

  // Must be called in the order of the log.
  Result<void> take(const CaptureLine& line);
  // The folded capture, with the tail of each file in one piece. nullopt if the lines must stay as they are.
  Result<std::optional<Capture>> folded();

 private:
  Result<void> give_up();

  const Context& context_;
  ArchiveWriter& writer_;
  CapturedSession session_;
  Capture last_;
  std::size_t count_ = 0;
  bool given_up_ = false;
};

}  // namespace holdfast::inline v1
