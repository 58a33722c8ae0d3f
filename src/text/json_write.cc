#include "text/json_write.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "text/json_plain.h"
#include "text/json_string.h"

namespace holdfast::inline v1 {
namespace {

template <typename T>
std::string_view to_text(T value, char (&buffer)[32]) {
  // 32 bytes hold any 64-bit integer and any shortest double (24 at most).
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, static_cast<std::size_t>(result.ptr - buffer)};
}

// Nearly every key, in one step: keys are a large part of what is written.
void append_plain_key(std::string& out, std::string_view name, bool comma) {
  const std::size_t before = out.size(), after = before + name.size() + (comma ? 4 : 3);
  out.resize_and_overwrite(after, [&](char* bytes, std::size_t /*room*/) {
    char* to = bytes + before;
    if (comma) *to++ = ',';
    *to++ = '"';
    std::memcpy(to, name.data(), name.size());
    bytes[after - 2] = '"';
    bytes[after - 1] = ':';
    return after;
  });
}

}  // namespace

void JsonWriter::new_line() {
  if (pretty_) out_.append("\n").append(levels_.size() * 2, ' ');
}

// Writes the comma and the line break that separate an item from the previous one.
void JsonWriter::before_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  if (!levels_.back().empty) out_.push_back(',');
  levels_.back().empty = false;
  new_line();
}

JsonWriter& JsonWriter::begin(char open, char close) {
  before_item();
  out_.push_back(open);
  levels_.push_back({close, true});
  return *this;
}

JsonWriter& JsonWriter::end() {
  if (levels_.empty()) return *this;
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty) new_line();
  out_.push_back(level.close);
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  if (!pretty_ && !levels_.empty() && is_json_plain_ascii(name)) {
    append_plain_key(out_, name, !std::exchange(levels_.back().empty, false));
  } else {
    before_item();
    append_json_string(out_, name);
    out_.append(pretty_ ? ": " : ":");
  }
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  before_item();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::int64(std::int64_t value) {
  char buffer[32];
  return raw(to_text(value, buffer));
}

JsonWriter& JsonWriter::uint64(std::uint64_t value) {
  char buffer[32];
  return raw(to_text(value, buffer));
}

JsonWriter& JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  char buffer[32];
  return raw(to_text(value, buffer));
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  before_item();
  out_.append(json);
  return *this;
}

std::string JsonWriter::take() {
  after_key_ = false;
  levels_.clear();
  return std::exchange(out_, std::string{});
}

}  // namespace holdfast::inline v1
