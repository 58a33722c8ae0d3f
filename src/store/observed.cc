#include "store/observed.h"

#include <algorithm>
#include <array>

#include "layout/backup_finding.h"

namespace holdfast::inline v1 {

bool is_storage_failure(Code code) {
  switch (code) {
    case Code::invalid_argument:
    case Code::invalid_record:
    case Code::unsafe_path:
    case Code::not_found:
    case Code::already_exists:
    case Code::conflict:
    case Code::busy:
    case Code::unsupported:
    case Code::too_large:
    case Code::cancelled:
    case Code::deadline_exceeded: return false;
    default: return true;
  }
}

bool is_final_status(Status status) {
  return status == Status::complete || status == Status::failed || status == Status::stopped;
}

void SpanWatch::end(std::string_view name, std::string_view session, const Error* error) const {
  if (observer_ == nullptr || session.empty()) return;
  observer_->span(
      {name, session, begin_, context_.clock->now(), error == nullptr ? std::string_view() : code_name(error->code)});
}

double StepWatch::milliseconds() const {
  return std::chrono::duration<double, std::milli>(context_.clock->ticks() - ticks_).count();
}

void StepWatch::span(const StepNote& step, const Error* error) const {
  if (step.span.empty() || step.session.empty()) return;
  observer_.span({step.span, step.session, begin_, context_.clock->now(),
                  error == nullptr ? std::string_view() : code_name(error->code)});
}

void StepWatch::note_failure(std::string_view name, const StepNote& step, double ms, const Error& error) const {
  observer_.note(context_.clock->now(), name,
                 {{"operation", step.what},
                  {"session", step.session},
                  {"ms", ms},
                  {"code", code_name(error.code)},
                  {"os_error", std::int64_t{error.os_error}},
                  {"path", std::string_view(error.path)}});
}

thread_local int WriteDepth::depth_ = 0;

void note_unread(const Context& context, Observer* observer, const StepNote& step,
                 const std::vector<Finding>& findings) {
  if (observer == nullptr) return;
  constexpr std::array kUnread = {
      Code::corrupt,  Code::serialization_failed, Code::schema_version_mismatch, Code::newer_schema,
      Code::io_error, Code::permission_denied};
  for (const Finding& finding : findings) {
    const bool unread = std::ranges::any_of(kUnread, [&](Code code) { return finding.kind == code_name(code); });
    if (!unread && finding.kind != kRestoredFromBackup) continue;
    observer->count(Tick::read_failures);
    observer->note(context.clock->now(), "storage.read.failure",
                   {{"operation", step.what},
                    {"session", step.session},
                    {"code", std::string_view(finding.kind)},
                    {"path", std::string_view(finding.file)}});
  }
}

void StepWatch::wrote(const StepNote& step, const Error* error) const {
  const double ms = milliseconds();
  if (error != nullptr && !is_storage_failure(error->code)) return;
  span(step, error);
  if (error == nullptr) {
    observer_.timed(StorageTime::write, ms);
    observer_.note(context_.clock->now(), "storage.write.success",
                   {{"operation", step.what}, {"session", step.session}, {"ms", ms}});
    return;
  }
  observer_.count(Tick::write_failures);
  note_failure("storage.write.failure", step, ms, *error);
}

void StepWatch::read(const StepNote& step, const Error* error) const {
  const double ms = milliseconds();
  if (error == nullptr) {
    observer_.timed(StorageTime::read, ms);
    return;
  }
  if (!is_storage_failure(error->code)) return;
  observer_.count(Tick::read_failures);
  note_failure("storage.read.failure", step, ms, *error);
}

}  // namespace holdfast::inline v1
