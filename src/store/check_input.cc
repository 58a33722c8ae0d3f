#include "store/check_input.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "model/time_formats.h"
#include "model/usage_figures.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

using Named = std::pair<std::string_view, const std::string*>;

Failure wrong(std::string_view name, std::string_view why) {
  return fail(Code::invalid_argument, std::string(name) + " " + std::string(why));
}

Result<void> check_texts(std::initializer_list<Named> texts) {
  for (const auto& [name, text] : texts) {
    if (!is_utf8(*text)) return wrong(name, "is not UTF-8");
  }
  return {};
}

Result<void> check_object(std::string_view name, const std::string& json) {
  if (json.empty() || (check_json(json).ok() && JsonView(json).kind() == JsonKind::object)) return {};
  return wrong(name, "must be a JSON object");
}

template <typename Enum>
bool within(Enum value, Enum last) {
  return std::to_underlying(value) >= 0 && value <= last;
}

Result<void> check_block(const Block& block) {
  if (!within(block.kind, BlockKind::other)) return wrong("blocks", "have an unknown kind");
  HOLDFAST_TRY(check_texts({{"text of a block", &block.text},
                            {"id of a block", &block.id},
                            {"name of a block", &block.name},
                            {"media_type of a block", &block.media_type},
                            {"blob of a block", &block.blob},
                            {"signature of a block", &block.signature}}));
  if (!block.json.empty() && !check_json(block.json).ok()) return wrong("json of a block", "must be JSON");
  return check_object("extra of a block", block.extra);
}

}  // namespace

Result<void> check_input(const Message& message) {
  if (!within(message.role, Role::system)) return wrong("role", "must be user, assistant, tool or system");
  if (!within(message.origin, Origin::notice)) return wrong("origin", "is unknown");
  if (!message.timestamp.empty() && !parse_any_time(message.timestamp))
    return wrong("timestamp", "is not a time");  // without the value, which may be a secret
  HOLDFAST_TRY(check_texts({{"id", &message.id},
                            {"parent", &message.parent},
                            {"model", &message.model},
                            {"stop_reason", &message.stop_reason},
                            {"response", &message.response},
                            {"agent", &message.agent},
                            {"context.cwd", &message.context.cwd},
                            {"context.git_branch", &message.context.git_branch},
                            {"context.permission_mode", &message.context.permission_mode},
                            {"context.version", &message.context.version},
                            {"context.user_type", &message.context.user_type}}));
  if (const auto& usage = message.usage) {
    for (const auto figure : kUsageFigures)
      if ((*usage).*figure < 0) return wrong("usage", "has a negative number");
  }
  if (!message.cost.empty()) {
    const JsonView cost(message.cost);
    if (!check_json(message.cost).ok() || cost.kind() != JsonKind::number || cost.as_double().value_or(-1) < 0)
      return wrong("cost_usd", "must be a number, not below 0");
  }
  for (const Block& block : message.blocks) HOLDFAST_TRY(check_block(block));
  return check_object("extra", message.extra);
}

Result<void> check_input(const SessionDraft& draft) {
  if (draft.id.starts_with('@'))
    return fail(Code::invalid_argument,
                "not a valid session id: " + draft.id + "; names that begin with @ mean something else, like @last");
  HOLDFAST_TRY(check_texts({{"id", &draft.id},
                            {"thread", &draft.thread},
                            {"title", &draft.title},
                            {"first_prompt", &draft.first_prompt},
                            {"model", &draft.model},
                            {"provider", &draft.provider},
                            {"agent", &draft.agent},
                            {"git_branch", &draft.git_branch}}));
  return check_object("metadata", draft.metadata);
}

Result<void> check_input(const SessionPatch& patch) {
  for (const auto& [name, text] : {std::pair("title", &patch.title),
                                   {"summary", &patch.summary},
                                   {"model", &patch.model},
                                   {"leaf", &patch.leaf}}) {
    if (*text && !is_utf8(**text)) return wrong(name, "is not UTF-8");
  }
  if (patch.status && !within(*patch.status, Status::stopped)) return wrong("status", "is unknown");
  if (!patch.metadata) return {};
  if (patch.metadata->empty()) return wrong("metadata", "must be a JSON object");
  return check_object("metadata", *patch.metadata);
}

}  // namespace holdfast::inline v1
