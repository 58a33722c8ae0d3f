#include <holdfast/api_value.h>
#include <holdfast/client.h>

#include <algorithm>

#include "api/dispatch.h"
#include "api/error_json.h"
#include "api/operation.h"
#include "api/own_process.h"
#include "text/json_scan.h"
#include "text/json_text.h"

namespace holdfast::inline v1 {

struct HOLDFAST_HIDDEN Client::Impl {
  Stores stores;
  OwnProcess process = {};
};

Result<std::unique_ptr<Client>> Client::open(const ClientOptions& options) {
  StoreSettings settings;
  settings.files = options.files == nullptr ? &real_file_system() : options.files;
  settings.cache = options.cache;
  settings.keep = true;
  for (const std::string& name : options.stores) {
    HOLDFAST_LET(store, parse_store_name(name));
    settings.defaults.push_back(std::move(store));
  }
  if (options.home.empty() && options.stores.empty()) return fail(Code::invalid_argument, "no store given");
  HOLDFAST_LET(home, parse_store_name(options.home.empty() ? options.stores.front() : options.home));
  settings.home = std::move(home);
  // The home is included too, once it exists.
  settings.current_defaults = [named = settings.defaults, home = settings.home, files = settings.files] {
    std::vector<StoreOptions> found = named;
    const bool is_named =
        std::ranges::any_of(named, [&](const StoreOptions& one) { return store_name(one) == store_name(home); });
    if (!is_named && files->open_directory(home.roots.at(""), false)) found.push_back(home);
    return found;
  };
  return std::unique_ptr<Client>(new Client(std::unique_ptr<Impl>(new Impl{Stores(std::move(settings))})));
}

namespace {

// An error is all that a failed call returns, so its message includes what the call moved aside or repaired.
Result<std::string> with_news(Stores& stores, Result<std::string> answer) {
  if (answer) return answer;
  const std::vector<Finding> findings = stores.news();
  Error error = with_reason(std::move(answer).error(), findings);
  for (const Finding& one : findings) {
    const std::string& what = one.consequence.empty() ? one.kind : one.consequence;
    error.message += "; " + one.file + ": " + what;
  }
  return fail(std::move(error));
}

// Fails for an operation that would run without an item. dispatch() reports what is no operation, or no JSON.
Result<void> check_streams(std::string_view method, std::string_view params) {
  const Operation* const operation = find_operation(method);
  if (operation == nullptr || (!params.empty() && !check_json(params).ok())) return {};
  if (produces_items(*operation, params.empty() ? JsonView() : JsonView(params))) return {};
  return fail(Code::invalid_argument, std::string(method) + " is not a stream; use a call");
}

}  // namespace

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() {
  if (impl_ != nullptr && !impl_->process.is_this()) (void)impl_.release();  // the parent's: closing it would write
}

Result<std::string> Client::call(const Context& context, std::string_view method, std::string_view params) {
  HOLDFAST_TRY(impl_->process.check());
  return with_news(impl_->stores, dispatch(context, impl_->stores, method, params));
}

Result<std::string> Client::stream(const Context& context, std::string_view method, std::string_view params,
                                   const std::function<bool(std::string_view item)>& take) {
  HOLDFAST_TRY(impl_->process.check());
  HOLDFAST_TRY(check_streams(method, params));
  return with_news(impl_->stores, dispatch(context, impl_->stores, method, params, take));
}

Result<void> Client::close(const Context& context) {
  HOLDFAST_TRY(impl_->process.check());
  return impl_->stores.close(context);
}

namespace api {

std::string quoted_json(std::string_view text) { return json_quoted(text); }

namespace {

template <typename T>
bool take(std::optional<T> value, T& into) {
  if (value) into = std::move(*value);
  return value.has_value();
}

}  // namespace

bool read_json(std::string_view json, std::string& into) { return take(JsonView(json).as_string(), into); }
bool read_json(std::string_view json, std::int64_t& into) { return take(JsonView(json).as_int64(), into); }
bool read_json(std::string_view json, double& into) { return take(JsonView(json).as_double(), into); }
bool read_json(std::string_view json, bool& into) { return take(JsonView(json).as_bool(), into); }

bool read_items(std::string_view json, const EachItem& each) {
  const JsonView view(json);
  if (view.kind() != JsonKind::object && view.kind() != JsonKind::array) return false;
  const bool object = view.kind() == JsonKind::object;
  for (const JsonItem& item : object ? view.fields() : view.elements()) {
    each(object ? item.key() : std::string(), item.value.raw());
  }
  return true;
}

}  // namespace api
}  // namespace holdfast::inline v1
