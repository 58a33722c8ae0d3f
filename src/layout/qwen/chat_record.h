// Parses one line of a chat. Every record is a link of the chain, so each one becomes a
// message; some also describe the session.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1::qwen {

struct ChatRecord {
  Message message = {};
  std::string session = {};      // sessionId
  std::string title = {};        // that somebody gave the session
  std::string parent = {};       // the session that started this one
  std::string forked_from = {};  // the session that this record was copied from
  bool started_agent = false;    // the result of a call that ran a sub-agent
  bool rewound = false;          // the chat continues from an earlier record
};

// Without `whole`, records of unknown types are only links.
ChatRecord read_chat_record(std::string_view line, bool whole);

}  // namespace holdfast::inline v1::qwen
