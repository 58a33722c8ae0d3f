#include "doors/mcp/server.h"

#include <map>
#include <memory>

#include "base/mutex.h"
#include "doors/mcp/answers.h"
#include "doors/rpc/batch.h"
#include "doors/rpc/line_input.h"
#include "doors/rpc/line_output.h"
#include "doors/rpc/scheduler.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxLine = std::size_t{1} << 20;

class McpServer {
 public:
  explicit McpServer(McpOptions options)
      : options_(std::move(options)),
        input_(options_.input, kMaxLine),
        output_(options_.output, [this] { input_.wake(); }),
        stores_(options_.settings),
        answers_(stores_, options_.write),
        scheduler_(2, 100) {}

  Result<void> run() {
    const std::stop_callback on_stop(options_.stop, [this] {
      cancel_all();
      input_.wake();
      output_.hurry();
    });
    if (!options_.own_session.empty()) leave_out();
    const auto result = input_.each(
        [this](const std::string& line) { take(line); },
        [this](const Error& error) { output_.write(mcp_fault(input_.skipped_id(), kInvalidRequest, error.message)); });
    scheduler_.wait_for_all();  // tools are bounded, and a client that sent its last request through a pipe reads on
    auto closed = stores_.close({});
    HOLDFAST_TRY(output_.finish());
    HOLDFAST_TRY(closed);
    if (options_.stop.stop_requested()) return fail(Code::cancelled, "interrupted");
    return result;
  }

 private:
  // An agent may start this before it has written anything of its session, so a missing session is not fatal.
  void leave_out() {
    const auto known = answers_.leave_out(options_.own_session);
    if (known || !options_.warn) return;
    options_.warn("--exclude-session: " + known.error().message);
  }

  void take(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    const bool is_batch = batches_ && JsonView(line).kind() == JsonKind::array && check_json(line).ok();
    if (!is_batch) return take_one(line, nullptr);
    const JsonItems elements = JsonView(line).elements();
    if (elements.empty()) return output_.write(mcp_fault({}, kInvalidRequest, "the batch is empty"));
    const auto batch = std::make_shared<Batch>(output_);
    for (const JsonItem& item : elements) take_one(item.value.raw(), batch);
  }

  void take_one(std::string_view text, const std::shared_ptr<Batch>& batch) {
    auto request = read_mcp(text);
    if (!request) return answer(batch, request.error());
    if (request->method == "notifications/cancelled") return cancel(JsonView(request->params).find("requestId").raw());
    if (request->id.empty() || request->method.empty()) return;  // other notifications need no action
    const auto stop = begin(request->id);
    // `initialize` must be done before the next line is read.
    if (request->method == "initialize") return work(*request, false, batch, stop);
    scheduler_.submit({}, [this, request = std::move(*request), initialized = initialized_, batch, stop] {
      work(request, initialized, batch, stop);
    });
  }

  void answer(const std::shared_ptr<Batch>& batch, const std::string& text) {
    if (batch != nullptr)
      batch->add(text);
    else
      output_.write(text);
  }

  void work(const RpcRequest& request, bool initialized, const std::shared_ptr<Batch>& batch,
            const std::shared_ptr<std::stop_source>& stop) {
    Context context;
    context.stop = stop->get_token();
    const std::string text = answers_.answer(request, initialized, context);
    if (const JsonView agreed = JsonView(text).find("result"); request.method == "initialize" && agreed) {
      initialized_ = true;
      batches_ = has_batches(agreed.find("protocolVersion").as_string().value_or(""));
    }
    const bool cancelled = stop->stop_requested();
    end(request.id);
    if (!cancelled) answer(batch, text);  // otherwise nobody waits for it
  }

  std::shared_ptr<std::stop_source> begin(const std::string& id) {
    auto stop = std::make_shared<std::stop_source>();
    const ScopedLock lock(mutex_);
    running_.insert_or_assign(id, stop);
    return stop;
  }
  void end(const std::string& id) {
    const ScopedLock lock(mutex_);
    running_.erase(id);
  }
  void cancel(std::string_view id) {
    const ScopedLock lock(mutex_);
    if (const auto found = running_.find(id); found != running_.end()) found->second->request_stop();
  }
  void cancel_all() {
    const ScopedLock lock(mutex_);
    for (const auto& [id, stop] : running_) stop->request_stop();
  }

  McpOptions options_;
  LineInput input_;
  LineOutput output_;
  Stores stores_;
  McpAnswers answers_;
  bool initialized_ = false;  // `initialize` was received; used by the reading thread
  bool batches_ = false;      // the agreed version has batches
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<std::stop_source>, std::less<>> running_ HOLDFAST_GUARDED_BY(mutex_);
  Scheduler scheduler_;  // last, so its threads end before what they use
};

}  // namespace

Result<void> serve_mcp(McpOptions options) {
  options.settings.keep = true;
  return McpServer(std::move(options)).run();
}

}  // namespace holdfast::inline v1
