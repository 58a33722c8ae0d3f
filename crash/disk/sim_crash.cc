#include "crash/disk/sim_crash.h"

#include <algorithm>
#include <utility>

namespace holdfast::inline v1 {
namespace {

using Entries = std::vector<const SimLogEntry*>;
constexpr std::uint64_t kEnd = std::uint64_t{0} - 1;

class Crash {
 public:
  Crash(SimState& state, CrashModel model, Chooser& chooser)
      : state_(state), model_(model), chooser_(chooser), image_(state.base(model)) {}

  SimState run() {
    switch (model_) {
      case CrashModel::ordered: ordered(); break;
      case CrashModel::ext4_nul: ext4_nul(); break;
      case CrashModel::weak: weak(); break;
    }
    return SimState(std::move(image_), std::move(free_), state_);
  }

 private:
  bool open_question(const SimLogEntry& entry) const {
    return !folded(entry) && !state_.durable(entry, model_) && !lost_name(entry);
  }
  bool folded(const SimLogEntry& entry) const { return entry.folded[static_cast<std::size_t>(model_)]; }
  bool lost_name(const SimLogEntry& entry) const {
    return entry.op->kind == SimOpKind::name && state_.lost(entry, model_);
  }
  void apply(const SimLogEntry& entry, std::uint64_t length) {
    SimState::apply(image_, *entry.op, length, state_.lost(entry, model_));
  }
  void apply(const SimLogEntry& entry) { apply(entry, entry.op->bytes.size()); }

  void ordered();
  void ext4_nul();
  void weak();
  void settle_files(std::uint64_t boundary);
  void settle_file(const Entries& ops, std::uint64_t boundary);
  std::uint64_t journal_size(const Entries& ops, std::uint64_t boundary, std::uint64_t size);
  std::uint64_t weak_size(const Entries& ops, std::uint64_t size);
  std::size_t version(const Entries& ops, std::uint64_t start, std::uint64_t unit, std::uint64_t size,
                      std::uint64_t boundary);

  SimState& state_;
  CrashModel model_;
  Chooser& chooser_;
  SimImage image_;
  std::vector<SimSlot> free_;
  std::vector<std::size_t> bounds_;  // scratch space of version()
};

void Crash::ordered() {
  std::uint64_t open = 0;
  for (const SimLogEntry& entry : state_.log()) open += open_question(entry);
  const std::uint64_t cut = chooser_.choose(open + 1);
  std::uint64_t index = 0;
  for (const SimLogEntry& entry : state_.log()) {
    if (folded(entry) || lost_name(entry)) continue;
    if (state_.durable(entry, model_)) {
      apply(entry);
      continue;
    }
    if (index++ < cut) {
      apply(entry);
      continue;
    }
    if (entry.op->kind == SimOpKind::write) {
      const std::uint64_t torn = chooser_.choose(entry.op->bytes.size());
      if (torn > 0) apply(entry, torn);
    }
    break;
  }
  settle_links(image_, &free_);
}

void Crash::ext4_nul() {
  // Names, modes and truncations go through the journal in order; growth and data may
  // lag behind, but never pass a lost metadata operation.
  const auto in_journal = [](const SimLogEntry& entry) { return entry.op->kind != SimOpKind::write; };
  std::uint64_t open = 0;
  for (const SimLogEntry& entry : state_.log()) {
    open += in_journal(entry) && open_question(entry) && !state_.journaled(entry);
  }
  const std::uint64_t cut = chooser_.choose(open + 1);
  std::uint64_t index = 0;
  std::uint64_t boundary = kEnd;
  for (const SimLogEntry& entry : state_.log()) {
    if (!in_journal(entry) || folded(entry) || lost_name(entry)) continue;
    const bool certain = state_.durable(entry, model_) || state_.journaled(entry);
    if (!certain && index++ >= cut) {
      boundary = entry.sequence;
      break;
    }
    if (!entry.op->is_data()) apply(entry);
  }
  settle_files(boundary);
}

void Crash::weak() {
  const std::vector<SimLogEntry>& log = state_.log();
  std::vector<std::uint64_t> absent;  // sequence numbers, in order
  for (const SimLogEntry& entry : log) {
    if (entry.op->is_data() || folded(entry)) continue;
    const bool possible = !lost_name(entry) && !std::ranges::binary_search(absent, entry.op->needs);
    if (state_.durable(entry, model_) || (possible && chooser_.choose(2) == 1)) {
      apply(entry);
    } else {
      absent.push_back(entry.sequence);
    }
  }
  settle_files(kEnd);
}

// Chooses bytes and sizes of every file with open questions that has a name.
void Crash::settle_files(std::uint64_t boundary) {
  const std::vector<SimLogEntry>& log = state_.log();
  const auto pending = [&](const SimLogEntry& entry) { return entry.op->is_data() && !folded(entry); };
  settle_links(image_, &free_);
  std::vector<SimSlot> done;
  Entries ops;
  for (auto first = log.begin(); first != log.end(); ++first) {
    const SimSlot slot = first->op->inode;
    if (!pending(*first) || image_.at(slot) == nullptr || std::ranges::find(done, slot) != done.end()) continue;
    done.push_back(slot);
    ops.clear();
    for (auto entry = first; entry != log.end(); ++entry) {
      if (pending(*entry) && entry->op->inode == slot) ops.push_back(&*entry);
    }
    settle_file(ops, boundary);
  }
}

void Crash::settle_file(const Entries& ops, std::uint64_t boundary) {
  const SimSlot slot = ops.front()->op->inode;
  const bool weak = model_ == CrashModel::weak;
  const std::uint64_t unit = weak ? kSimSector : kSimPage;
  const std::uint64_t before = image_.at(slot)->bytes().size();
  const std::uint64_t size = weak ? weak_size(ops, before) : journal_size(ops, boundary, before);

  // The ranges of the file that any operation touches, in order and without
  // overlap, so a small write into a large file costs little.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const SimLogEntry* entry : ops) {
    const SimOp& op = *entry->op;
    const std::uint64_t end = op.kind == SimOpKind::truncate ? size : std::min(size, op.offset + op.bytes.size());
    if (op.offset < end) ranges.emplace_back(op.offset / unit, (end + unit - 1) / unit);
  }
  std::ranges::sort(ranges);

