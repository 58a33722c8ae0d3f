// Images that stand inside the records of a session, as base64: readers name them
// and pass their bytes over. Thread-safety: pure function.
#pragma once

#include <holdfast/message.h>

namespace holdfast::inline v1 {

// Fills Block::data of the images of a message that was read with its raw record; where what is
// found there are not the same images, nothing.
void fill_images(Message& message);

}  // namespace holdfast::inline v1
