#include "doors/http/routes.h"

#include <algorithm>
#include <array>

#include "api/dispatch.h"
#include "api/document.h"
#include "api/error_json.h"
#include "api/guarded.h"
#include "base/ascii.h"
#include "doors/http/assets.h"
#include "doors/http/served_operations.h"
#include "doors/mcp/http_post.h"
#include "text/base64.h"
#include "text/json_edit.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

int status_of(Code code) {
  switch (code) {
    case Code::invalid_argument: return 400;
    case Code::permission_denied:
    case Code::read_only:
    case Code::unsafe_path: return 403;
    case Code::not_found: return 404;
    case Code::busy:
    case Code::conflict:
    case Code::already_exists: return 409;
    case Code::too_large: return 413;
    case Code::unsupported: return 501;
    default: return 500;
  }
}

HttpAnswer answer_of(const Error& error) {
  return {.status = status_of(error.code), .type = "application/json", .body = error_json(error)};
}

std::string value_of(const QueryValues& query, std::string_view name) {
  const auto found = query.find(name);
  return found == query.end() ? std::string() : found->second;
}

// Somebody may look over the user's shoulder, and a page is easily copied or printed: a browser gets secrets
// only if the request asks for them, with X-Holdfast-Reveal: 1, or reveal=1 where it cannot set headers.
Secrets secrets_for(const HttpRequest& request, const QueryValues& query) {
  return request.reveal == "1" || value_of(query, "reveal") == "1" ? Secrets::shown : Secrets::masked;
}

constexpr auto kCallQuery = std::to_array<std::string_view>({"reveal"});
constexpr auto kStreamQuery = std::to_array<std::string_view>({"params", "reveal"});
constexpr auto kBlobQuery =
    std::to_array<std::string_view>({"session", "message", "block", "name", "branch", "store", "machine", "reveal"});

// The operation that the body or the query asks for, if this door serves it.
Result<const Operation*> asked_for(const Stores& stores, std::string_view method, std::string_view params, bool write) {
  HOLDFAST_LET(operation, served_operation(method, write));
  std::string respelled;
  HOLDFAST_LET(view, checked_params(*operation, params, respelled));
  HOLDFAST_TRY(check_reach(*operation, stores, view));
  return operation;
}

// Types that a browser shows without running anything in them.
bool is_picture(std::string_view type) {
  constexpr std::array<std::string_view, 4> kPictures = {"image/png", "image/jpeg", "image/gif", "image/webp"};
  return std::ranges::find(kPictures, type) != kPictures.end();
}

HttpAnswer media_answer(JsonView media) {
  const std::string type = media.find("media_type").as_string().value_or("");
  auto bytes = from_base64(media.find("data").as_string().value_or(""));
  if (!bytes) return refusal(500, "corrupt", "the bytes of the attachment cannot be read");
  HttpAnswer answer{.type = is_picture(type) ? type : "application/octet-stream", .body = std::move(*bytes)};
  answer.headers.emplace_back("Content-Disposition",
                              is_picture(type) ? "inline" : "attachment; filename=\"attachment\"");
  return answer;
}

bool looks(const HttpRequest& request) { return request.method == "GET" || request.method == "HEAD"; }

HttpAnswer wrong_method(std::string_view allowed) {
  HttpAnswer answer = refusal(405, "invalid_argument", "this address takes " + std::string(allowed) + " only");
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

}  // namespace

// HEAD is answered like GET; the server omits the body. But the length of a stream is not known in advance.
HttpPlan Routes::plan(HttpRequest request) {
  if (auto refused = gate_.check_source(request)) return std::move(*refused);
  const auto asset = std::ranges::find(assets(), request.path, &Asset::path);
  if (asset != assets().end()) {
    if (!looks(request)) return wrong_method("GET, HEAD");
    return HttpAnswer{.type = std::string(asset->type), .body = std::string(asset->bytes)};
  }
  if (request.path == "/login") return request.method == "POST" ? gate_.log_in(request) : wrong_method("POST");
  if (request.path == "/mcp") return plan_mcp(std::move(request));
  if (auto refused = gate_.check_authorized(request)) return std::move(*refused);
  if (request.path == "/api") {
    if (!looks(request)) return wrong_method("GET, HEAD");
    if (const auto query = query_values(request.query, {}); !query) return answer_of(query.error());
    return HttpAnswer{.type = "application/json", .body = api_json()};
  }
  if (request.path.starts_with("/api/"))
    return request.method == "POST" ? plan_call(std::move(request)) : wrong_method("POST");
  if (request.path.starts_with("/stream/")) return request.method == "GET" ? plan_stream(request) : wrong_method("GET");
  if (request.path == "/blob") return looks(request) ? plan_blob(request) : wrong_method("GET, HEAD");
  return refusal(404, "not_found", "nothing is served at this address");
}

