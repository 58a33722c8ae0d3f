// What a store does when it cannot write (M09, M10): sets corrupt documents
// aside, keeps unwritten changes in memory and retries them.
#include <algorithm>
#include <array>

#include "base/start_thread.h"
#include "disk/staged.h"
#include "layout/change.h"
#include "store/carry_out.h"
#include "store/corrupt_documents.h"
#include "store/file_store.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::milliseconds kPause{500};

bool is_persistence_failure(Code code) {
  return is_unwritable(code) || code == Code::serialization_failed || code == Code::schema_version_mismatch ||
         code == Code::durability_unknown || code == Code::poisoned || code == Code::unfinished;
}

}  // namespace

FileStore::~FileStore() {
  if (retrying_.joinable()) {
    retrying_.request_stop();
    retrying_.join();
  }
  (void)flush_unwritten({});
}

DirectoryFeed FileStore::looking(const Context& context, Check check) const {
  DirectoryFeed feed(context, roots_.directories(), check);
  feed.overlay_files(kept_.files());
  if (!layout_.writable()) feed.report_unlistable_directories();
  if (!layout_.traits().corrupt_folder.empty()) {
    feed.enable_backups([this](const Place& file) {
      const auto root = roots_.root(file.root);
      return root ? backup_path(**root, file.path) : std::string();
    });
  }
  return feed;
}

Result<bool> FileStore::mend(const Context& context, const Error& error) {
  if (error.code != Code::corrupt || error.path.empty() || layout_.traits().corrupt_folder.empty()) return false;
  HOLDFAST_LET(aside, set_aside(context, roots_.first(), layout_, error.path));
  if (!aside) return false;
  note_finding({error.path, 0, 0, aside->restored ? "restored_from_backup" : "corrupt",
                "the bad file is now " + aside->moved_to, 0});
  if (aside->restored) return true;
  return fail(Code::serialization_failed,
              error.message + "; there is no valid backup, the bad file is now " + aside->moved_to, error.path);
}

void FileStore::tell_failed(const Subject& subject, const Error& error) {
  if (!is_persistence_failure(error.code)) return;
  JsonWriter json;
  json.begin_object();
  if (!subject.thread.empty()) json.key("threadId").string(subject.thread);
  if (!subject.session.empty()) json.key("sessionId").string(subject.session);
  json.key("code").string(code_name(error.code)).key("message").string(error.message);
  tell("session:persistence_failed", json.end_object().take());
}

Result<bool> FileStore::change_or_keep(const Context& context, const Planner& plan) {
  auto done = change(context, plan);
  if (done) return true;
  if (!options_.keep_unwritten || !layout_.traits().continues_unsaved || !is_unwritable(done.error().code))
    return fail(std::move(done).error());
  DirectoryFeed feed(context, roots_.directories());
  feed.overlay_files(kept_.files());
  HOLDFAST_LET(changes, plan(feed));
  HOLDFAST_TRY(kept_.keep(changes, feed));
  tell("storage:unavailable", JsonWriter().begin_object().key("error").string(done.error().text()).end_object().take());
  return false;
}

bool FileStore::keep(const Error& error, const Changes& changes, const DirectoryFeed& seen, const Subject* subject) {
  if (!options_.keep_unwritten || layout_.message_files() == nullptr || !is_unwritable(error.code)) return false;
  if ((subject != nullptr && !subject->can_wait) || !kept_.keep(changes, seen)) return false;
  {
    const ScopedLock guard(kept_mutex_);
    kept_why_ = error;
    if (subject != nullptr) kept_subjects_.push_back(*subject);
    if (!retrying_.joinable()) {
      // Without a thread, they are written with the next change, or at the end.
      retrying_ = start_thread([this](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          for (auto waited = kPause; waited.count() > 0 && !stop.stop_requested(); waited -= kPause / 10)
            std::this_thread::sleep_for(kPause / 10);
          if (!stop.stop_requested()) (void)flush_unwritten({});
        }
      });
    }
  }
  if (subject != nullptr) tell_failed(*subject, error);
  return true;
}

void FileStore::on_kept_written(const std::shared_ptr<const UnwrittenFiles>& kept) {
  kept_.clear(kept);
  if (layout_.message_files() == nullptr) {
    tell("storage:available", "{}");
    return;
  }
  std::vector<Subject> subjects;
  {
    const ScopedLock guard(kept_mutex_);
    subjects.swap(kept_subjects_);
  }
  for (const Subject& subject : subjects) persisted(subject);
}

Result<void> FileStore::flush_unwritten(const Context& context) {
  if (!has_unwritten_changes()) return {};
  // Every change includes the kept ones.
  const auto done = change(context, [](DirectoryFeed&) -> Result<Changes> { return Changes(); });
  const auto left = kept_.files();
  if (!left) return done;
  std::string what;
  for (const auto& [place, file] : *left) what += (what.empty() ? "" : ", ") + place.path;
  Error why = done ? Error() : done.error();
  if (done) {
    const ScopedLock guard(kept_mutex_);
    why = kept_why_;
  }
  return fail(
      Error{Code::storage_unavailable, "not saved, in memory only: " + what + ": " + why.message, name_, why.os_error});
}

}  // namespace holdfast::inline v1
