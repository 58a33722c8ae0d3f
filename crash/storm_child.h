// Programs inside the program: writers that the storms start as separate
// processes (`holdfast_lab --child ROLE ARGS...`) so that they can be killed.
#pragma once

namespace holdfast::lab {

int storm_child(int argc, char** argv);  // takes the words after --child; returns the exit code

}  // namespace holdfast::lab
