// Marks what the shared library exports; everything else in it is hidden.
// tests/exports_test.cc compares the library with these headers.
#pragma once

#define HOLDFAST_EXPORT __attribute__((visibility("default")))
#define HOLDFAST_HIDDEN __attribute__((visibility("hidden")))  // for a class inside an exported one
