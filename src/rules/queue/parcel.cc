#include "rules/queue/parcel.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::int64_t kVersion = 1;

Result<void> check_text(std::string_view text) {
  if (is_utf8(text)) return {};
  return fail(Code::invalid_record, "the record is not UTF-8 and cannot be sent");
}

}  // namespace

Result<std::string> parcel_text(const Parcel& parcel) {
  const SyncSubject& subject = parcel.subject;
  JsonWriter json;
  json.begin_object().key("format").string("holdfast-parcel").key("schema_version").int64(kVersion);
  json.key("origin").string(parcel.origin).key("layout").string(parcel.layout).key("item").string(parcel.item);
  json.key("entity").string(subject.entity).key("id").string(subject.id).key("owner").string(subject.owner);
  json.key("hint").string(subject.hint).key("order").uint64(subject.order);
  json.key("op").string(parcel.payload ? "upsert" : "delete");
  if (parcel.redacted) json.key("redacted").boolean(true);
  if (parcel.payload) {
    HOLDFAST_TRY(check_text(parcel.payload->bytes));
    json.key("payload").string(parcel.payload->bytes).key("attachments").begin_array();
    for (const auto& [path, bytes] : parcel.payload->attachments) {
      HOLDFAST_TRY(check_text(bytes));
      json.begin_object().key("path").string(path).key("text").string(bytes).end_object();
    }
    json.end_array();
  }
  return json.end_object().take() + "\n";
}

Result<Parcel> parse_parcel(std::string_view text) {
  if (!check_json(text).ok()) return fail(Code::corrupt, "the parcel is not JSON");
  const JsonView json(text);
  const auto word = [&](std::string_view key) { return json.find(key).as_string().value_or(""); };
  if (!json.find("format").is_string("holdfast-parcel")) return fail(Code::corrupt, "this is not a parcel");
  if (json.find("schema_version").as_int64().value_or(0) > kVersion)
    return fail(Code::newer_schema, "the parcel was written by a newer version");
  Parcel parcel{.origin = word("origin"), .layout = word("layout"), .item = word("item"), .subject = {}, .payload = {}};
  parcel.subject.entity = word("entity");
  parcel.subject.id = word("id");
  parcel.subject.owner = word("owner");
  parcel.subject.hint = word("hint");
  parcel.subject.order =
      static_cast<std::uint64_t>(std::max<std::int64_t>(json.find("order").as_int64().value_or(0), 0));
  parcel.redacted = json.find("redacted").as_bool().value_or(false);
  if (!json.find("op").is_string("delete")) {
    SyncPayload payload;
    const auto bytes = json.find("payload").as_string();
    if (!bytes) return fail(Code::corrupt, "the parcel has no payload");
    payload.bytes = *bytes;
    for (const JsonItem& item : json.find("attachments").elements())
      payload.attachments.emplace_back(item.value.find("path").as_string().value_or(""),
                                       item.value.find("text").as_string().value_or(""));
    parcel.payload = std::move(payload);
  }
  return parcel;
}

}  // namespace holdfast::inline v1
