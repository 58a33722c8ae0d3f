// Shapes of JSON in a short notation, and the JSON Schemas made from it.
//
//   fields   "id:string title:string? note?:string messages:message[]"
//   name?:   the key may be missing         type?   the value may be null
//   type[]   an array                       a|b|c   one of these words
//   types: string integer number boolean object any time, or a named shape
//
// Thread-safety: constant data, pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_write.h"

namespace holdfast::inline v1 {

struct Shape {
  std::string_view name;
  std::string_view fields;
};

struct ShapeField {
  std::string_view name;
  std::string_view type;  // with its ? and []
  bool optional = false;  // the key may be missing
};
std::vector<ShapeField> fields_of(std::string_view fields);

// The shapes that several results share: "#/$defs/NAME" of the printed schemas.
std::span<const Shape> shapes();

// Writes the schema (draft 2020-12) of an object with these fields. Keys that
// are not named are allowed: fields are only ever added (decision 28).
void write_schema(JsonWriter& json, std::string_view fields);

}  // namespace holdfast::inline v1
