#include "store/observe.h"

#include "base/mutex.h"
#include "base/time.h"
#include "store/engine.h"
#include "store/metrics_file.h"
#include "store/plain_appender.h"
#include "store/span_line.h"
#include "text/json_write.h"
#include "text/secrets.h"

namespace holdfast::inline v1 {
namespace {

// A long-lived process writes its metrics now and then, not only at its end.
constexpr std::chrono::seconds kFlushEvery{5};

std::string hex16(std::uint64_t bits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; bits >>= 4) text[i] = kDigits[bits & 15];
  return text;
}

}  // namespace

struct Observer::Impl {
  Impl(FileSystem& files, const StoreOptions& options, std::string name)
      : file_system(files),
        store(std::move(name)),
        log(files, options.log_file),
        span_file(files, options.spans_file),
        metrics_file(options.metrics_file) {}

  FileSystem& file_system;
  const std::string store;
  PlainAppender log;
  PlainAppender span_file;
  const std::string metrics_file;
  Mutex mutex;
  MetricsBook book HOLDFAST_GUARDED_BY(mutex);  // not yet in the file
  std::chrono::steady_clock::time_point flushed HOLDFAST_GUARDED_BY(mutex) = std::chrono::steady_clock::now();

  void flush_if_due() HOLDFAST_REQUIRES(mutex) {
    if (metrics_file.empty() || std::chrono::steady_clock::now() - flushed < kFlushEvery) return;
    flush();
  }
  void flush() HOLDFAST_REQUIRES(mutex) {
    flushed = std::chrono::steady_clock::now();
    if (metrics_file.empty() || book.empty()) return;
    if (add_to_metrics_file(file_system, metrics_file, book)) book = {};
  }
};

std::unique_ptr<Observer> Observer::make(FileSystem& file_system, const StoreOptions& options, std::string store) {
  if (options.log_file.empty() && options.spans_file.empty() && options.metrics_file.empty()) return nullptr;
  return std::unique_ptr<Observer>(new Observer(std::make_unique<Impl>(file_system, options, std::move(store))));
}

Observer::Observer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Observer::~Observer() { flush(); }

bool Observer::spans() const { return impl_->span_file.on(); }

void Observer::note(std::chrono::system_clock::time_point now, std::string_view name, NoteFields fields) {
  if (!impl_->log.on()) return;
  const bool bad = name.ends_with("failure") || name.ends_with("fail");
  JsonWriter json;
  json.begin_object().key("time").string(iso8601(now)).key("level").string(bad ? "error" : "info");
  json.key("name").string(name).key("store").string(impl_->store);
  for (const NoteField& field : fields) {
    json.key(field.key);
    if (const auto* text = std::get_if<std::string_view>(&field.value))
      json.string(redacted(*text).value_or(std::string(*text)));  // a path may contain a secret
    else if (const auto* whole = std::get_if<std::int64_t>(&field.value))
      json.int64(*whole);
    else
      json.number(std::get<double>(field.value));
  }
  impl_->log.line(json.end_object().take());
}

void Observer::count(Tick tick, std::uint64_t by) {
  const ScopedLock guard(impl_->mutex);
  impl_->book.count(tick, by);
  impl_->flush_if_due();
}

void Observer::timed(StorageTime timing, double milliseconds) {
  const ScopedLock guard(impl_->mutex);
  impl_->book.timed(timing, milliseconds);
  impl_->flush_if_due();
}

void Observer::span(const SpanNote& span) {
  if (!spans()) return;
  impl_->span_file.line(span_line(impl_->store, span, hex16(impl_->file_system.entropy())));
}

MetricsBook Observer::unwritten() const {
  const ScopedLock guard(impl_->mutex);
  return impl_->book;
}

void Observer::flush() {
  const ScopedLock guard(impl_->mutex);
  impl_->flush();
}

Observer* observer_of(Store& store) {
  const auto files = engine_of(store);
  return files ? (*files)->observer() : nullptr;
}

void note(const Context& context, Store& store, std::string_view name, NoteFields fields) {
  if (Observer* const observer = observer_of(store)) observer->note(context.clock->now(), name, fields);
}

void count_tick(Store& store, Tick tick, std::uint64_t by) {
  if (Observer* const observer = observer_of(store)) observer->count(tick, by);
}

}  // namespace holdfast::inline v1
