// Where the tests find the checkout and the binary. These are functions of one object
// file and not macros, so every other object file has the same bytes in each clone.
#pragma once

#include <string>

namespace holdfast::paths {

// The checkout, without a slash at the end.
const std::string& source();

// The program `holdfast` of this build.
const std::string& binary();

// The shared library of this build.
const std::string& library();

}  // namespace holdfast::paths
