#include "disk/steps.h"

#include <array>

namespace holdfast::inline v1 {

std::string_view step_name(Step step) {
  static constexpr std::array<std::string_view, kStepCount> kNames{
      "log_sync",
      "log_sync_on_open",
      "log_name_sync",
      "log_lock",
      "log_inode_check",
      "log_last_byte_check",
      "log_newline_prefix",
      "log_roll_back",
      "log_quarantine",
      "log_poison_mark",
      "log_poison_check",
      "log_mend_sync",
      "document_sync",
      "document_name_sync",
      "document_backup",
      "document_revision",
      "document_lock",
      "commit_staged_sync",
      "commit_staged_names",
      "commit_journal_sync",
      "commit_journal_name",
      "commit_pointer",
      "commit_apply_sync",
      "commit_done_mark",
      "commit_recovery",
      "counter_sync",
      "root_name_sync",
      "quarantine_sync",
  };
  return kNames[static_cast<std::size_t>(step)];
}

}  // namespace holdfast::inline v1
