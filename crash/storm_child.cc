#include "storm_child.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "omitted.h"
#include "storm_roles.h"

namespace holdfast::lab {

int storm_child(int argc, char** argv) {
  // A child never outlives the storm.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGPIPE, SIG_IGN);
  const auto job = Job::from_words(argc, argv);
  if (!job) return 2;
  leave_out(job->omitted);
  for (const auto& [name, run] : storm_roles())
    if (name == job->role) return run(*job);
  std::fprintf(stderr, "no such role: %s\n", job->role.c_str());
  return 2;
}

}  // namespace holdfast::lab
