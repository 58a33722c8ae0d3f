// Uses the installed library as a stranger would.
#include <holdfast/context.h>
#include <holdfast/error.h>

#include <chrono>
#include <iostream>

int main() {
  using namespace std::chrono_literals;
  const holdfast::Context context;
  if (!context.check()) return 1;
  const auto late = context.within(-1s).check();
  if (late || late.error().code != holdfast::Code::deadline_exceeded) return 2;
  std::cout << late.error().text() << '\n';
  return 0;
}
