// Shapes of JSON in a short notation, and the JSON Schemas made from it.
//
//   fields   "id:string title:string? note?:string messages:message[]"
//   name?:   the key may be missing         type?   the value may be null
//   type[]   an array                       a|b|c   one of these words
//   types: string integer count (0 or more) number boolean object any time, or a named shape
//
// Thread-safety: constant data, pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// Whether a shape describes answers, or input, which is checked before it is used. In input, null counts as absent, a
// required text must not be empty, and unknown members are kept (`open`) or refused (`closed`).
enum class ShapeUse { answered, open, closed };

struct Shape {
  std::string_view name;
  std::string_view fields;
  ShapeUse use = ShapeUse::answered;
  bool or_text = false;  // as input, a string may be given instead
};

struct ShapeField {
  std::string_view name;
  std::string_view type;  // including ? and []
  bool optional = false;  // the key may be missing
};
std::vector<ShapeField> fields_of(std::string_view fields);

// The shapes that several results or parameters share: "#/$defs/NAME" in the printed schemas.
std::span<const Shape> shapes();
// nullptr if there is none with that name.
const Shape* find_shape(std::string_view name);

// Returns why a value is not of this type, as a sentence that begins with `name`; empty if it is.
std::string fault_in(const std::string& name, std::string_view type, JsonView value);
// Adds what the value has in the places of integers, in the order of its text, whatever is there.
void integers_in(std::string_view type, JsonView value, std::vector<JsonView>& found);

// Writes the schema (draft 2020-12) of an object with these fields. Unless the shape is closed,
// other keys are allowed, because later versions may add fields (decision 28).
void write_schema(JsonWriter& json, std::string_view fields, ShapeUse use = ShapeUse::answered);

}  // namespace holdfast::inline v1
