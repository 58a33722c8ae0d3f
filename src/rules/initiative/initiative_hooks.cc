#include "rules/initiative/initiative_hooks.h"

#include "rules/initiative/initiative_status.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

Result<void> check_initiative(const Store::Look& look, const RecordEdit& edit) {
  const auto status = JsonView(edit.json).find("status").as_string();
  if (!status) return {};
  HOLDFAST_LET(there, look(edit.key));
  if (there.records.empty()) return {};
  return check_status_step(text_in(there.records.front(), "status"), *status);
}

// Every edit of an initiative must follow its status machine (W08).
Result<void> check_edits(const Store::Look& look, std::span<const RecordEdit> edits) {
  for (const RecordEdit& edit : edits) {
    if (edit.key.kind == "initiative" && edit.kind != RecordEdit::Kind::remove)
      HOLDFAST_TRY(check_initiative(look, edit));
  }
  return {};
}

}  // namespace

const Hooks kInitiativeHooks = {.editing = check_edits};

}  // namespace holdfast::inline v1
