#include "handoff/rereadable_session.h"

namespace holdfast::inline v1 {
namespace {

const TranscriptQuery kQuery = {.raw = true, .data = true};

class Listener final : public BranchListener {
 public:
  Listener(const RereadableSession::Take& take, const std::optional<std::uint64_t>& most) : take_(take), most_(most) {}
  void begin(const Session& /*known*/) override {}
  bool message(Message message) override {
    if (most_ && told == *most_) return false;
    ++told;
    which.add(message.id);
    which.add(std::to_string(message.offset) + "\n");
    take_(std::move(message));
    return true;
  }

  std::uint64_t told = 0;
  Xxh3Stream which;

 private:
  const RereadableSession::Take& take_;
  const std::optional<std::uint64_t>& most_;
};

}  // namespace

Result<bool> RereadableTranscript::tell(const Take& take) {
  for (const Message& message : transcript_.messages) take(message);
  return true;
}

RereadableStoreSession::RereadableStoreSession(const Context& context, FileStore& store, SessionRef ref)
    : context_(context), store_(store), ref_(std::move(ref)), branch_(context_, store_, ref_, kQuery) {}

Result<bool> RereadableStoreSession::tell(const Take& take) {
  if (whole_) return RereadableTranscript(*whole_).tell(take);
  Listener listener(take, messages_);
  HOLDFAST_LET(end, branch_.tell(listener));
  const bool first = !messages_;
  if (first && end == StreamedBranch::End::lost) {
    HOLDFAST_LET(read, store_.read(context_, ref_.id, kQuery));
    HOLDFAST_LET(off, holdfast::off_branch(context_, store_, read));
    off_branch_ = off;
    whole_ = std::move(read);
    return false;
  }
  if (first) {
    messages_ = listener.told;
    fingerprint_ = listener.which.hex();
    session_ = branch_.session();
    findings_ = branch_.findings();
    off_branch_ = branch_.off_branch();
    ends_in_part_ = branch_.ends_in_part();
    return true;
  }
  if (end == StreamedBranch::End::lost || listener.told != *messages_ || listener.which.hex() != fingerprint_)
    return fail(Code::conflict, "the session was changed while it was read; try again", ref_.place.path);
  return true;
}

}  // namespace holdfast::inline v1
