#include <holdfast/session.h>

namespace holdfast::inline v1 {
namespace {

void take(std::string& into, const std::string& later) {
  if (!later.empty()) into = later;
}

template <typename T>
void take(std::optional<T>& into, const std::optional<T>& later) {
  if (later) into = later;
}

}  // namespace

void SessionFacts::merge(const SessionFacts& later) {
  take(project, later.project);
  take(title, later.title);
  take(git_branch, later.git_branch);
  take(created_at, later.created_at);
  take(updated_at, later.updated_at);
  take(model, later.model);
  take(parent, later.parent);
  take(status, later.status);
  take(pending, later.pending);
  take(archived, later.archived);
  take(subagents, later.subagents);
  take(summary, later.summary);
  take(metadata, later.metadata);
  take(began_at, later.began_at);
  copies_keep_ids = copies_keep_ids || later.copies_keep_ids;
}

}  // namespace holdfast::inline v1
