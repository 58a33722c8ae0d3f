#include "text/yaml_value.h"

#include <unordered_map>
#include <vector>

#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/yaml_events.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

// Whether a plain scalar is JSON already: a number, true, false or null.
bool is_json_word(std::string_view text) {
  if (text == "true" || text == "false" || text == "null") return true;
  if (text.empty() || !(text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))) return false;
  return json_value_end(text, 0) == text.size();
}

class Expander {
 public:
  explicit Expander(const YamlEvents& events) : list_(events.list) {}

  Result<std::string> json(std::size_t at) {
    HOLDFAST_TRY(value(at, 0));
    return out_.take();
  }

 private:
  const YamlEvent& named(std::size_t at) const {
    return list_[at].kind == YamlKind::alias ? list_[list_[at].target] : list_[at];
  }

  // Recursion is bounded by kYamlMaxDepth; aliases can only name earlier values.
  Result<void> value(std::size_t at, std::size_t depth) {
    if (depth > kYamlMaxDepth) return fail(Code::too_large, "YAML nested too deeply once its aliases are expanded");
    if (++nodes_ > kYamlMaxNodes || out_.text().size() > kYamlMaxBytes) {
      return fail(Code::too_large, "YAML too large once its aliases are expanded");
    }
    if (list_[at].kind == YamlKind::alias) at = list_[at].target;
    const YamlEvent& event = list_[at];
    switch (event.kind) {
      case YamlKind::scalar: scalar(event); return {};
      case YamlKind::sequence: return sequence(at, depth);
      case YamlKind::mapping: return mapping(at, depth);
      default: return fail(Code::internal, "no YAML value there");
    }
  }

  void scalar(const YamlEvent& event) {
    if (event.plain && is_json_word(event.text)) {
      out_.raw(event.text);
    } else if (event.plain && (event.text.empty() || event.text == "~")) {
      out_.null();
    } else {
      out_.string(event.text);
    }
  }

  Result<void> sequence(std::size_t at, std::size_t depth) {
    out_.begin_array();
    for (std::size_t item = at + 1; list_[item].kind != YamlKind::end; item = list_[item].next) {
      HOLDFAST_TRY(value(item, depth + 1));
    }
    out_.end_array();
    return {};
  }

  Result<void> mapping(std::size_t at, std::size_t depth) {
    std::unordered_map<std::string_view, std::size_t> last;
    for (std::size_t key = at + 1; list_[key].kind != YamlKind::end; key = list_[list_[key].next].next) {
      last[named(key).text] = key;
    }
    out_.begin_object();
    for (std::size_t key = at + 1; list_[key].kind != YamlKind::end; key = list_[list_[key].next].next) {
      if (++nodes_ > kYamlMaxNodes) return fail(Code::too_large, "YAML too large once its aliases are expanded");
      if (last[named(key).text] != key) continue;
      out_.key(named(key).text);
      HOLDFAST_TRY(value(list_[key].next, depth + 1));
    }
    out_.end_object();
    return {};
  }

  const std::vector<YamlEvent>& list_;
  std::size_t nodes_ = 0;
  JsonWriter out_;
};

}  // namespace

Result<std::string> yaml_events_json(const YamlEvents& events, std::size_t at) {
  if (at >= events.list.size()) return std::string("null");
  return Expander(events).json(at);
}

bool is_json_container(std::string_view text) {
  const JsonKind kind = JsonView(text).kind();
  return (kind == JsonKind::object || kind == JsonKind::array) && check_json(text).ok();
}

Result<std::string> yaml_to_json(std::string_view yaml) {
  // JSON has white space that yaml-cpp does not accept: a lone CR, a line end before a colon.
  if (is_json_container(without_bom(yaml))) {
    if (const auto spelled = json_to_yaml(JsonView(without_bom(yaml)))) {
      HOLDFAST_LET(events, yaml_events(*spelled));
      return yaml_events_json(events, 0);
    }
  }
  HOLDFAST_LET(events, yaml_events(yaml));
  return yaml_events_json(events, 0);
}

}  // namespace holdfast::inline v1
