// Records a session and shows it.  record_session DIRECTORY
#include <holdfast/store.h>

#include <iostream>

int main(int, char** argv) {
  const holdfast::Context context;
  holdfast::StoreOptions options{.roots = {{"", argv[1]}}, .write = true, .create = true};
  auto store = holdfast::Store::open(context, holdfast::real_file_system(), options);
  if (!store) return std::cerr << store.error().text() << '\n', 1;
  auto id = (*store)->create(context, {.project = "/home/me/proj", .title = "Fix login"});
  if (!id) return std::cerr << id.error().text() << '\n', 1;
  auto writer = (*store)->write(context, *id);
  if (!writer) return std::cerr << writer.error().text() << '\n', 1;
  auto ack = (*writer)->append(context, {.blocks = {{.text = "why does login fail?"}}});  // durable when it returns
  if (!ack) return std::cerr << ack.error().text() << '\n', 1;
  auto transcript = (*store)->read(context, *id);
  if (!transcript) return std::cerr << transcript.error().text() << '\n', 1;
  for (const auto& message : transcript->messages) std::cout << message.text() << '\n';
  return 0;
}
