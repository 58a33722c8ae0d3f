// Images that stand inside the records of a session, as base64: readers name them
// and pass their bytes over. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <optional>
#include <string>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Fills Block::data of the images of a message that was read with its raw record; where what is
// found there are not the same images, nothing.
void fill_images(Message& message);

// The output of a tool that is a list of texts and images, as some agents keep it.
struct MixedOutput {
  std::string text;
  std::vector<Block> images;
};
std::optional<MixedOutput> mixed_output(std::string_view output);

}  // namespace holdfast::inline v1
