// The speed of searching for secrets, compared with memchr over the same text.
//
//   text_bench [--seconds 2] [--json FILE]
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "bench/jobs.h"
#include "bench/table.h"
#include "text/redact_json.h"
#include "text/secrets.h"

namespace {

using namespace holdfast;
using namespace holdfast::bench;

constexpr std::size_t kBytes = std::size_t{16} << 20;

// Prose, code and figures as in transcripts, including words about secrets.
std::string sample_text() {
  const std::string part =
      "I looked at src/parser.cc and ran the tests: 41 passed, 0 failed. The token limit is 4096, so the session "
      "keeps\n"
      "its secret handling in one place (see https://example.org/docs/tokens#limits). commit 9f86d081884c7d659a2feaa0\n"
      "  if (request.password.empty()) return fail(Code::invalid_argument, \"no password\");\n"
      "{\"type\":\"assistant\",\"usage\":{\"input_tokens\":1532,\"output_tokens\":88},\"id\":\"msg_"
      "01XFDUDYJgAACzvnptvVoYEL\"}\n";
  std::string text;
  while (text.size() < kBytes) text += part;
  return text;
}

// Megabytes per second of processor time, so other work on the machine does not count.
template <typename Work>
Row speed(const std::string& name, double seconds, const Work& work) {
  std::vector<double> samples;
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  do {
    const std::clock_t begin = std::clock();
    work();
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    samples.push_back(static_cast<double>(kBytes) / 1e6 / (took > 0 ? took : 1e-6));
  } while (std::chrono::steady_clock::now() < until);
  Row row;
  row.name = name;
  row.p50 = percentile(samples, 0.5);
  row.unit = "MB/s";
  return row;
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = 2;
  std::string json;
  for (int at = 1; at + 1 < count; at += 2) {
    const std::string name = arguments[at];
    if (name == "--seconds")
      seconds = std::atof(arguments[at + 1]);
    else if (name == "--json")
      json = arguments[at + 1];
    else
      stop("unknown option " + name);
  }
  const std::string text = sample_text();
  const std::string document = "{\"text\":[" + [&] {
    std::string all;
    for (std::size_t at = 0; at < text.size(); at += 4096) {
      std::string plain;
      for (const char c : text.substr(at, 4096)) plain += c == '"' || c == '\\' || c == '\n' ? '.' : c;
      all += (at == 0 ? "\"" : ",\"") + plain + "\"";
    }
    return all;
  }() + "]}";
  Group group{"looking for secrets in 16 MiB that have none", {}};
  volatile std::size_t sink = 0;
  group.rows.push_back(speed("memchr for a byte that is not there", seconds,
                             [&] { sink = sink + (std::memchr(text.data(), 1, text.size()) != nullptr ? 1 : 0); }));
  group.rows.push_back(speed("find_secrets", seconds, [&] { sink = sink + find_secrets(text).size(); }));
  group.rows.push_back(speed("redacted_json", seconds, [&] { sink = sink + (redacted_json(document) ? 1 : 0); }));
  for (std::size_t i = 1; i < group.rows.size(); ++i) {
    against(group.rows[i], group.rows[0]);
    group.rows[i].goal = "at least 200 MB/s";
    group.rows[i].met = group.rows[i].p50 >= 200;
  }
  print_group(group);
  print_sum({group});
  if (!json.empty()) write_json(json, {group}, "text");
  return 0;
}
