#include "doors/rpc/server.h"

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "api/error_json.h"
#include "api/guarded.h"
#include "api/referenced_sessions.h"
#include "base/start_thread.h"
#include "doors/rpc/batch.h"
#include "doors/rpc/json_rpc.h"
#include "doors/rpc/line_input.h"
#include "doors/rpc/line_output.h"
#include "doors/rpc/scheduler.h"
#include "text/json_scan.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

class Server {
 public:
  explicit Server(RpcOptions options)
      : options_(std::move(options)),
        input_(options_.input, options_.max_request),
        output_(options_.output, [this] { input_.wake(); }),
        stores_(options_.settings),
        scheduler_(options_.threads, 1000) {
    stores_.set_listener([this](const std::string& store, const StoreEvent& event) { tell(store, event); });
  }

  Result<void> run() {
    const std::stop_callback on_stop(options_.stop, [this] {
      cancel_all();
      input_.wake();
      output_.hurry();
    });
    const auto result = input_.each(
        [this](const std::string& line) { take(line); },
        [this](const Error& error) { output_.write(rpc_error(input_.skipped_id(), kInvalidRequest, error)); });
    end_streams();
    scheduler_.wait_for_all();
    auto closed = stores_.close({});
    tell_of_lost();
    auto written = output_.finish();
    HOLDFAST_TRY(closed);  // unsaved data matters more than why this ends
    HOLDFAST_TRY(written);
    if (options_.stop.stop_requested()) return fail(Code::cancelled, "interrupted");
    return result;
  }

 private:
  void take(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    if (const JsonCheck check = check_json(line); !check.ok()) {
      const RejectedRequest unread = explain_rejection(line, check);
      output_.write(rpc_error(unread.id, kParseError, {Code::invalid_argument, unread.why}));
      return;
    }
    const JsonView message(line);
    if (message.kind() != JsonKind::array) return take_one(message, nullptr);
    if (message.elements().empty()) {
      output_.write(rpc_error({}, kInvalidRequest, {Code::invalid_argument, "the batch is empty"}));
      return;
    }
    const auto batch = std::make_shared<Batch>(output_);
    for (const JsonItem& item : message.elements()) take_one(item.value, batch);
  }

  void take_one(JsonView message, const std::shared_ptr<Batch>& batch) {
    auto request = read_request(message);
    if (!request) return answer(batch, rpc_error(message.find("id").raw(), kInvalidRequest, request.error()));
    if (request->method == "$/cancel") {
      const bool found = cancel(JsonView(request->params).find("id").raw());
      if (request->id.empty()) return;  // a valid notification
      return answer(batch, rpc_answer(request->id, found ? R"({"cancelled":true})" : R"({"cancelled":false})"));
    }
    if (!greeted_ && request->method != "hello") {
      if (request->id.empty()) return;
      return answer(batch, rpc_error(request->id, kHelloRequired, {Code::invalid_argument, "say hello first"}));
    }
    const Operation* const operation = find_operation(request->method);
    if (operation == nullptr) {
      if (request->id.empty()) return;
      return answer(batch, rpc_error(request->id, kMethodNotFound, unknown_method(request->method)));
    }
    const auto stop = begin(request->id, operation->saves);
    if (produces_items(*operation, JsonView(request->params))) return stream(std::move(*request), batch, stop);
    if (operation->use == Use::nothing) return work(*request, batch, stop);  // hello must finish before what follows
    auto sessions = referenced_sessions(*operation, JsonView(request->params));
    scheduler_.submit(std::move(sessions),
                      [this, request = std::move(*request), batch, stop] { work(request, batch, stop); });
  }

  // A stream may never end: it gets its own thread, and delays no other request.
  void stream(RpcRequest request, const std::shared_ptr<Batch>& batch, const std::shared_ptr<std::stop_source>& stop) {
    std::erase_if(streams_, [](const Stream& one) { return one.ended->load(); });
    const std::string id = request.id;
    const auto refuse = [&](std::string why) {
      end(id, stop);
      const Error error{Code::busy, std::move(why)};
      if (!id.empty()) answer(batch, rpc_error(id, rpc_number(error.code), error));
    };
    if (streams_.size() >= kMostStreams)
      return refuse("at most " + std::to_string(kMostStreams) + " streams run at a time");
    const auto ended = std::make_shared<std::atomic<bool>>(false);
    std::jthread thread = start_thread([this, request = std::move(request), batch, stop, ended] {
      work(request, batch, stop);
      *ended = true;
    });
    if (!thread.joinable()) return refuse("the system has no thread left for a stream");
    streams_.push_back({stop, ended, std::move(thread)});
  }

  void end_streams() {
    for (const Stream& one : streams_) one.stop->request_stop();
    streams_.clear();
  }

