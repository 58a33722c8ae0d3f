// Where the tests find the checkout and the binary. They are functions of one object
// and no macros, so that the bytes of every other object are the same in each clone.
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
