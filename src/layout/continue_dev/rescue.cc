// A session is one document, ID.json.
#include <algorithm>
#include <array>

#include "layout/continue_dev/continue_layout.h"
#include "layout/session_rescue.h"

namespace holdfast::inline v1::continue_dev {
namespace {

// Checks what Continue assumes without checking: one element of another form makes it fail.
bool is_message(JsonView element) {
  constexpr std::array<std::string_view, 5> kRoles = {"user", "assistant", "system", "tool", "thinking"};
  const JsonView message = element.find("message"), role = message.find("role"), content = message.find("content");
  const JsonView context = element.find("contextItems"), states = element.find("toolCallStates");
  const bool known = std::ranges::any_of(kRoles, [&](std::string_view name) { return role.is_string(name); });
  const bool said = content.kind() == JsonKind::string || content.kind() == JsonKind::array;
  return known && said && context.kind() == JsonKind::array && (!states || states.kind() == JsonKind::array);
}

std::string_view id_in(std::string_view name) { return name; }

constexpr std::array<std::string_view, 7> kFields = {"sessionId",          "title",          "mode", "dateCreated",
                                                     "workspaceDirectory", "chatModelTitle", "usage"};
constexpr std::array<DocumentShape, 2> kDocuments = {
    {{"history", kFields, is_message, id_in}, {"chatMessages", kFields, is_message, id_in}}};

class ContinueRescue final : public SessionRescue {
 public:
  std::span<const DocumentShape> documents() const override { return kDocuments; }
};

}  // namespace

const SessionRescue& rescue() {
  static const ContinueRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::continue_dev