HttpPlan Routes::plan_call(HttpRequest request) {
  const auto query = query_values(request.query, kCallQuery);
  if (!query) return answer_of(query.error());
  const Secrets secrets = secrets_for(request, *query);
  return HttpWork([this, secrets, request = std::move(request)](const Context& context) {
    const std::string_view method = std::string_view(request.path).substr(std::string_view("/api/").size());
    auto done = guarded([&]() -> Result<std::string> {
      HOLDFAST_LET(operation, asked_for(stores_, method, request.body, write_));
      if (produces_items(*operation, JsonView(request.body)))
        return fail(Code::invalid_argument,
                    std::string(method) + " is a stream; use GET /stream/" + std::string(method));
      HOLDFAST_LET(answer, dispatch(context, stores_, operation->method, request.body, {}, secrets));
      if (operation->method != "hello") return answer;
      HOLDFAST_LET(named, json_set(answer, {"methods"}, served_methods(write_)));
      return json_set(named, {"features"}, kServedFeatures);
    });
    if (!done) return answer_of(done.error());
    return HttpAnswer{.type = "application/json", .body = std::move(*done)};
  });
}

HttpPlan Routes::plan_stream(const HttpRequest& request) {
  const std::string_view method = std::string_view(request.path).substr(std::string_view("/stream/").size());
  const auto query = query_values(request.query, kStreamQuery);
  if (!query) return answer_of(query.error());
  if (query->contains("params") && value_of(*query, "params").empty())
    return refusal(400, "invalid_argument", "params must be a JSON object");
  std::string params = value_of(*query, "params");
  const auto operation = asked_for(stores_, method, params, false);
  if (!operation) return answer_of(operation.error());
  if (!produces_items(**operation, JsonView(params))) {
    const bool may_stream = !(*operation)->streamed.empty();
    return refusal(
        400, "invalid_argument",
        std::string(method) +
            (may_stream ? R"( is a stream only with "stream":true in params; for a single answer, use POST /api/)"
                        : " is not a stream; use POST /api/") +
            std::string(method));
  }
  return HttpStream{std::string(method), std::move(params), secrets_for(request, *query)};
}

HttpPlan Routes::plan_blob(const HttpRequest& request) {
  const auto query = query_values(request.query, kBlobQuery);
  if (!query) return answer_of(query.error());
  JsonWriter params;
  params.begin_object().key("session").string(value_of(*query, "session"));
  for (const std::string_view name : {"name", "branch", "store", "machine"})
    if (const std::string value = value_of(*query, name); !value.empty()) params.key(name).string(value);
  for (const std::string_view name : {"message", "block"}) {
    const std::string value = value_of(*query, name);
    if (value.empty()) continue;
    if (value.size() > 9 || !std::ranges::all_of(value, is_ascii_digit))
      return refusal(400, "invalid_argument", std::string(name) + " must be a number");
    params.key(name).raw(std::to_string(std::stol(value)));
  }
  return HttpWork(
      [this, params = params.end_object().take(), secrets = secrets_for(request, *query)](const Context& context) {
        const auto done = guarded([&]() -> Result<std::string> {
          HOLDFAST_LET(operation, asked_for(stores_, "message.media", params, false));
          return dispatch(context, stores_, operation->method, params, {}, secrets);
        });
        return done ? media_answer(JsonView(*done)) : answer_of(done.error());
      });
}

// For programs only, so without the checks for the page's POSTs.
HttpPlan Routes::plan_mcp(HttpRequest request) {
  if (auto refused = gate_.check_token(request)) return std::move(*refused);
  if (request.method != "POST") return wrong_method("POST");
  if (!is_json(request)) return refusal(415, "invalid_argument", "Content-Type must be application/json");
  return HttpWork([this, request = std::move(request)](const Context& context) {
    McpPostAnswer posted =
        answer_post(mcp_, {request.body, request.protocol, request.mcp_method, request.mcp_name}, context);
    HttpAnswer answer{.status = posted.status, .body = std::move(posted.body)};
    if (!answer.body.empty()) answer.type = "application/json";
    return answer;
  });
}

}  // namespace holdfast::inline v1
