#include "doors/mcp/output_schema.h"

#include <algorithm>
#include <span>
#include <vector>

#include "api/shape.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

std::span<const Shape> tool_shapes() {
  static const std::string listed =
      "id:string agent:string project?:string title?:string first_prompt?:string "
      "status:running|interrupted|active|complete|failed|stopped|archived|unknown updated_at?:time citation:string";
  static const std::string found = listed + " hits:count excerpts:excerpt[]";
  static const std::string described = listed +
                                       " created_at?:time counts?:counts models?:string[] usage?:usage "
                                       "git_branch?:string parent?:parent subagents?:count";
  static const std::string excerpt = "ordinal:count role:user|assistant|tool|system text:string citation:string";
  static const std::string hit = excerpt + " session:string agent:string project:string? timestamp:time?";
  static const std::vector<Shape> all{
      {"listed_session", listed},
      {"found_session", found},
      {"described_session", described},
      {"noted_session", "id:string agent:string title:string? starred?:boolean tags?:string[] citation:string"},
      {"excerpt", excerpt},
      {"content_hit", hit},
      {"quoted_message",
       "ordinal:count role:user|assistant|tool|system timestamp?:time model?:string text:string rest?:string"},
  };
  return all;
}

// nullptr for a type that is no shape.
const Shape* shape_of(std::string_view type) {
  while (type.ends_with("?") || type.ends_with("[]")) type.remove_suffix(type.ends_with("?") ? 1 : 2);
  const auto own = tool_shapes();
  const auto found = std::ranges::find(own, type, &Shape::name);
  return found == own.end() ? find_shape(type) : &*found;
}

void add_shapes(std::string_view fields, std::vector<const Shape*>& used) {
  for (const ShapeField& field : fields_of(fields)) {
    const Shape* const shape = shape_of(field.type);
    if (shape == nullptr || std::ranges::find(used, shape) != used.end()) continue;
    used.push_back(shape);
    add_shapes(shape->fields, used);
  }
}

}  // namespace

std::string output_schema(std::string_view fields) {
  std::vector<const Shape*> used;
  add_shapes(fields, used);
  JsonWriter json;
  write_schema(json, fields);
  std::string schema = json.take();
  if (used.empty()) return schema;
  JsonWriter shapes;
  shapes.begin_object();
  for (const Shape* const shape : used) {
    shapes.key(shape->name);
    write_schema(shapes, shape->fields);
  }
  schema.pop_back();
  return schema + ",\"$defs\":" + shapes.end_object().take() + "}";
}

}  // namespace holdfast::inline v1
