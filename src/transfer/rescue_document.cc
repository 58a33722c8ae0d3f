#include "transfer/rescue_document.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "layout/layout.h"
#include "layout/session_rescue.h"
#include "text/json_deep.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/utf8.h"
#include "transfer/tool_pairs.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kLooks = 64;  // the most times that each byte is looked at

// The documents of all agents, in the order in which their lists are searched for.
std::vector<const DocumentShape*> known_documents() {
  std::vector<const DocumentShape*> all;
  for (const Layout* layout : layouts()) {
    if (layout->rescue() == nullptr) continue;
    for (const DocumentShape& shape : layout->rescue()->documents()) all.push_back(&shape);
  }
  return all;
}

struct Field {
  std::string_view key, value;  // as written; the key includes its quotes
};

std::size_t skip_space(std::string_view text, std::size_t at) { return skip_json_space(text, at); }

// The position of the value after a key whose string ends at `end`; npos if there is no value.
std::size_t value_after(std::string_view text, std::size_t end) {
  const std::size_t colon = skip_space(text, end);
  if (colon >= text.size() || text[colon] != ':') return std::string_view::npos;
  return skip_space(text, colon + 1);
}

class DocumentRescue {
 public:
  explicit DocumentRescue(std::string_view text) : text_(text), budget_(kLooks * text.size()) {}

  bool find_list() {
    for (const DocumentShape* const document : known_) {
      const std::string key = "\"" + std::string(document->list) + "\"";
      for (std::size_t at = text_.find(key); at != std::string_view::npos; at = text_.find(key, at + 1)) {
        const std::size_t value = value_after(text_, at + key.size());
        if (value >= text_.size() || text_[value] != '[') continue;
        list_ = {text_.substr(at, key.size()), {}};
        list_key_ = at;
        list_begin_ = value + 1;
        shape_ = document;
        return true;
      }
    }
    return false;
  }

  // Takes whole objects of the list, one after the other; after damage, the next object that looks like an element.
  void take_elements() {
    std::size_t at = skip_space(text_, list_begin_);
    std::size_t lost_from = std::string_view::npos;
    list_end_ = text_.size();
    while (at < text_.size() && work_ < budget_) {
      if (lost_from == std::string_view::npos && text_[at] == ']') {
        list_end_ = at + 1;
        return;
      }
      bool deep = false;
      const JsonCheck seen =
          text_[at] == '{' ? check_deep_json(text_.substr(at), deep) : JsonCheck{JsonFault::bad_token, 0};
      work_ += deep ? 2 * seen.at : seen.at;
      const bool whole = seen.ok() || seen.fault == JsonFault::trailing || (seen.fault == JsonFault::bad_utf8 && !deep);
      const std::size_t end = !whole ? std::string_view::npos : deep ? at + seen.at : json_value_end(text_, at);
      const bool one = whole && (deep || is_element(element(at, end)));
      if (whole && !one && lost_from == std::string_view::npos) {
        // Whole, but the agent cannot load it.
        note_gap(at, end);
        at = skip_space(text_, end);
        if (at < text_.size() && text_[at] == ',') at = skip_space(text_, at + 1);
        continue;
      }
      if (one && (lost_from == std::string_view::npos || !is_value_of_key(at))) {
        if (lost_from != std::string_view::npos) note_gap(std::exchange(lost_from, std::string_view::npos), at);
        if (!gone.empty()) ++salvaged;
        elements.push_back(text_.substr(at, end - at));
        at = skip_space(text_, end);
        if (at < text_.size() && text_[at] == ',') at = skip_space(text_, at + 1);
        continue;
      }
      if (lost_from == std::string_view::npos) lost_from = at;
      at = text_.find('{', at + 1);
    }
    note_gap(lost_from == std::string_view::npos ? std::min(at, text_.size()) : lost_from, text_.size());
  }

  // Takes fields before and after the list: all of them while they are consecutive,
  // after a damaged place only those with known names.
  void take_fields(std::size_t from, std::size_t to) {
    const std::string_view part = text_.substr(0, to);
    bool whole = true;
    for (std::size_t at = from; (at = part.find('"', at)) != std::string_view::npos && work_ < budget_;) {
      const std::size_t key_end = json_value_end(part, at);
      const std::size_t value = key_end == std::string_view::npos ? key_end : value_after(part, key_end);
      const std::size_t end = value == std::string_view::npos ? value : json_value_end(part, value);
      work_ += (end == std::string_view::npos ? to : end) - at;
      if (end == std::string_view::npos) {
        if (whole) note_gap(at, to);
        whole = false;
        ++at;
        continue;
      }
      const std::string_view name = part.substr(at + 1, key_end - at - 2);
      if (whole || is_needed(name)) fields.push_back({part.substr(at, key_end - at), part.substr(value, end - value)});
      at = end;
    }
  }

  void take_all() {
    take_elements();
    take_fields(0, list_key_);
    place_of_list = fields.size();
    take_fields(list_end_, text_.size());
  }

