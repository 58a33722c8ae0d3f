// Logs are those of pi; sessions in a database cannot be given back to the agent.
#include "layout/openclaw/openclaw_layout.h"
#include "layout/session_rescue.h"

namespace holdfast::inline v1::openclaw {
namespace {

class OpenclawRescue final : public SessionRescue {
 public:
  Result<std::optional<Rescued>> rescue_rows(Feed&, const Place& place, std::string_view) const override {
    if (place.path.ends_with(".jsonl")) return std::nullopt;
    return fail(Code::unsupported, "openclaw cannot import a session; export it instead", place.path);
  }
};

}  // namespace

const SessionRescue& rescue() {
  static const OpenclawRescue rescue;
  return rescue;
}

}  // namespace holdfast::inline v1::openclaw
