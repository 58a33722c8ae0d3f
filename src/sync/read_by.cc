#include "sync/read_by.h"

#include <holdfast/log_reader.h>

#include <algorithm>

#include "sync/content.h"

namespace holdfast::inline v1 {

Result<std::map<CaptureKey, std::string>> sessions_read_by(const Context& context, const SyncHome& home,
                                                           const RemoteSettings& settings, const std::string& device) {
  std::map<CaptureKey, std::string> found;
  HOLDFAST_LET(own, home.device(context));
  HOLDFAST_LET(streams, home.streams(settings.name));
  std::map<std::uint64_t, std::uint64_t> read;  // by own epoch: the last segment that was read
  for (const StreamId& stream : streams) {
    if (stream.device != device) continue;
    HOLDFAST_LET(cursor, home.cursor(context, settings.name, stream));
    for (const auto& [seen, seq] : cursor.seen)
      if (seen.device == device_id(own.public_key)) read[seen.epoch] = std::max(read[seen.epoch], seq);
  }
  for (const auto& [epoch, seq] : read) {
    const auto directory = home.files().open_directory(home.published(settings.name, epoch), false);
    if (!directory) continue;
    auto log = LogReader::open(context, **directory, kCaptureLog);
    if (!log) continue;
    Record record;
    while (true) {
      HOLDFAST_LET(more, log->next(record));
      if (!more) break;
      const auto line = read_capture(record.bytes);
      if (line && read_origin(line->capture.origin).seq <= seq) found[line->capture.session] = line->capture.row;
    }
  }
  return found;
}

Result<std::set<std::string>> machines_past(const Context& context, const SyncHome& home,
                                            const RemoteSettings& settings, const StreamId& own, std::uint64_t seq) {
  std::set<std::string> machines;
  HOLDFAST_LET(streams, home.streams(settings.name));
  for (const StreamId& other : streams) {
    HOLDFAST_LET(cursor, home.cursor(context, settings.name, other));
    const auto seen = cursor.seen.find(own);
    if (seen != cursor.seen.end() && seen->second >= seq) machines.insert(settings.machine_of(other.device));
  }
  return machines;
}

}  // namespace holdfast::inline v1
