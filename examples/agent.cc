// An agent that stores its session in Holdfast, in C++ with nothing but the installed headers.
//   agent DIRECTORY PROMPT...
#include <holdfast/api.h>

#include <iostream>
#include <span>
#include <string>

namespace {

namespace api = holdfast::api;

std::string model(const std::string& prompt) { return "You said: " + prompt; }  // yours goes here

holdfast::Result<void> work(const std::string& directory, std::span<char*> prompts) {
  const holdfast::Context context;  // set deadlines and cancellation here
  HOLDFAST_LET(client, holdfast::Client::open({.home = "holdfast:" + directory}));

  // Creating a session takes its lease: while this program runs, other writers fail with `busy`.
  HOLDFAST_LET(made, api::session_create(*client, context, {.project = "/home/me/proj", .title = "An example"}));
  for (const std::string prompt : prompts) {
    HOLDFAST_TRY(api::message_append(*client, context, {.session = made.id, .text = prompt}));
    // When this returns, the message is on the disk and survives kill -9 and a power cut.
    HOLDFAST_TRY(api::message_append(
        *client, context,
        {.session = made.id, .message = api::GivenMessage{.role = "assistant", .text = model(prompt)}}));
  }

  // Read a page at a time. The cost of a page does not depend on the length of the session.
  api::MessageListRequest request{.session = made.id, .limit = 2};
  do {
    HOLDFAST_LET(page, api::message_list(*client, context, request));
    for (const api::Message& message : page.messages.value_or(std::vector<api::Message>{}))
      for (const api::Block& block : message.blocks)
        std::cout << message.role << ": " << block.text.value_or("") << '\n';
    request.cursor = page.next_cursor;
  } while (request.cursor);

  HOLDFAST_TRY(api::session_end(*client, context, {.id = made.id}));
  return client->close(context);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto done = work(argv[1], std::span(argv + 2, argv + argc));
  if (!done) std::cerr << done.error().text() << '\n';  // what, where and why
  return done ? 0 : 1;
}
