#include "layout/layout.h"

namespace holdfast::inline v1 {

Failure Layout::cannot(std::string_view thing) const {
  return fail(Code::unsupported, "layout " + std::string(name()) + " cannot hold: " + std::string(thing));
}

Result<NewSession> Layout::create(Feed&, const SessionDraft&, const Moment&) const { return cannot("new sessions"); }
Result<std::unique_ptr<Pen>> Layout::pen(Feed&, const SessionRef&) const { return cannot("new messages"); }
Result<Changes> Layout::update(Feed&, const SessionRef&, const SessionPatch&, const Moment&) const {
  return cannot("changes of a session");
}
Result<Changes> Layout::remove(Feed&, const SessionRef&) const { return cannot("the removal of a session"); }
Result<NewSession> Layout::fork(Feed&, const SessionRef&, const SessionDraft&, const Moment&) const {
  return cannot("forks");
}
Result<Changes> Layout::write_index(Feed&, std::string_view, std::span<const Session>, const Moment&) const {
  return Changes();
}
Result<Changes> Layout::regroup(Feed&, const SessionRef&, std::string_view, const Moment&) const {
  return cannot("sessions that move to another folder");
}

Result<Spelling> Layout::spell_message(Feed&, const SessionRef&, const Message&, const Moment&) const {
  return cannot("messages in files of their own");
}
Result<Spelling> Layout::spell_raw_message(Feed&, const SessionRef&, std::string_view, const Moment&) const {
  return cannot("messages in files of their own");
}

Result<void> Layout::read_thread(Feed&, std::string_view, const ReadOptions&, Events&) const {
  return cannot("the messages of a thread in one place");
}

Result<std::string> Layout::project_key(Feed&, std::string_view) const { return cannot("projects"); }

const RecordShape* Layout::shape(std::string_view kind) const {
  for (const RecordShape& shape : shapes()) {
    if (shape.kind == kind) return &shape;
  }
  return nullptr;
}

const Layout* find_layout(std::string_view name) {
  for (const Layout* layout : layouts()) {
    if (layout->name() == name) return layout;
  }
  return nullptr;
}

}  // namespace holdfast::inline v1
