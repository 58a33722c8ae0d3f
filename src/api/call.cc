#include "api/call.h"

#include <algorithm>
#include <charconv>

#include "disk/resolve.h"
#include "layout/layout.h"
#include "layout/record_shape.h"
#include "store/engine.h"
#include "store/projects.h"
#include "store/worktree.h"
#include "text/article.h"

namespace holdfast::inline v1 {

bool Call::has(std::string_view name) const {
  const JsonView value = params.find(name);
  return value && !value.is_null();
}

std::string Call::text(std::string_view name) const { return params.find(name).as_string().value_or(""); }

std::optional<std::string> Call::maybe_text(std::string_view name) const { return params.find(name).as_string(); }

std::int64_t Call::integer(std::string_view name, std::int64_t fallback) const {
  return params.find(name).as_int64().value_or(fallback);
}

bool Call::flag(std::string_view name, bool fallback) const { return params.find(name).as_bool().value_or(fallback); }

std::string Call::json(std::string_view name) const {
  return has(name) ? std::string(params.find(name).raw()) : std::string();
}

namespace {

constexpr std::string_view kWorkspace = "workspace";  // the root that is a project's own directory

// A store inside a project belongs to that project, however its path is spelled, and to its worktrees. Fails for any
// other project instead of ignoring it.
Result<void> note_own_project(const Call& call, Store& store, const std::string& real) {
  HOLDFAST_LET(engine, engine_of(store));
  const LayoutTraits traits = engine->layout().traits();
  if (!traits.root_is_project) return {};
  const std::string& root = engine->roots().first()->path();
  const std::string own = resolve_path(root);
  const bool worktree = traits.shares_worktrees && real.starts_with('/') &&
                        resolve_path(main_directory_of(*call.stores.settings().files, real)) == own;
  if (real == own || worktree) call.known_project = root;
  if (real == own || worktree || real.starts_with(own + "/")) return {};
  return fail(Code::invalid_argument, "this store belongs to " + root, real);
}

// Whether a project is a directory here, and not just any text that names one (entry.*).
bool takes_directory(const Operation& operation) {
  return std::ranges::any_of(operation.parameters,
                             [](const Parameter& one) { return one.name == "project" && one.path; });
}

Result<std::shared_ptr<Store>> opened(const Call& call, const StoreOptions& options) {
  Use use = call.opening();
  // Only store.create may create a store in a place where the layout expects none; an operation that creates its
  // store implicitly must not.
  if (use == Use::create && call.operation.method != "store.create") {
    auto there = call.stores.open(call.context, options, Use::write);
    if (!there && there.error().code == Code::invalid_argument) return there;
    if (there) use = Use::write;
  }
  HOLDFAST_LET(store, call.stores.open(call.context, options, use));
  call.known_project.reset();
  if (!takes_directory(call.operation)) return store;
  if (const std::string real = call.project(); real.starts_with('/')) {
    // A layout without projects has no other names for them.
    const auto known = find_project(call.context, *store, call.text("project"), resolve_path);
    call.known_project = known ? *known : real;
  }
  if (const std::string real = call.project(); !real.empty()) HOLDFAST_TRY(note_own_project(call, *store, real));
  return store;
}

// The same store for reading and for writing (decision 55), so callers read back what they wrote. Never a store of
// another agent unless the call names it, even if Holdfast's own does not exist yet.
Result<StoreOptions> one_store(const Call& call) {
  const StoreSettings& settings = call.stores.settings();
  if (call.text("store").empty() && !call.operation.writes() && !settings.home.roots.empty()) return settings.home;
  HOLDFAST_LET(meant, call.stores.meant(call.text("store"), {}, call.operation.use));
  return std::move(meant.front());
}

}  // namespace

Result<std::shared_ptr<Store>> Call::store() const { return store_of({}); }

Result<std::shared_ptr<Store>> Call::store_of(std::string_view kind) const {
  if (stores.settings().several && !has("store"))
    return fail(Code::invalid_argument, std::string(operation.method) + " works on one store, but several are given");
  HOLDFAST_LET(options, one_store(*this));
  const Layout* const layout = find_layout(options.layout);
  const RecordShape* const shape = layout == nullptr ? nullptr : layout->shape(kind);
  // Checked before a store is created for a record that it cannot hold.
  if (operation.use == Use::create && shape != nullptr && shape->per_project() && project().empty())
    return fail(
        Code::invalid_argument,
        with_article(kind) + " needs a project; name one with --project, or its store with --store LAYOUT:ROOT");
  if (shape != nullptr && shape->root == kWorkspace && has("project")) {
    known_project.reset();
    HOLDFAST_TRY(stores.settings().files->open_directory(project(), false));
    options.roots[std::string(shape->root)] = project();
  }
  return opened(*this, options);
}

std::string Call::project() const {
  if (known_project) return *known_project;
  const std::string given = text("project");
  return given.starts_with('/') ? resolve_path(normalize_path(given)) : given;
}

JsonWriter begin_answer() {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1);
  return json;
}

Parameter limit_parameter() {
  return {
      .name = "limit", .help = "show at most N (default 100)", .type = ParamType::integer, .least = 1, .letter = 'n'};
}

Parameter skip_parameter() {
  return {.name = "skip", .help = "skip the first N", .type = ParamType::integer, .least = 0};
}

namespace {

constexpr std::string_view kCounted = "n1.";  // followed by the number of items on the pages before

std::optional<std::size_t> count_in(std::string_view cursor) {
  if (!cursor.starts_with(kCounted)) return std::nullopt;
  cursor.remove_prefix(kCounted.size());
  std::size_t count = 0;
  const auto [end, fault] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), count);
  if (fault != std::errc() || end != cursor.data() + cursor.size()) return std::nullopt;
  return count;
}

}  // namespace

std::string counted_cursor(std::size_t before) { return std::string(kCounted) + std::to_string(before); }

Result<void> check_cursor(const Call& call) {
  if (!call.has("cursor") || count_in(call.text("cursor"))) return {};
  return fail(Code::invalid_argument, "cursor is not a next_cursor of " + std::string(call.operation.method));
}

Page page_of(const Call& call) {
  Page page;
  page.limit = static_cast<std::size_t>(call.integer("limit", 100));
  page.skip = static_cast<std::size_t>(call.integer("skip", 0));
  if (call.has("cursor")) page.skip = count_in(call.text("cursor")).value_or(page.skip);
  return page;
}

void write_page(JsonWriter& json, const Page& page, std::size_t shown, std::size_t total) {
  write_page(json, page, shown, total, [&] { return counted_cursor(page.skip + shown); });
}

void write_page(JsonWriter& json, const Page& page, std::size_t shown, std::size_t total,
                const std::function<std::string()>& cursor) {
  const bool more = page.skip + shown < total && shown > 0;
  json.key("total").uint64(total).key("next");
  more ? json.uint64(page.skip + shown) : json.null();
  json.key("next_cursor");
  more ? json.string(cursor()) : json.null();
}

void write_findings(JsonWriter& json, std::string_view key, const std::vector<Finding>& findings) {
  json.key(key).begin_array();
  for (const Finding& finding : findings) {
    json.begin_object().key("file").string(finding.file).key("offset").uint64(finding.offset);
    json.key("length").uint64(finding.length).key("kind").string(finding.kind);
    json.key("salvaged").uint64(finding.salvaged);
    if (!finding.consequence.empty()) json.key("consequence").string(finding.consequence);
    json.end_object();
  }
  json.end_array();
}

}  // namespace holdfast::inline v1
