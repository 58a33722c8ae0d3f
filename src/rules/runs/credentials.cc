#include "rules/runs/credentials.h"

#include "base/ascii.h"
#include "base/parent_path.h"
#include "disk/staged.h"
#include "store/engine.h"
#include "store/git_ignore.h"
#include "store/record_lookup.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

RecordKey key_of(std::string_view id) { return {"credential", {}, std::string(id)}; }

// Collects the rules of every .gitignore from the top of the work tree down to `folder`, and those of the repository
// itself.
IgnoreRules rules_above(FileSystem& file_system, const std::string& top, const std::string& folder) {
  IgnoreRules rules;
  const auto add = [&](const std::string& directory, std::string_view name, const std::string& base) {
    const auto opened = file_system.open_directory(directory, false);
    if (!opened) return;
    if (const auto text = read_whole(**opened, name)) rules.add(base, *text);
  };
  add(top, ".git/info/exclude", "");
  std::string at = top;
  std::string base;
  while (true) {
    add(at, ".gitignore", base);
    if (at == folder) return rules;
    const std::size_t from = at == "/" ? 1 : at.size() + 1;
    const std::string name = folder.substr(from, folder.find('/', from) - from);
    if (at != "/") at += '/';
    at += name;
    base.append(name).append("/");
  }
}

}  // namespace

Result<void> set_credential(const Context& context, Store& store, std::string_view id, std::string_view api_key) {
  if (api_key.empty()) return fail(Code::invalid_argument, "the key is empty");
  const std::string fields = JsonWriter().begin_object().key("api_key").string(api_key).end_object().take();
  return store.edit_records(
      context, [&](const Store::Look&) -> Result<Edits> { return Edits{{RecordEdit::Kind::put, key_of(id), fields}}; });
}

Result<void> remove_credential(const Context& context, Store& store, std::string_view id) {
  return store.edit_records(
      context, [&](const Store::Look&) -> Result<Edits> { return Edits{{RecordEdit::Kind::remove, key_of(id), {}}}; });
}

Result<RecordList> list_credentials(const Context& context, Store& store) {
  return store.list_records(context, key_of({}));
}

std::string api_key_variable(std::string_view layout, std::string_view id) {
  std::string name = layout == "linggen" ? "LINGGEN_API_KEY_" : "HOLDFAST_API_KEY_";
  for (const char letter : id) name += letter == '-' ? '_' : ascii_upper(letter);
  return name;
}

Result<ApiKey> find_api_key(const Context& context, Store& store, std::string_view id, const KeySources& sources) {
  if (!sources.configured.empty()) return ApiKey{sources.configured, "config"};
  HOLDFAST_LET(files, engine_of(store));
  DirectoryFeed feed(context, files->roots().directories());
  HOLDFAST_LET(kept, find_records(context, files->layout(), feed, key_of(id)));
  for (const std::string& record : kept.records) {
    if (std::string key = text_in(record, "api_key"); !key.empty()) return ApiKey{std::move(key), "file"};
  }
  const std::string variable = api_key_variable(store.layout_name(), id);
  if (sources.environment) {
    if (auto value = sources.environment(variable); value && !value->empty())
      return ApiKey{std::move(*value), variable};
  }
  return fail(Code::not_found, "no key for " + std::string(id) + ": neither configured, nor stored, nor in " + variable,
              store.name());
}

Result<std::optional<Finding>> credentials_in_git(const Context& context, FileSystem& file_system, Store& store) {
  HOLDFAST_TRY(context.check());
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(shape, shape_of_kind(files->layout(), "credential"));
  HOLDFAST_LET(root, files->roots().root(shape->root));
  // The document, or the folder if there are many.
  const std::string name(shape->path.substr(0, shape->path.find("/{id}")));
  if (!root->directory().exists(name)) return std::nullopt;
  for (std::string at = root->path();; at = absolute_parent(at)) {
    const auto directory = file_system.open_directory(at, false);
    if (directory && (*directory)->exists(".git")) {
      const IgnoreRules rules = rules_above(file_system, at, root->path());
      const std::string below =
          at == root->path() ? name : root->path().substr(at == "/" ? 1 : at.size() + 1) + "/" + name;
      if (rules.ignores(below)) return std::nullopt;
      return Finding{
          name, 0, 0, "secrets_in_git", "is in the git work tree " + at + " and is not ignored: add it to .gitignore",
          0};
    }
    if (at == "/") return std::nullopt;
  }
}

}  // namespace holdfast::inline v1
