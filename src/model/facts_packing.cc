#include "model/facts_packing.h"

namespace holdfast::inline v1 {
namespace {

// One list of fields serves both directions, so they cannot diverge.
template <typename Text, typename Number>
void each_fact(SessionFacts& facts, const Text& text, const Number& number) {
  for (std::string* field : {&facts.project, &facts.title, &facts.git_branch, &facts.created_at, &facts.updated_at,
                             &facts.model, &facts.summary, &facts.metadata, &facts.began_at})
    text(*field);
  const auto maybe = [&](auto& field, auto from, auto to) {
    std::uint64_t value = field ? 1 + to(*field) : 0;
    number(value);
    field.reset();
    if (value != 0) field = from(value - 1);
  };
  const auto word = [](auto value) { return static_cast<std::uint64_t>(value); };
  maybe(facts.status, [](std::uint64_t value) { return static_cast<Status>(value); }, word);
  maybe(facts.pending, [](std::uint64_t value) { return static_cast<Pending>(value); }, word);
  maybe(facts.archived, [](std::uint64_t value) { return value != 0; }, word);
  maybe(facts.subagents, [](std::uint64_t value) { return static_cast<std::int64_t>(value); }, word);
  std::uint64_t kind = facts.parent ? 1 + static_cast<std::uint64_t>(facts.parent->kind) : 0;
  number(kind);
  if (kind != 0) {
    Parent parent = facts.parent.value_or(Parent());
    parent.kind = static_cast<ParentKind>(kind - 1);
    text(parent.id);
    text(parent.message);
    facts.parent = std::move(parent);
  }
  std::uint64_t copies = facts.copies_keep_ids ? 1 : 0;
  number(copies);
  facts.copies_keep_ids = copies != 0;
}

}  // namespace

void pack_facts(Packer& out, const SessionFacts& facts) {
  SessionFacts copy = facts;
  each_fact(copy, [&](const std::string& text) { out.text(text); }, [&](std::uint64_t number) { out.number(number); });
}

SessionFacts unpack_facts(Unpacker& in) {
  SessionFacts facts;
  each_fact(facts, [&](std::string& text) { text = in.text(); }, [&](std::uint64_t& number) { number = in.number(); });
  return facts;
}

}  // namespace holdfast::inline v1
