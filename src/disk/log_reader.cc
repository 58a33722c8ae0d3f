#include <holdfast/log_reader.h>

#include <utility>

#include "disk/log_reader_scan.h"
#include "text/json_deep.h"

namespace holdfast::inline v1 {
namespace {

constexpr bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

// Other programs write CRLF, and spaces around records.
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

}  // namespace

std::string_view damage_kind_name(DamageKind kind) {
  switch (kind) {
    case DamageKind::torn: return "torn";
    case DamageKind::glued: return "glued";
    case DamageKind::nul: return "nul";
    case DamageKind::bad_utf8: return "bad_utf8";
    case DamageKind::not_json: return "not_json";
    case DamageKind::too_long: return "too_long";
    case DamageKind::too_deep: return "too_deep";
  }
  return "not_json";
}

LogScan::LogScan(Context context, std::shared_ptr<File> file, ReadOptions options, std::uint64_t limit,
                 const AcceptRecord& vouch)
    : context_(std::move(context)),
      options_(std::move(options)),
      vouch_(vouch),
      lines_(std::move(file), options_.from, options_.max_line, limit) {}

Result<bool> LogScan::next(Record& record) {
  marked_ = false;
  if (salvager_ && next_salvaged(record)) return true;
  for (;;) {
    if (next_framed(record)) return true;
    HOLDFAST_LET(more, lines_.next(context_, line_));
    if (!more) return false;
    if (line_.length > options_.max_line) {
      damage_.push_back({line_.offset, line_.length, DamageKind::too_long, 0});
      continue;
    }
    const std::string_view text = trimmed(line_.text);
    if (text.empty()) continue;
    if (looks_whole(text)) {
      record = {text, line_.offset + static_cast<std::size_t>(text.data() - line_.text.data()), false};
      return true;
    }
    if (examine(text, record)) return true;
  }
}

// The common case of Check::objects: finds the newline, quotes and brackets in one pass.
bool LogScan::next_framed(Record& record) {
  if (options_.check != Check::objects) return false;
  const std::size_t length = marks_.look_to_newline(lines_.buffered());
  if (length == 0 || length > options_.max_line) return false;
  line_ = lines_.take_buffered(length);
  record = {line_.text, line_.offset, false};
  marked_ = true;
  return true;
}

// The common case: accepts a whole record without further examination.
bool LogScan::looks_whole(std::string_view text) {
  switch (options_.check) {
    case Check::whole: return is_json_object_line(text);
    case Check::objects: return marked_ = marks_.look(text);
    case Check::framing: break;
  }
  return text.front() == '{' && text.back() == '}' && std::memchr(text.data(), 0, text.size()) == nullptr;
}

// The uncommon case: a record in unusual spelling, or damage.
bool LogScan::examine(std::string_view text, Record& record) {
  bool deep = false;
  const JsonFault fault = text.front() == '{' ? check_deep_json(text, deep).fault : JsonFault::bad_token;
  const bool whole = fault == JsonFault::none || fault == JsonFault::bad_utf8;
  if (whole) record = {text, line_.offset + static_cast<std::size_t>(text.data() - line_.text.data()), false};
  if (fault == JsonFault::none) {
    if (deep) damage_.push_back({line_.offset, line_.length, DamageKind::too_deep, 1});
    return true;
  }
  damage_.push_back({line_.offset, line_.length, whole ? DamageKind::bad_utf8 : classify(line_.text), 0});
  if (whole) {
    record.salvaged = true;
    damage_.back().salvaged = 1;
    return true;
  }
  salvager_.emplace(line_.text, options_.accept_salvaged, vouch_);
  return next_salvaged(record);
}

bool LogScan::next_salvaged(Record& record) {
  Span span;
  if (!salvager_->next(span)) {
    salvager_.reset();
    return false;
  }
  ++damage_.back().salvaged;
  record = {line_.text.substr(span.offset, span.length), line_.offset + span.offset, true};
  return true;
}

struct HOLDFAST_HIDDEN LogReader::Impl {
  LogScan scan;
};

LogReader::LogReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LogReader::LogReader(LogReader&&) noexcept = default;
LogReader& LogReader::operator=(LogReader&&) noexcept = default;
LogReader::~LogReader() = default;

Result<LogReader> LogReader::open(const Context& context, Directory& directory, std::string_view path,
                                  ReadOptions options) {
  HOLDFAST_TRY(context.check());
  HOLDFAST_LET(file, directory.open(path, OpenMode::read));
  return LogReader(std::unique_ptr<Impl>(new Impl{LogScan(context, std::move(file), std::move(options))}));
}

Result<bool> LogReader::next(Record& record) { return impl_->scan.next(record); }
std::uint64_t LogReader::position() const { return impl_->scan.position(); }
const std::vector<Damage>& LogReader::damage() const { return impl_->scan.damage(); }
std::uint64_t LogReader::in_flight() const { return impl_->scan.in_flight(); }

}  // namespace holdfast::inline v1
