#include "index/session_packing.h"

#include <array>
#include <iterator>

#include "index/row_view.h"
#include "model/usage_figures.h"

namespace holdfast::inline v1 {
namespace {

// One list of fields serves both directions, so they cannot diverge. Partial readers rely on the positions of the
// texts, and on how many numbers follow.
enum TextAt : std::size_t {
  kId = 0,
  kProject = 4,
  kCreatedAt = 7,
  kUpdatedAt = 8,
  kFirstMessage = 12,
  kFirstResponse = 13,
  kBeganAt = 14,
  kTexts = 15,
  kNumbers = 7 + std::size(kUsageFigures),
};

// Row is a Session or a SessionView.
template <typename Row, typename Text, typename Number>
void each_field(Row& row, const Text& text, const Number& number) {
  for (auto* field : {&row.id, &row.layout, &row.store, &row.path, &row.project, &row.title, &row.first_prompt,
                      &row.created_at, &row.updated_at, &row.git_branch, &row.summary, &row.metadata,
                      &row.lineage.first_message, &row.lineage.first_response, &row.lineage.began_at})
    text(*field);
  for (std::int64_t* field : {&row.counts.user, &row.counts.assistant, &row.counts.tool_calls, &row.counts.tool_results,
                              &row.counts.records, &row.subagents, &row.damage})
    number(*field);
  for (const auto figure : kUsageFigures) number(row.usage.*figure);
}

}  // namespace

void pack_session(Packer& out, const Session& session) {
  Session row = session;
  each_field(
      row, [&](const std::string& text) { out.shared_text(text); },
      [&](std::int64_t number) { out.signed_number(number); });
  out.number(row.bytes);
  out.number(static_cast<std::uint64_t>(row.status));
  out.number(static_cast<std::uint64_t>(row.pending));
  out.number(row.archived ? 1 : 0);
  out.number(row.models.size());
  for (const std::string& model : row.models) out.text(model);
  out.number(row.parent ? 1 : 0);
  if (!row.parent) return;
  out.text(row.parent->id);
  out.number(static_cast<std::uint64_t>(row.parent->kind));
  out.text(row.parent->message);
}

void unpack_session(Unpacker& in, Session& row) {
  each_field(
      row, [&](std::string& text) { text = in.shared_view(); },
      [&](std::int64_t& number) { number = in.signed_number(); });
  row.bytes = in.number();
  row.status = static_cast<Status>(in.number());
  row.pending = static_cast<Pending>(in.number());
  row.archived = in.number() != 0;
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) row.models.push_back(in.text());
  if (in.number() == 0) return;
  Parent parent;
  parent.id = in.text();
  parent.kind = static_cast<ParentKind>(in.number());
  parent.message = in.text();
  row.parent = std::move(parent);
}

void view_session(Unpacker& in, SessionView& row) {
  each_field(
      row, [&](std::string_view& text) { text = in.shared_view(); },
      [&](std::int64_t& number) { number = in.signed_number(); });
  row.bytes = in.number();
  row.status = static_cast<Status>(in.number());
  in.number();  // pending
  row.archived = in.number() != 0;
  row.models.clear();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) row.models.push_back(in.view());
  row.parent.reset();
  if (in.number() == 0) return;
  row.parent.emplace();
  row.parent->id = in.view();
  row.parent->kind = static_cast<ParentKind>(in.number());
  row.parent->message = in.view();
}

RowHead peek_session(Unpacker& in) {
  std::array<std::string_view, kTexts> texts;
  for (std::string_view& text : texts) text = in.shared_view();
  for (std::size_t left = kNumbers; left > 0; --left) in.number();
  RowHead row{.id = texts[kId],
              .project = texts[kProject],
              .created_at = texts[kCreatedAt],
              .updated_at = texts[kUpdatedAt],
              .first_message = texts[kFirstMessage],
              .first_response = texts[kFirstResponse],
              .began_at = texts[kBeganAt]};
  in.number();  // bytes
  row.status = static_cast<Status>(in.number());
  in.number();  // pending
  in.number();  // archived
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) in.view();
  row.has_parent = in.number() != 0;
  if (!row.has_parent) return row;
  row.parent_id = in.view();
  row.parent_kind = static_cast<ParentKind>(in.number());
  row.parent_message = in.view();
  return row;
}

}  // namespace holdfast::inline v1
