#include "store/metrics_book.h"

#include <algorithm>
#include <charconv>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

struct Name {
  std::string_view metric;
  std::string_view help;
};
constexpr std::array<Name, 3> kTicks = {{
    {"storage_write_failures_total", "Failed storage writes."},
    {"storage_read_failures_total", "Failed storage reads."},
    {"sync_attempts_total", "Attempts to send a queued item."},
}};
constexpr std::array<Name, 2> kTimings = {{
    {"storage_write_ms", "Time of one write until it was acknowledged, in milliseconds."},
    {"storage_read_ms", "Time of one read, in milliseconds."},
}};

std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

void escape_label(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\\' || c == '"') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
}

void head(std::string& out, const Name& name, std::string_view type) {
  out.append("# HELP ").append(name.metric).append(" ").append(name.help).append("\n");
  out.append("# TYPE ").append(name.metric).append(" ").append(type).append("\n");
}

std::uint64_t whole(JsonView value) {
  const auto read = value.as_int64();
  return read && *read > 0 ? static_cast<std::uint64_t>(*read) : 0;
}

}  // namespace

void MetricsBook::timed(StorageTime timing, double milliseconds) {
  TimingFigures& figures = timings_[static_cast<std::size_t>(timing)];
  const auto bucket = std::ranges::lower_bound(kBucketEnds, milliseconds) - kBucketEnds.begin();
  ++figures.buckets[static_cast<std::size_t>(bucket)];
  figures.sum += milliseconds;
}

void MetricsBook::add(const MetricsBook& other) {
  for (std::size_t i = 0; i < ticks_.size(); ++i) ticks_[i] += other.ticks_[i];
  for (std::size_t i = 0; i < timings_.size(); ++i) {
    for (std::size_t b = 0; b < timings_[i].buckets.size(); ++b) timings_[i].buckets[b] += other.timings_[i].buckets[b];
    timings_[i].sum += other.timings_[i].sum;
  }
}

bool MetricsBook::empty() const {
  if (std::ranges::any_of(ticks_, [](std::uint64_t n) { return n != 0; })) return false;
  return std::ranges::all_of(timings_, [](const TimingFigures& figures) {
    return std::ranges::all_of(figures.buckets, [](std::uint64_t n) { return n == 0; });
  });
}

std::string MetricsBook::line() const {
  JsonWriter json;
  json.begin_object().key("v").int64(1);
  for (std::size_t i = 0; i < ticks_.size(); ++i) {
    if (ticks_[i] != 0) json.key(kTicks[i].metric).uint64(ticks_[i]);
  }
  for (std::size_t i = 0; i < timings_.size(); ++i) {
    json.key(kTimings[i].metric).begin_object().key("sum").number(timings_[i].sum).key("buckets").begin_array();
    for (const std::uint64_t n : timings_[i].buckets) json.uint64(n);
    json.end_array().end_object();
  }
  return json.end_object().take();
}

std::optional<MetricsBook> MetricsBook::from_line(std::string_view line) {
  const JsonView view(line);
  if (view.find("v").as_int64() != 1) return std::nullopt;
  MetricsBook book;
  for (std::size_t i = 0; i < kTicks.size(); ++i) book.ticks_[i] = whole(view.find(kTicks[i].metric));
  for (std::size_t i = 0; i < kTimings.size(); ++i) {
    const JsonView figures = view.find(kTimings[i].metric);
    const double sum = figures.find("sum").as_double().value_or(0);
    book.timings_[i].sum = sum > 0 ? sum : 0;
    std::size_t bucket = 0;
    for (const JsonItem& item : figures.find("buckets").elements()) {
      if (bucket == book.timings_[i].buckets.size()) break;
      book.timings_[i].buckets[bucket++] = whole(item.value);
    }
  }
  return book;
}

std::string MetricsBook::exposition(std::string_view store, std::uint64_t queue_depth) const {
  std::string label = "store=\"";
  escape_label(label, store);
  label += '"';
  std::string out;
  const auto sample = [&](std::string_view name, std::string_view suffix, std::string_view more,
                          const std::string& value) {
    out.append(name).append(suffix).append("{").append(label).append(more).append("} ").append(value).append("\n");
  };
  for (std::size_t i = 0; i < timings_.size(); ++i) {
    head(out, kTimings[i], "histogram");
    std::uint64_t so_far = 0;
    for (std::size_t b = 0; b < timings_[i].buckets.size(); ++b) {
      so_far += timings_[i].buckets[b];
      const std::string end = b < kBucketEnds.size() ? number(kBucketEnds[b]) : "+Inf";
      sample(kTimings[i].metric, "_bucket", ",le=\"" + end + "\"", std::to_string(so_far));
    }
    sample(kTimings[i].metric, "_sum", "", number(timings_[i].sum));
    sample(kTimings[i].metric, "_count", "", std::to_string(so_far));
  }
  for (std::size_t i = 0; i < ticks_.size(); ++i) {
    head(out, kTicks[i], "counter");
    sample(kTicks[i].metric, "", "", std::to_string(ticks_[i]));
  }
  const Name depth{"sync_queue_depth", "Items currently waiting in the queue."};
  head(out, depth, "gauge");
  sample(depth.metric, "", "", std::to_string(queue_depth));
  return out;
}

}  // namespace holdfast::inline v1
