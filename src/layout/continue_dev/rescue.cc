// A session is one document, ID.json.
#include <array>

#include "layout/continue_dev/continue_layout.h"
#include "layout/session_rescue.h"

namespace holdfast::inline v1::continue_dev {
namespace {

bool is_message(JsonView element) { return element.find("message").find("role").kind() == JsonKind::string; }

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
