#include "text/toml_value.h"

#include "text/json_write.h"
#include "text/toml_nodes.h"

namespace holdfast::inline v1 {
namespace {

// Recursion is bounded by kTomlMaxDepth.
void write(JsonWriter& out, const TomlNode& node) {
  switch (node.kind) {
    case TomlKind::scalar: out.raw(node.json); return;
    case TomlKind::array:
    case TomlKind::tables:
      out.begin_array();
      for (const TomlNode& child : node.children) write(out, child);
      out.end_array();
      return;
    case TomlKind::inline_table:
    case TomlKind::table:
      out.begin_object();
      for (const TomlNode& child : node.children) write(out.key(child.key), child);
      out.end_object();
      return;
  }
}

}  // namespace

Result<std::string> toml_to_json(std::string_view toml) {
  HOLDFAST_LET(root, toml_nodes(toml));
  JsonWriter out;
  write(out, root);
  return out.take();
}

}  // namespace holdfast::inline v1
