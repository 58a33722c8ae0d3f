// A YAML document as a flat list of events with their byte positions: the base of
// reading (yaml_value.h) and editing (yaml_edit.h).
// Thread-safety: pure functions and plain values.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// Limits on nested containers, on events after alias expansion, and on the bytes of a
// document or of its expansion; one more is too_large.
inline constexpr std::size_t kYamlMaxDepth = 128;
inline constexpr std::size_t kYamlMaxNodes = 100'000;
inline constexpr std::size_t kYamlMaxBytes = 10'000'000;

enum class YamlKind { scalar, alias, sequence, mapping, end };

struct YamlEvent {
  YamlKind kind = YamlKind::scalar;
  bool plain = false;  // scalar: unquoted and untagged; its text may be a number, true, false or null
  bool flow = false;   // container: written with brackets
  std::size_t at = 0;  // first byte, anchor and tag included; approximate for an empty scalar
  // Index past the event, for a container past its `end`. An alias has no events of its
  // own; `target` is the index of the event it names.
  std::size_t next = 0;
  std::size_t target = 0;
  std::string text = {};  // scalar: decoded; empty and plain for a missing value
};

struct YamlEvents {
  std::vector<YamlEvent> list;      // empty for a document without content
  std::size_t begin = 0, stop = 0;  // the bytes of the document: after a `---` line, before the next `---` or `...`
};

// Returns the events of the first document in `yaml`, which may begin with a byte-order mark.
// Errors: corrupt (not YAML, with the line; bad UTF-8; control characters; an alias inside the
// value it names), unsupported (a key that is not a scalar), too_large.
Result<YamlEvents> yaml_events(std::string_view yaml);

// The value that starts at list[at] as compact JSON, see yaml_value.h.
Result<std::string> yaml_events_json(const YamlEvents& events, std::size_t at);

}  // namespace holdfast::inline v1
