// Programs inside the program: writers that the storms start as processes of
// their own (`holdfast_lab --child ROLE ARGS...`) so that they can be killed.
#pragma once

namespace holdfast::lab {

int storm_child(int argc, char** argv);  // the words after --child; the exit code

}  // namespace holdfast::lab