  void work(const RpcRequest& request, const std::shared_ptr<Batch>& batch,
            const std::shared_ptr<std::stop_source>& stop) {
    Context context;
    context.stop = stop->get_token();
    const ItemSink items = [&](std::string_view item) {
      if (request.id.empty()) return false;
      JsonWriter json;
      json.begin_object().key("id").raw(request.id).key("item").raw(item).end_object();
      output_.write(rpc_notification("item", json.take()));
      return true;
    };
    auto result = dispatch(context, stores_, request.method, request.params, items);
    if (!result && result.error().code == Code::cancelled && options_.stop.stop_requested())
      result.error().message = "not done: holdfast rpc is shutting down";
    if (result && request.method == "hello") greeted_ = true;
    end(request.id, stop);
    if (request.id.empty()) return;
    const auto said = guarded([&]() -> Result<void> {
      if (result) {
        answer(batch, rpc_answer(request.id, *result));
        return {};
      }
      const std::vector<Finding> findings = stores_.news();
      const Error error = with_reason(result.error(), findings);
      answer(batch, rpc_error(request.id, rpc_number(error.code), error, findings));
      return {};
    });
    if (!said) answer(batch, rpc_error(request.id, rpc_number(said.error().code), said.error()));
  }

  void answer(const std::shared_ptr<Batch>& batch, std::string text) {
    tell_of_lost();
    if (batch != nullptr)
      batch->add(std::move(text));
    else
      output_.write(text);
  }

  static std::string event_line(std::string_view store, std::string_view name, std::string_view data) {
    JsonWriter json;
    json.begin_object().key("store").string(store).key("name").string(name);
    json.key("data").raw(data.empty() ? "{}" : data).end_object();
    return rpc_notification("event", json.take());
  }

  // Never waits for a client that does not read.
  void tell(const std::string& store, const StoreEvent& event) {
    const std::size_t missed = lost_events_.exchange(0);
    if (missed > 0 && !output_.offer(lost_line(missed)))
      lost_events_ += missed + 1;
    else if (!output_.offer(event_line(store, event.name, event.json)))
      ++lost_events_;
  }

  static std::string lost_line(std::size_t count) {
    return event_line("", "events:lost", R"({"count":)" + std::to_string(count) + "}");
  }
  // Before an answer, because the client reads answers.
  void tell_of_lost() {
    if (const std::size_t missed = lost_events_.exchange(0); missed > 0) output_.write(lost_line(missed));
  }

  // A call that saves work is finished even if the door has to close: a signal
  // must not lose what was handed over before it (L06). Its caller may still
  // cancel it.
  std::shared_ptr<std::stop_source> begin(const std::string& id, bool saves) {
    auto stop = std::make_shared<std::stop_source>();
    const ScopedLock lock(mutex_);
    running_.emplace(id, Running{stop, saves});
    if (options_.stop.stop_requested() && !saves) stop->request_stop();
    return stop;
  }

  void end(const std::string& id, const std::shared_ptr<std::stop_source>& stop) {
    const ScopedLock lock(mutex_);
    const auto [first, last] = running_.equal_range(id);
    for (auto at = first; at != last; ++at) {
      if (at->second.stop != stop) continue;
      running_.erase(at);
      return;
    }
  }

  // Whether a request with that id was running.
  bool cancel(std::string_view id) {
    const ScopedLock lock(mutex_);
    const auto [first, last] = running_.equal_range(id);
    for (auto at = first; at != last; ++at) at->second.stop->request_stop();
    return first != last;
  }

  void cancel_all() {
    const ScopedLock lock(mutex_);
    for (auto& [id, each] : running_) {
      if (!each.saves) each.stop->request_stop();
    }
  }

  RpcOptions options_;
  LineInput input_;
  LineOutput output_;
  Stores stores_;
  std::atomic<std::size_t> lost_events_ = 0;
  Mutex mutex_;
  struct Running {
    std::shared_ptr<std::stop_source> stop;
    bool saves = false;
  };
  std::multimap<std::string, Running, std::less<>> running_ HOLDFAST_GUARDED_BY(mutex_);
  struct Stream {
    std::shared_ptr<std::stop_source> stop;
    std::shared_ptr<std::atomic<bool>> ended;
    std::jthread thread;
  };
  static constexpr std::size_t kMostStreams = 32;
  bool greeted_ = false;         // used by the reading thread
  std::vector<Stream> streams_;  // likewise
  Scheduler scheduler_;          // last, so its threads end before what they use
};

}  // namespace

Result<void> serve_rpc(RpcOptions options) {
  options.settings.keep = true;
  return Server(std::move(options)).run();
}

}  // namespace holdfast::inline v1
