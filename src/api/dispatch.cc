#include "api/dispatch.h"

#include <algorithm>

#include "api/call.h"
#include "api/dry_run.h"
#include "api/find_session.h"
#include "api/guarded.h"
#include "api/mask.h"
#include "api/own_machine.h"
#include "store/redactor.h"
#include "text/json_copy.h"
#include "text/json_edit.h"
#include "text/json_scan.h"
#include "text/one_line.h"

namespace holdfast::inline v1 {
namespace {

// Returns the session, if the call names one, as "session ID of STORE". Fails if it or the named store does not exist.
Result<std::string> named_session(const Context& context, Stores& stores, const Operation& operation, JsonView params) {
  std::string session;
  if (operation.use == Use::create) return session;
  const Call call{context, operation, params, stores, true};
  if (call.has("store")) HOLDFAST_TRY(call.store());
  const Operation& getting = *find_operation("session.get");
  for (const std::string_view name : {"session", operation.noun() == "session" ? "id" : ""}) {
    const auto named = name.empty() ? std::nullopt : params.find(name).as_string();
    if (!named) continue;
    const Call reading{context, getting, params, stores, true};
    HOLDFAST_LET(found, locate_session(reading, *named));
    session = "session " + found.ref.name() + " of " + found.files->name();
  }
  return session;
}

Result<std::string> dry_run(const Context& context, Stores& stores, const Operation& operation, JsonView params) {
  HOLDFAST_TRY(rehearse({context, operation, params, stores}));
  std::string would;
  Call call{context, operation, params, stores, true};
  if (const Handler tell = dry_run_handler(operation); tell != nullptr) {
    HOLDFAST_LET(sentence, tell(call));
    would = std::move(sentence);
  } else {
    HOLDFAST_LET(session, named_session(context, stores, operation, params));
    would = describe_dry_run(operation, params, session);
  }
  JsonWriter json = begin_answer();  // kDryRunResult
  json.key("dry_run").boolean(true).key("method").string(operation.method).key("would").string(would);
  if (call.missed) json.key("missed").boolean(true);
  if (!call.findings.empty()) write_findings(json, "findings", call.findings);
  return json.end_object().take();
}

// Whether the store that the call would create may already exist.
bool has_store(const Call& call) {
  const auto meant = call.stores.meant(call.text("store"), {}, Use::create);
  if (!meant || meant->empty()) return true;  // an error of the call itself
  FileSystem& files = *call.stores.settings().files;
  return std::ranges::any_of(meant->front().roots,
                             [&](const auto& root) { return files.open_directory(root.second, false).has_value(); });
}

// Documents may be indented in files, but an answer is one line.
std::string on_one_line(std::string json) { return is_one_line(json) ? json : compact_json(JsonView(json)); }

// Adds what the stores moved aside or repaired to the answer of any method (decision 54).
Result<std::string> with_news(Stores& stores, std::string answer) {
  std::vector<Finding> news = stores.news();
  if (news.empty()) return answer;
  const JsonView told = JsonView(answer).find("findings");
  std::erase_if(news, [&](const Finding& one) {
    return std::ranges::any_of(told.elements(), [&](const JsonItem& item) {
      return item.value.find("file").is_string(one.file) && item.value.find("kind").is_string(one.kind);
    });
  });
  if (news.empty()) return answer;
  JsonWriter all;
  all.begin_object();
  write_findings(all, "findings", news);
  const std::string added = all.end_object().take();
  std::string list(told ? told.raw() : std::string_view("[]"));
  for (const JsonItem& item : JsonView(added).find("findings").elements()) {
    const auto count = static_cast<std::size_t>(std::ranges::distance(JsonView(list).elements()));
    HOLDFAST_LET(longer, json_set(list, {JsonStep(count)}, item.value.raw()));
    list = std::move(longer);
  }
  return json_set(answer, {"findings"}, list);
}

bool takes_redact(const Operation& operation) {
  return std::ranges::any_of(operation.parameters, [](const Parameter& one) { return one.name == "redact"; });
}

// Returns invalid parameters unchanged; validation refuses them later.
std::string with_redact(std::string params) {
  if (params.empty()) return R"({"redact":true})";
  if (!check_json(params).ok() || JsonView(params).kind() != JsonKind::object) return params;
  auto set = json_set(params, {"redact"}, "true");
  return set ? *std::move(set) : std::move(params);
}

// Runs an operation and adds the findings of its stores.
Result<std::string> run(const Context& context, Stores& stores, std::string_view method, std::string_view params,
                        const ItemSink& items, bool mask) {
  return guarded([&]() -> Result<std::string> {
    const Operation* const operation = find_operation(method);
    if (operation == nullptr) return fail(unknown_method(method));
    const SeedName* const alias = seed_name(*operation, method);
    std::string words = alias == nullptr ? std::string() : translate_params(*alias, params);
    const bool hides = mask && takes_redact(*operation);
    if (hides) words = with_redact(alias == nullptr ? std::string(params) : std::move(words));
    std::string respelled;
    HOLDFAST_LET(view, checked_params(*operation, alias == nullptr && !hides ? params : words, respelled));
    HOLDFAST_TRY(context.check());
    const auto here = without_own_machine({context, *operation, view, stores});
    if (here) view = JsonView(*here);
    Call call{context, *operation, view, stores};
    // Checked for every operation, even if it does not use the store: an invalid store must not be ignored.
    if (call.has("store")) HOLDFAST_TRY(parse_store_name(call.text("store")));
    if (supports_dry_run(*operation) && call.flag("dry_run")) return dry_run(context, stores, *operation, view);
    // A call that fails creates no store.
    if (operation->use == Use::create && !has_store(call)) HOLDFAST_TRY(rehearse(call));
    const bool streams = produces_items(*operation, view);
    if (streams && !items)
      return fail(Code::unsupported, std::string(method) + " streams items, but nothing here receives them");
    if (operation->kind() == OperationKind::list && !operation->own_cursor) HOLDFAST_TRY(check_cursor(call));
    const ItemSink take = [&](std::string_view item) {
      std::string line = on_one_line(std::string(item));
      return items(mask ? masked(std::move(line)) : std::move(line));
    };
    if (streams) call.items = &take;
    HOLDFAST_LET(answer, operation->handler(call));
    if (alias != nullptr && alias->answer != nullptr) {
      HOLDFAST_LET(spelled, alias->answer(call, answer));
      answer = std::move(spelled);
    }
    HOLDFAST_LET(whole, with_news(stores, std::move(answer)));
    return on_one_line(std::move(whole));
  });
}

}  // namespace

Result<std::string> dispatch(const Context& context, Stores& stores, std::string_view method, std::string_view params,
                             const ItemSink& items, Secrets secrets) {
  const bool mask = secrets == Secrets::masked;
  auto answer = run(context, stores, method, params, items, mask);
  if (!mask) return answer;
  return guarded([&]() -> Result<std::string> {
    if (answer) return masked(*std::move(answer));
    Error error = std::move(answer).error();
    redact_in_place(error.message);
    redact_in_place(error.path);
    return fail(std::move(error));
  });
}

Result<std::string> preview(const Context& context, Stores& stores, const Operation& operation,
                            std::string_view params) {
  return guarded([&]() -> Result<std::string> {
    std::string respelled;
    HOLDFAST_LET(view, checked_params(operation, params, respelled));
    Call call{context, operation, view, stores, true};
    return operation.preview == nullptr ? Result<std::string>(std::string(operation.help)) : operation.preview(call);
  });
}

}  // namespace holdfast::inline v1
