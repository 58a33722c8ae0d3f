// Images inside the records of a session, as base64. Readers report such images without
// their bytes. Thread-safety: pure function.
#pragma once

#include <holdfast/message.h>

namespace holdfast::inline v1 {

// Fills Block::data of the images of a message that was read with its raw record. Does nothing
// if the images in the record are not the same ones.
void fill_images(Message& message);

}  // namespace holdfast::inline v1
