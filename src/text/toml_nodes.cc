// The one file that knows toml++: inside this file it has no exceptions and no
// library of its own (Debian's is built with exceptions, so its symbols differ).
#include "text/toml_nodes.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 64
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "text/json_scan.h"
#include "text/json_write.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

// Offset past the quoted string at `at`, to the end of the text when it is open.
std::size_t skip_string(std::string_view text, std::size_t at) {
  const std::string_view triple = text[at] == '"' ? "\"\"\"" : "'''";
  const std::string_view quote = text.substr(at).starts_with(triple) ? triple : triple.substr(0, 1);
  for (at += quote.size(); at < text.size(); ++at) {
    if (quote[0] == '"' && text[at] == '\\') {
      ++at;
    } else if (text.substr(at).starts_with(quote)) {
      return at + quote.size();
    }
  }
  return text.size();
}

// toml++ limits brackets but not dots, and takes its tables apart by recursion.
bool has_long_chain(std::string_view text) {
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = skip_string(text, at);
      continue;
    }
    if (c == '#') at = std::min(text.find('\n', at), text.size());
    if (c == '.' && ++dots > kTomlMaxChain) return true;
    if (std::string_view("=,[]{}\n#").find(c) != std::string_view::npos) dots = 0;
    ++at;
  }
  return false;
}

// Offsets of the positions that toml++ gives: lines, and characters within them.
class Places {
 public:
  Places(std::string_view text, std::size_t base) : text_(text), base_(base) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      starts_.push_back(at + 1);
    }
  }

  std::size_t offset(const toml::source_position& place) const {
    if (place.line == 0 || place.line > starts_.size()) return base_;
    std::size_t at = starts_[place.line - 1];
    for (toml::source_index column = 1; column < place.column && at < text_.size(); ++column) {
      at += std::max<std::size_t>(utf8_length(text_, at), 1);
    }
    return at + base_;
  }
  std::string_view slice(const TomlNode& node) const { return text_.substr(node.at - base_, node.end - node.at); }

 private:
  std::string_view text_;
  std::size_t base_;
  std::vector<std::size_t> starts_{0};
};

std::string float_json(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  std::string json = JsonWriter().number(value).take();
  if (json.find_first_of(".eE") == std::string::npos) json += ".0";
  return json;
}

std::string scalar_json(const toml::node& node, std::string_view written) {
  if (node.is_integer() || node.is_floating_point()) {
    if (json_value_end(written, 0) == written.size()) return std::string(written);
    if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
    return float_json(node.as_floating_point()->get());
  }
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  JsonWriter out;
  if (const auto* text = node.as_string()) return out.string(text->get()).take();
  return out.string(written).take();  // dates and times: as they were written
}

class Converter {
 public:
  explicit Converter(const Places& places) : places_(places) {}

  Result<TomlNode> convert(const toml::node& node, std::size_t depth) const {
    if (depth > kTomlMaxDepth) return fail(Code::too_large, "TOML nested too deeply");
    TomlNode out{.at = places_.offset(node.source().begin), .end = places_.offset(node.source().end)};
    if (const auto* table = node.as_table()) {
      out.kind = table->is_inline() ? TomlKind::inline_table : TomlKind::table;
      HOLDFAST_TRY(add_fields(out, *table, depth));
    } else if (const auto* array = node.as_array()) {
      out.kind = TomlKind::array;
      for (const auto& element : *array) {
        HOLDFAST_LET(child, convert(element, depth + 1));
        if (child.kind == TomlKind::table) out.kind = TomlKind::tables;
        out.children.push_back(std::move(child));
      }
    } else {
      out.json = scalar_json(node, places_.slice(out));
    }
    return out;
  }

 private:
  Result<void> add_fields(TomlNode& out, const toml::table& table, std::size_t depth) const {
    for (const auto& [key, value] : table) {
      HOLDFAST_LET(child, convert(value, depth + 1));
      child.key = key.str();
      child.key_at = places_.offset(key.source().begin);
      // toml++ gives a table that only dotted keys or headers below it made the place of that key or header.
      child.header = child.kind == TomlKind::table && places_.slice(child).starts_with('[');
      out.children.push_back(std::move(child));
    }
    std::sort(out.children.begin(), out.children.end(),
              [](const TomlNode& a, const TomlNode& b) { return a.key_at < b.key_at; });
    return {};
  }

  const Places& places_;
};

}  // namespace

const TomlNode* TomlNode::find(std::string_view name) const {
  if (kind != TomlKind::table && kind != TomlKind::inline_table) return nullptr;
  const auto found = std::find_if(children.begin(), children.end(), [&](const TomlNode& n) { return n.key == name; });
  return found == children.end() ? nullptr : &*found;
}

Result<TomlNode> toml_nodes(std::string_view toml) {
  if (toml.size() > kTomlMaxBytes) return fail(Code::too_large, "a TOML document of more than 10 MB");
  const std::string_view text = without_bom(toml);
  if (has_long_chain(text)) return fail(Code::too_large, "a dotted TOML key of too many parts");
  try {
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
      const toml::parse_error& error = parsed.error();
      return fail(Code::corrupt,
                  "line " + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
    }
    const Places places(text, toml.size() - text.size());
    HOLDFAST_LET(root, Converter(places).convert(parsed.table(), 0));
    root.header = true;
    root.at = toml.size() - text.size();
    root.end = toml.size();
    return root;
  } catch (const std::bad_alloc&) {
    return fail(Code::out_of_memory, "no memory to read TOML");
  } catch (...) {
    return fail(Code::corrupt, "toml++ failed");
  }
}

}  // namespace holdfast::inline v1
