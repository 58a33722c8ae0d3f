// A session as the policy `redacted` lets it go to a remote: what was said, and nothing of where. A log of the layout
// holdfast (docs/formats/holdfast.md) with ids that are counted; secrets and paths masked; no title, project, picture,
// file or record of the agent's own. The log of a longer transcript begins with that of a shorter one.
// Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

std::string redacted_log(Transcript transcript, std::string_view id);

}  // namespace holdfast::inline v1
