// The only file that uses yaml-cpp. Handles the parser's events directly, because the node tree shows neither which
// scalars were quoted nor how large aliases are.
#include "text/yaml_events.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <new>
#include <sstream>
#include <utility>

#include "text/json_scan.h"
#include "text/utf8.h"
#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

Error at_line(Code code, std::size_t line, std::string_view what) {
  return Error{code, "line " + std::to_string(line) + ": " + std::string(what), {}, 0};
}

std::size_t line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// Records the events of yaml-cpp; input that we refuse is thrown through it as Refusal.
class Recorder final : public YAML::EventHandler {
 public:
  struct Refusal {
    Error error;
  };

  Recorder(std::string_view text, std::size_t base) : text_(text), base_(base) {}
  std::vector<YamlEvent> take() { return std::move(list_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (started_) refuse(mark, Code::corrupt, "more text after the end of the document");
    started_ = true;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    // A missing value has the position of whatever is next to it: if that becomes an
    // event, the text there was not this value.
    add(mark, anchor, {.plain = true, .text = std::string(null_word(position(mark)))});
    null_at_ = list_.size() - 1;
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto named = anchors_.find(anchor);
    if (named == anchors_.end()) return refuse(mark, Code::corrupt, "an alias that names nothing");
    const YamlEvent& target = list_[named->second];
    if (target.next == 0) return refuse(mark, Code::corrupt, "an alias inside what it names");
    const bool scalar = target.kind == YamlKind::scalar;
    add(mark, 0, {.kind = YamlKind::alias, .target = named->second}, scalar);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // yaml-cpp treats the end of the input as a closing quote: a torn file would read as whole.
    const std::size_t at = skip_yaml_properties(text_, position(mark));
    const bool quoted = tag != "?" && at < text_.size() && (text_[at] == '"' || text_[at] == '\'');
    if (quoted && yaml_quoted_end(text_, at) == std::string_view::npos) {
      refuse(mark, Code::corrupt, "a quoted scalar without its closing quote");
    }
    add(mark, anchor, {.plain = tag == "?", .text = value});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, anchor, YamlKind::sequence, style);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, anchor, YamlKind::mapping, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    std::size_t index;
    std::size_t children = 0;
  };

  std::size_t position(const YAML::Mark& mark) const {
    return std::min(text_.size(), static_cast<std::size_t>(std::max(mark.pos, 0)));
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, Code code, std::string_view what) const {
    throw Refusal{at_line(code, line_of(text_, position(mark)), what)};
  }

  // yaml-cpp also accepts Null and NULL as null; returns the word at `at`.
  std::string_view null_word(std::size_t at) const {
    std::string_view rest = text_.substr(at);
    while (rest.starts_with('&')) {
      rest.remove_prefix(std::min(rest.find_first_of(" \t\r\n"), rest.size()));
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    }
    for (const std::string_view word : {"null", "Null", "NULL", "~"}) {
      if (!rest.starts_with(word)) continue;
      const std::string_view after = rest.substr(word.size(), 1);
      if (after.empty() || std::string_view(" \t\r\n:,]}").find(after[0]) != std::string_view::npos) return word;
    }
    return {};
  }

  void add(const YAML::Mark& mark, YAML::anchor_t anchor, YamlEvent event, bool may_be_key = true) {
    event.at = position(mark) + base_;
    if (null_at_ < list_.size() && list_[null_at_].at == event.at) list_[null_at_].text.clear();
    null_at_ = std::string::npos;
    if (!open_.empty()) {
      Open& parent = open_.back();
      const bool key = list_[parent.index].kind == YamlKind::mapping && parent.children++ % 2 == 0;
      if (key && !may_be_key) refuse(mark, Code::unsupported, "a key that is a list or a mapping");
    }
    if (list_.size() >= kYamlMaxNodes) refuse(mark, Code::too_large, "too many values");
    if (anchor != 0) anchors_[anchor] = list_.size();
    const bool container = event.kind == YamlKind::sequence || event.kind == YamlKind::mapping;
    event.next = container ? 0 : list_.size() + 1;
    list_.push_back(std::move(event));
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, YamlKind kind, YAML::EmitterStyle::value style) {
    add(mark, anchor, {.kind = kind, .flow = style == YAML::EmitterStyle::Flow}, false);
    open_.push_back({list_.size() - 1});
    if (open_.size() > kYamlMaxDepth) refuse(mark, Code::too_large, "nested too deeply");
  }

  void close() {
    list_.push_back({.kind = YamlKind::end});
    list_.back().next = list_.size();
    list_[open_.back().index].next = list_.size();
    open_.pop_back();
  }

  std::string_view text_;
  std::size_t base_;
  bool started_ = false;
  std::vector<YamlEvent> list_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::size_t> anchors_;
  std::size_t null_at_ = std::string::npos;
};

// Bytes that YAML forbids everywhere; yaml-cpp treats some of them as the end of the input.
std::size_t forbidden_byte(std::string_view text) {
  const auto bad = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  return bad == text.end() ? std::string_view::npos : static_cast<std::size_t>(bad - text.begin());
}

}  // namespace

Result<YamlEvents> yaml_events(std::string_view yaml) {
  if (yaml.size() > kYamlMaxBytes) return fail(Code::too_large, "a YAML document of more than 10 MB");
  const std::string_view text = without_bom(yaml);
  const std::size_t base = yaml.size() - text.size();
  if (const std::size_t at = utf8_fault(text); at != std::string_view::npos) {
    return fail(at_line(Code::corrupt, line_of(text, at), "not valid UTF-8"));
  }
  if (const std::size_t at = forbidden_byte(text); at != std::string_view::npos) {
    return fail(at_line(Code::corrupt, line_of(text, at), "a control character"));
  }
  const YamlRange range = yaml_first_document(text);
  const std::string_view first = text.substr(0, range.stop);
  Recorder recorder(first, base);
  try {
    std::istringstream input{std::string(first)};
    YAML::Parser parser(input);
    while (parser.HandleNextDocument(recorder)) continue;
  } catch (const Recorder::Refusal& refusal) {
    return fail(refusal.error);
  } catch (const YAML::Exception& error) {
    const int line = std::max(error.mark.line, 0);
    return fail(at_line(Code::corrupt, static_cast<std::size_t>(line) + 1, error.msg));
  } catch (const std::bad_alloc&) {
    return fail(Code::out_of_memory, "not enough memory to read YAML");
  } catch (...) {
    return fail(Code::corrupt, "yaml-cpp failed");
  }
  return YamlEvents{recorder.take(), range.begin + base, range.stop + base};
}

}  // namespace holdfast::inline v1
