#include "layout/holdfast/format.h"

#include "base/id.h"
#include "base/time.h"
#include "layout/moment.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::native {
namespace {

constexpr std::int64_t kVersion = 1;

// This version has no optional features yet: every name in a list is unknown.
Result<void> refuse_features(JsonView list, std::string_view what) {
  for (const JsonItem& item : list.elements()) {
    return fail(Code::newer_schema,
                "this store needs the feature " + item.value.as_string().value_or("?") + " " + std::string(what) +
                    ", which this version does not have",
                "FORMAT");
  }
  return {};
}

}  // namespace

std::string new_format(const Moment& moment) {
  JsonWriter json(JsonLayout::pretty);
  json.begin_object().key("format").string("holdfast").key("version").int64(kVersion);
  for (const std::string_view list : {"compat", "ro_compat", "incompat"}) json.key(list).begin_array().end_array();
  json.key("store_id").string(make_id("sto", moment.entropy(), kMaxIdLetters));
  json.key("device_id").string(make_id("dev", moment.entropy(), kMaxIdLetters));
  json.key("created_at").string(iso8601(moment.now));
  return json.end_object().take() + "\n";
}

Result<void> check_format(std::string_view bytes, bool write) {
  const JsonView json(bytes);
  if (!check_json(bytes).ok() || !json.find("format").is_string("holdfast"))
    return fail(Code::corrupt, "not the FORMAT file of a Holdfast store", "FORMAT");
  const std::int64_t version = json.find("version").as_int64().value_or(0);
  if (version != kVersion)
    return fail(
        Code::newer_schema,
        "this store has format version " + std::to_string(version) + "; this version reads " + std::to_string(kVersion),
        "FORMAT");
  HOLDFAST_TRY(refuse_features(json.find("incompat"), "to be read"));
  if (write) HOLDFAST_TRY(refuse_features(json.find("ro_compat"), "to be written"));
  return {};
}

}  // namespace holdfast::inline v1::native
