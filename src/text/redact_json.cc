#include "text/redact_json.h"

#include <array>
#include <utility>
#include <vector>

#include "text/json_deep.h"
#include "text/json_string.h"
#include "text/json_text.h"
#include "text/json_value.h"
#include "text/secret_names.h"
#include "text/secret_values.h"
#include "text/secrets.h"

namespace holdfast::inline v1 {
namespace {

using Row = std::pair<std::string_view, TextSide>;
constexpr std::array<Row, 20> kSides = {{
    {"user", TextSide::input},
    {"human", TextSide::input},
    {"system", TextSide::input},
    {"developer", TextSide::input},
    {"tool_use", TextSide::input},
    {"tool_call", TextSide::input},
    {"toolCall", TextSide::input},
    {"function_call", TextSide::input},
    {"function", TextSide::input},
    {"options", TextSide::input},
    {"assistant", TextSide::output},
    {"model", TextSide::output},
    {"agent", TextSide::output},
    {"tool", TextSide::output},
    {"result", TextSide::output},
    {"tool_result", TextSide::output},
    {"toolResult", TextSide::output},
    {"function_call_output", TextSide::output},
    {"function_response", TextSide::output},
    {"thinking", TextSide::output},
}};

// Returns the side that an object states, else the side of its surroundings.
TextSide side_of(JsonView object, TextSide around) {
  TextSide side = around;
  for (const JsonItem& item : object.fields()) {
    if (!item.key_is("type") && !item.key_is("role")) continue;
    for (const auto& [name, its] : kSides) {
      if (item.value.is_string(name)) side = its;
    }
    // The type of a block is more specific than the role of the message.
    if (item.key_is("type") && side != around) return side;
  }
  return side;
}

bool is_environment(std::string_view key) {
  return key == "env" || key == "environment" || key == "environ" || key == "envVars" || key == "env_vars";
}

// Deeper nesting is hidden as a whole: each level takes memory.
constexpr std::size_t kMaxLevels = std::size_t{1} << 18;

struct Level {
  bool object = false;
  bool environment = false;               // the members are environment variables
  SecretName inherited = SecretName::no;  // applies to all values inside
  TextSide side = TextSide::unknown;
  bool expects_key = false;
  std::string key = {};
};

class Walk {
 public:
  Walk(std::string_view json, RedactOptions request, TextSide side)
      : json_(json), request_(request), outer_{.side = side} {}

  // The whole text was checked before: this only finds its tokens.
  std::optional<std::string> run() {
    for (std::size_t at = json_.size() - without_bom(json_).size(); at < json_.size();) {
      if (levels_.size() > kMaxLevels) return json_quoted(placeholder(SecretName::secret));
      at = step(at);
    }
    if (from_ == 0) return std::nullopt;
    return std::move(out_.append(json_.substr(from_)));
  }

 private:
  Level& level() { return levels_.empty() ? outer_ : levels_.back(); }

  std::size_t step(std::size_t at) {
    switch (json_[at]) {
      case '{': open(at, true); return at + 1;
      case '[': open(at, false); return at + 1;
      case '}':
      case ']': levels_.pop_back(); return at + 1;
      case ',': level().expects_key = level().object; return at + 1;
      case '"': return string(at);
      case ' ':
      case '\n':
      case '\r':
      case '\t':
      case ':': return at + 1;
      default: return scalar(at);
    }
  }

  void open(std::size_t at, bool object) {
    const Level& above = level();
    Level inner;
    inner.object = object;
    inner.expects_key = object;
    inner.side = above.side;
    inner.environment = above.object ? is_environment(above.key) : above.environment;
    const SecretName name = above.object ? name_of(above) : above.inherited;
    // A list of secrets, or an object named "secrets" or "credentials"; members of other objects have names of their
    // own.
    if (!object || above.key == "secrets" || above.key == "credentials") inner.inherited = name;
    // The side matters only if inputs and outputs are treated differently.
    if (object && request_.inputs != request_.outputs) inner.side = side_of(JsonView(value_at(at)), above.side);
    levels_.push_back(std::move(inner));
  }

  std::string_view value_at(std::size_t at) const {
    const std::size_t end = json_value_end(json_, at);
    return json_.substr(at, end == std::string_view::npos ? 0 : end - at);
  }

  static SecretName name_of(const Level& level) {
    if (level.inherited != SecretName::no) return level.inherited;
    return level.object ? secret_name(level.key, level.environment) : SecretName::no;
  }

  std::size_t string(std::size_t at) {
    const std::string_view token = value_at(at);
    if (token.empty()) return json_.size();
    const std::size_t end = at + token.size();
    Level& here = level();
    const bool wanted = request_.of(here.side);
    std::optional<std::string> decoded;
    std::string_view text = token.substr(1, token.size() - 2);
    if (text.find('\\') != std::string_view::npos) {
      decoded = decode_json_string(token);
      if (decoded) text = *decoded;
    }
    if (here.expects_key) {
      here.expects_key = false;
      here.key = text;
      if (auto hidden = wanted ? redacted(text) : std::nullopt) replace(at, end, *hidden);
      return end;
    }
    if (!wanted || text.empty()) return end;
    const SecretName name = name_of(here);
    if (name != SecretName::no) {
      if (!is_secret_placeholder(text)) replace(at, end, placeholder(name));
    } else if (here.object && names_login(here.key) && is_encoded_login(text)) {
      replace(at, end, placeholder(SecretName::password));
    } else if (auto hidden = redacted(text)) {
      replace(at, end, *hidden);
    }
    return end;
  }

  // Numbers can be passwords, and every environment variable is text, even if it looks like a number.
  std::size_t scalar(std::size_t at) {
    const std::string_view token = value_at(at);
    if (token.empty()) return json_.size();
    const bool number = JsonView(token).kind() == JsonKind::number;
    const Level& here = level();
    const SecretName name = name_of(here);
    if (number && request_.of(here.side) &&
        (name == SecretName::password || (name != SecretName::no && here.environment)))
      replace(at, at + token.size(), placeholder(name));
    return at + token.size();
  }

  static std::string placeholder(SecretName name) {
    return secret_placeholder(name == SecretName::password ? "password" : "secret");
  }

  void replace(std::size_t at, std::size_t end, std::string_view text) {
    out_.append(json_.substr(from_, at - from_));
    append_json_string(out_, text);
    from_ = end;
  }

  std::string_view json_;
  RedactOptions request_;
  Level outer_;
  std::vector<Level> levels_;
  std::string out_;
  std::size_t from_ = 0;
};

}  // namespace

std::optional<std::string> redacted_json(std::string_view json, RedactOptions request, TextSide side) {
  if (!request.any()) return std::nullopt;
  bool deep = false;
  const JsonFault fault = check_deep_json(without_bom(json), deep).fault;
  if (fault != JsonFault::none && fault != JsonFault::bad_utf8) return std::nullopt;
  return Walk(json, request, side).run();
}

}  // namespace holdfast::inline v1
