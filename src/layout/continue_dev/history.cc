#include "layout/continue_dev/history.h"

#include "layout/json_fault_kind.h"
#include "text/json_deep.h"

namespace holdfast::inline v1::continue_dev {
namespace {

constexpr std::uint64_t kLooks = 64;  // the most times that each byte is looked at

bool is_element(JsonView json) {
  return json.kind() == JsonKind::object && json.find("message").find("role").kind() == JsonKind::string;
}

// Searches for elements one by one, from the start of the list.
class Search {
 public:
  Search(std::string_view text, History& history) : text_(text), budget_(kLooks * text.size()), history_(history) {}

  void run() {
    at_ = start_of_list();
    while (at_ < text_.size() && work_ < budget_) {
      at_ = text_.find('{', at_);
      if (at_ == std::string_view::npos) return;
      bool deep = false;
      const JsonCheck check = check_deep_json(text_.substr(at_), deep);
      work_ += (deep ? 2 : 1) * check.at + 1;
      if (check.ok() || check.fault == JsonFault::trailing || check.fault == JsonFault::bad_utf8) {
        take(check.ok() || check.fault == JsonFault::trailing ? at_ + check.at : text_.size());
      } else {
        ++at_;
      }
    }
  }

 private:
  std::size_t start_of_list() const {
    const std::size_t key = text_.find("\"history\"");
    const std::size_t list = key == std::string_view::npos ? key : text_.find('[', key);
    return list == std::string_view::npos ? skip_json_space(text_, 0) + 1 : list + 1;
  }

  // The value of a key is part of another object; an element is directly in a list.
  bool is_value_of_key() const {
    std::size_t before = at_;
    while (before > 0 && std::string_view(" \t\r\n").contains(text_[before - 1])) --before;
    return before > 0 && text_[before - 1] == ':';
  }

  void take(std::size_t end) {
    const JsonView json(text_.substr(at_, end - at_));
    if (!is_value_of_key() && is_element(json)) history_.elements.push_back({json, at_});
    work_ += end - at_;
    at_ = end;
  }

  std::string_view text_;
  std::uint64_t budget_;
  std::uint64_t work_ = 0;
  std::size_t at_ = 0;
  History& history_;
};

}  // namespace

History read_history(std::string_view text) {
  History history;
  const std::size_t bom = text.size() - without_bom(text).size();
  bool deep = false;
  const JsonCheck check = check_deep_json(text.substr(bom), deep);
  if (!check.ok()) history.damage.push_back({bom + check.at, json_fault_kind(text.substr(bom), check)});
  const bool grammar = check.ok() || check.fault == JsonFault::bad_utf8;
  if (grammar && deep) history.damage.push_back({bom, "too_deep"});
  if (!grammar || deep) {
    Search(text, history).run();
    return history;
  }
  for (const JsonItem& element : JsonView(text).find("history").elements()) {
    history.elements.push_back({element.value, static_cast<std::uint64_t>(element.value.raw().data() - text.data())});
  }
  // Not a list: treated as one element.
  if (const JsonView one = JsonView(text).find("history"); one && !one.is_null() && one.kind() != JsonKind::array)
    history.elements.push_back({one, static_cast<std::uint64_t>(one.raw().data() - text.data())});
  const JsonView document(text.substr(bom));
  if (document.kind() != JsonKind::object) history.damage.push_back({bom, "not_json"});
  const JsonView list = document.find("history");
  history.listed = list && !list.is_null();
  return history;
}

}  // namespace holdfast::inline v1::continue_dev
