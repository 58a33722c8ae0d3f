#include "layout/holdfast/metadata.h"

#include "text/json_edit.h"
#include "text/secret_names.h"

namespace holdfast::inline v1::native {
namespace {

// Whether any word of the name suggests a secret; also variables that end in KEY.
bool is_secret_key(std::string_view key) { return secret_name(key, true) != SecretName::no; }

}  // namespace

std::vector<std::vector<std::string>> secrets_of(JsonView document) {
  return secret_members(document.find("metadata"), is_secret_key);
}

Result<std::string> safe_metadata(std::string_view metadata) {
  return without_members(metadata, secret_members(JsonView(metadata), is_secret_key));
}

Result<std::string> without_secrets_of(std::string_view document) {
  HOLDFAST_LET(clean, safe_metadata(JsonView(document).find("metadata").raw()));
  return json_set(document, {"metadata"}, clean);
}

}  // namespace holdfast::inline v1::native