  std::string_view list_name() const { return list_.key; }
  // The id in ID.json, or in the agent's own form of the name.
  std::string id_from(std::string_view name) const {
    if (name.ends_with(".json")) name.remove_suffix(5);
    return std::string(shape_->id_in(name));
  }
  bool has(std::string_view name) const {
    return std::ranges::any_of(fields,
                               [&](const Field& field) { return field.key == "\"" + std::string(name) + "\""; });
  }

  std::vector<Field> fields;
  std::size_t place_of_list = 0;  // among the fields
  std::vector<std::string_view> elements;
  std::uint64_t salvaged = 0;
  std::vector<RescueGap> gone;

 private:
  bool is_element(JsonView json) const { return json.kind() == JsonKind::object && shape_->is_message(json); }
  bool is_needed(std::string_view field) const {
    return std::ranges::any_of(known_, [&](const DocumentShape* document) {
      return std::ranges::find(document->fields, field) != document->fields.end();
    });
  }
  JsonView element(std::size_t at, std::size_t end) const { return JsonView(text_.substr(at, end - at)); }

  // The value of a key is part of another object; an element is directly in a list.
  bool is_value_of_key(std::size_t at) const {
    while (at > 0 && std::string_view(" \t\r\n").contains(text_[at - 1])) --at;
    return at > 0 && text_[at - 1] == ':';
  }
  void note_gap(std::size_t from, std::size_t to) {
    if (from >= to) return;
    const std::size_t nul = text_.substr(from, to - from).find('\0');
    gone.push_back({from, to - from, nul != std::string_view::npos ? "nul" : to == text_.size() ? "torn" : "not_json"});
  }

  std::string_view text_;
  const std::vector<const DocumentShape*> known_ = known_documents();
  const DocumentShape* shape_ = nullptr;  // of the list that was found
  std::uint64_t budget_;
  std::uint64_t work_ = 0;
  Field list_;
  std::size_t list_key_ = 0, list_begin_ = 0, list_end_ = 0;
};

std::string document_of(const DocumentRescue& found, std::span<const RescuedRecord> elements, const std::string& id) {
  std::string text = "{";
  const auto add = [&](std::string_view key, std::string_view value) {
    ((((text += text.size() > 1 ? ",\n  " : "\n  ") += key) += ": ") += value);
  };
  const auto add_list = [&] {
    std::string list = "[";
    for (const RescuedRecord& element : elements) (list += list.size() > 1 ? ",\n    " : "\n    ") += element.bytes;
    add(found.list_name(), list + "\n  ]");
  };
  if (!id.empty()) add("\"sessionId\"", JsonWriter().string(id).take());
  for (std::size_t n = 0; n <= found.fields.size(); ++n) {
    if (n == found.place_of_list) add_list();
    if (n < found.fields.size()) add(found.fields[n].key, found.fields[n].value);
  }
  return text + "\n}\n";
}

}  // namespace

Result<Rescued> rescue_document(std::string_view bytes, std::string_view name) {
  const std::string_view text = without_bom(bytes);
  DocumentRescue found(text);
  if (!found.find_list()) return fail(Code::not_found, "there is no list of messages in it", std::string(name));
  found.take_all();
  if (found.elements.empty()) return fail(Code::not_found, "there is no whole message in it", std::string(name));
  Rescued rescued;
  rescued.records = found.elements.size();
  bool deep = false;
  if (check_deep_json(text, deep).ok() && (deep || found.gone.empty())) {
    rescued.bytes = text;  // without a byte-order mark, which JSON.parse rejects
    if (text.size() != bytes.size()) rescued.gone.push_back({0, bytes.size() - text.size(), "not_json"});
    return rescued;
  }
  rescued.salvaged = found.salvaged;
  const std::string id = found.has("sessionId") ? std::string() : found.id_from(name);
  rescued.headers = id.empty() ? 0 : 1;
  rescued.gone = std::move(found.gone);
  std::vector<RescuedRecord> elements;
  std::vector<RecordSpan> places;
  for (const std::string_view element : found.elements) {
    elements.push_back({.bytes = std::string(element)});
    places.push_back({static_cast<std::uint64_t>(element.data() - text.data()), element.size()});
  }
  mark_losses(elements, places, rescued.gone);
  // Relative to the file, where a byte-order mark may precede the text.
  for (RescueGap& gap : rescued.gone) gap.offset += bytes.size() - text.size();
  HOLDFAST_LET(tools, pair_tools(elements, {}));
  rescued.tools = tools;
  rescued.records = elements.size();
  const std::string document = document_of(found, elements, id);
  rescued.cleaned = utf8_fault(document) == std::string::npos ? 0 : 1;
  append_clean_utf8(rescued.bytes, document);
  if (!check_deep_json(rescued.bytes, deep).ok())
    return fail(Code::internal, "the rescued document is not whole", std::string(name));
  return rescued;
}

}  // namespace holdfast::inline v1