  SimInode& inode = image_.edit(slot);
  inode.number = ops.front()->op->number;
  inode.mtime = inode.ctime = ops.back()->op->time;
  std::string& data = inode.data.edit();
  data.resize(size);
  std::uint64_t block = 0;
  for (const auto& [first, last] : ranges) {
    for (block = std::max(block, first); block < last; ++block) {
      const std::uint64_t start = block * unit;
      const std::uint64_t stop = std::min(size, start + unit);
      const std::size_t bound = version(ops, start, unit, size, boundary);
      for (std::size_t index = 0; index < bound; ++index) {
        const SimOp& op = *ops[index]->op;
        if (op.kind == SimOpKind::truncate) {
          const std::uint64_t from = std::max(start, op.offset);
          if (from < stop) data.replace(from, stop - from, stop - from, '\0');
        } else if (!ops[index]->lost_strict) {
          const std::uint64_t from = std::max(start, op.offset);
          const std::uint64_t to = std::min<std::uint64_t>(stop, op.offset + op.bytes.size());
          if (from < to) data.replace(from, to - from, op.bytes, from - op.offset, to - from);
        }
      }
    }
  }
}

// ext4_nul: the size after any of the file's writes that the journal can
// contain. A truncation that survived settles everything before it.
std::uint64_t Crash::journal_size(const Entries& ops, std::uint64_t boundary, std::uint64_t size) {
  std::vector<std::uint64_t> sizes{size};
  for (const SimLogEntry* entry : ops) {
    if (entry->sequence >= boundary) break;
    const SimOp& op = *entry->op;
    if (op.kind == SimOpKind::truncate) {
      sizes.assign(1, op.offset);
    } else if (op.offset + op.bytes.size() > sizes.back()) {
      sizes.push_back(op.offset + op.bytes.size());
    }
  }
  return sizes[chooser_.choose(sizes.size())];
}

// weak: any size between the extremes; the old size is the first choice, the new one the last.
std::uint64_t Crash::weak_size(const Entries& ops, std::uint64_t size) {
  std::uint64_t now = size;
  std::uint64_t low = size;
  std::uint64_t high = size;
  for (const SimLogEntry* entry : ops) {
    const SimOp& op = *entry->op;
    now = op.kind == SimOpKind::truncate ? op.offset : std::max(now, op.offset + op.bytes.size());
    low = std::min(low, now);
    high = std::max(high, now);
  }
  if (low == high) return size;
  const bool returned = size == now;  // then the same size is at both ends
  const std::uint64_t count = high - low + 1 + returned;
  const std::uint64_t choice = chooser_.choose(count);
  if (choice == 0) return size;
  if (choice == count - 1) return now;
  // The others in increasing order.
  std::uint64_t answer = low + choice - 1;
  if (answer >= std::min(size, now)) ++answer;
  if (!returned && answer >= std::max(size, now)) ++answer;
  return answer;
}

// How many of the operations, counted from the first, have reached this block.
std::size_t Crash::version(const Entries& ops, std::uint64_t start, std::uint64_t unit, std::uint64_t size,
                           std::uint64_t boundary) {
  const bool journal = model_ == CrashModel::ext4_nul;
  const std::uint64_t stop = std::min(size, start + unit);
  std::size_t least = 0;
  bounds_.clear();
  for (std::size_t index = 0; index < ops.size(); ++index) {
    const SimOp& op = *ops[index]->op;
    const bool truncates = op.kind == SimOpKind::truncate;
    if (journal && truncates && op.offset < start + unit) {
      if (ops[index]->sequence < boundary) {  // survived, and so did its zeroes
        least = index + 1;
        bounds_.clear();
        continue;
      }
      if (op.offset <= start) break;  // the blocks written later do not belong to the file
    }
    const bool writes = !ops[index]->lost_strict && op.offset + op.bytes.size() > start;
    if (op.offset < stop && (truncates || writes)) bounds_.push_back(index + 1);
  }
  const std::uint64_t choice = chooser_.choose(bounds_.size() + 1);
  return choice == 0 ? least : bounds_[choice - 1];
}

}  // namespace

SimState crash_state(SimState& state, CrashModel model, Chooser& chooser) { return Crash(state, model, chooser).run(); }

}  // namespace holdfast::inline v1
