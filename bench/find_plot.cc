#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/find_job.h"

namespace holdfast::bench {
namespace {

constexpr double kWidth = 640, kHeight = 400, kLeft = 80, kRight = 190, kTop = 20, kBottom = 50;

struct Axis {
  double low, high;  // exponents of ten
  double from, to;   // pixels
  double at(double value) const { return from + (std::log10(value) - low) / (high - low) * (to - from); }
};

}  // namespace

std::string growth_plot(const std::vector<FindSize>& sizes) {
  double least = 1e9, most = 1;
  for (const FindSize& size : sizes) {
    for (const auto& [name, ms] : size.jobs) {
      least = std::min(least, ms);
      most = std::max(most, ms);
    }
  }
  const Axis x{std::log10(sizes.front().gigabytes), std::log10(sizes.back().gigabytes), kLeft, kWidth - kRight};
  const Axis y{std::floor(std::log10(least)), std::ceil(std::log10(most)), kHeight - kBottom, kTop};
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  for (double power = y.low; power <= y.high; ++power) {
    const double at = y.at(std::pow(10, power));
    svg +=
        fmt::format("<path d=\"M{} {}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} ms</text>\n",
                    kLeft, at, kWidth - kRight, kLeft - 6, at + 4, std::pow(10, power));
  }
  for (const FindSize& size : sizes) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.1f} GB</text>\n", x.at(size.gigabytes),
                       kHeight - kBottom + 18, size.gigabytes);
  }
  constexpr const char* kColours[] = {"#0b6", "#06c", "#c30", "#939", "#b80", "#555", "#0aa"};
  for (std::size_t job = 0; job < sizes.front().jobs.size(); ++job) {
    const char* const colour = kColours[job % std::size(kColours)];
    std::string path;
    double end = 0;
    for (const FindSize& size : sizes) {
      if (job >= size.jobs.size()) continue;
      end = y.at(size.jobs[job].second);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(size.gigabytes), end);
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x.at(size.gigabytes), end,
                         colour);
    }
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path, colour);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", kWidth - kRight + 10,
                       kTop + 20 + 18 * static_cast<double>(job), colour, sizes.front().jobs[job].first);
  }
  return svg + "</svg>\n";
}

}  // namespace holdfast::bench
