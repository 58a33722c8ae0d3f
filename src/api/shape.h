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

// Whose a shape is: of answers; or of what callers give, which is checked before anything is done with it. There a null
// counts as absent, a text that may not be missing may not be empty, and members that are not named are kept (`open`)
// or refused (`closed`).
enum class ShapeUse { answered, open, closed };

struct Shape {
  std::string_view name;
  std::string_view fields;
  ShapeUse use = ShapeUse::answered;
  bool or_text = false;  // given: a string may stand for it
};

struct ShapeField {
  std::string_view name;
  std::string_view type;  // with its ? and []
  bool optional = false;  // the key may be missing
};
std::vector<ShapeField> fields_of(std::string_view fields);

// The shapes that several results or parameters share: "#/$defs/NAME" of the printed schemas.
std::span<const Shape> shapes();
// nullptr when there is none of that name.
const Shape* find_shape(std::string_view name);

// What is wrong with a value that is to be of this type, as a sentence that begins with `name`; empty: nothing.
std::string fault_in(const std::string& name, std::string_view type, JsonView value);

// Writes the schema (draft 2020-12) of an object with these fields. Keys that
// are not named are allowed: fields are only ever added (decision 28), unless the shape is closed.
void write_schema(JsonWriter& json, std::string_view fields, ShapeUse use = ShapeUse::answered);

}  // namespace holdfast::inline v1
