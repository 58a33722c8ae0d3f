#include "layout/layout.h"

#include "layout/change.h"
#include "layout/moment.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/tool_names.h"
#include "layout/writable_layout.h"

namespace holdfast::inline v1 {

Failure Layout::cannot(std::string_view thing) const {
  return fail(Code::unsupported, "layout " + std::string(name()) + " cannot hold: " + std::string(thing));
}

std::span<const ToolName> Layout::tool_names() const { return {}; }

const RecordShape* Layout::shape(std::string_view kind) const {
  if (records() == nullptr) return nullptr;
  for (const RecordShape& shape : records()->shapes()) {
    if (shape.kind == kind) return &shape;
  }
  return nullptr;
}

Result<NewSession> WritableLayout::create(Feed&, const SessionDraft&, const Moment&) const {
  return cannot("new sessions");
}
Result<std::unique_ptr<LineWriter>> WritableLayout::line_writer(Feed&, const SessionRef&) const {
  return cannot("new messages");
}
Result<Changes> WritableLayout::update(Feed&, const SessionRef&, const SessionPatch&, const Moment&) const {
  return cannot("changes to a session");
}
Result<Changes> WritableLayout::remove(Feed&, const SessionRef&) const { return cannot("the removal of a session"); }
Result<NewSession> WritableLayout::fork(Feed&, const SessionRef&, const SessionDraft&, const Moment&) const {
  return cannot("forks");
}
Result<Changes> WritableLayout::regroup(Feed&, const SessionRef&, std::string_view, const Moment&) const {
  return cannot("sessions that move to another folder");
}

Result<const WritableLayout*> writer_of(const Layout& layout) {
  if (const WritableLayout* const writer = layout.writer()) return writer;
  return layout.cannot("what Holdfast writes");
}

const Layout* find_layout(std::string_view name) {
  for (const Layout* layout : layouts()) {
    if (layout->name() == name) return layout;
  }
  return nullptr;
}

}  // namespace holdfast::inline v1
