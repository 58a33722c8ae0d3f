#include "api/list_cursor.h"

#include "index/session_entry.h"
#include "model/packing.h"
#include "text/base64.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kPrefix = "s1.";

}  // namespace

std::string ListCursor::text() const {
  Packer out;
  for (const std::string* part : {&updated_at, &id, &store}) out.text(*part);
  return std::string(kPrefix) + base64(out.take());
}

Result<ListCursor> ListCursor::parse(std::string_view text) {
  ListCursor cursor;
  const auto bytes = text.starts_with(kPrefix) ? from_base64(text.substr(kPrefix.size())) : std::nullopt;
  Unpacker in(bytes ? std::string_view(*bytes) : std::string_view());
  for (std::string* part : {&cursor.updated_at, &cursor.id, &cursor.store}) *part = in.text();
  if (!bytes || !in.done() || cursor.id.empty())
    return fail(Code::invalid_argument, "cursor is not a next_cursor of session.list");
  return cursor;
}

bool ListCursor::is_before(std::string_view other_updated_at, std::string_view other_id,
                           std::string_view other_store) const {
  if (other_updated_at != updated_at) return other_updated_at < updated_at;
  return other_id != id ? other_id > id : other_store > store;
}

void add_row(SessionRows& rows, Session session) {
  SessionEntry entry;
  entry.row = std::move(session);
  Packer packer;
  pack_entry(packer, entry);
  auto packed = std::make_shared<const std::string>(packer.take());
  SessionRow listed;
  if (const auto head = peek_entry(*packed)) listed.head = *head;
  listed.status = entry.row.status;
  rows.holders.push_back(std::move(packed));
  rows.all.push_back(listed);
}

}  // namespace holdfast::inline v1
