// Calls operations on a native store in memory, as a door would; checks every answer
// against the schema that the api prints, and every error against its list.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "api/dispatch.h"
#include "api/schema_testing.h"
#include "crash/disk/sim_file_system.h"

namespace holdfast::inline v1 {

struct ApiTest : testing::Test {
  SimFileSystem files;
  Context context;
  Stores stores{settings(false)};

  StoreSettings settings(bool keep) {
    StoreSettings all;
    all.files = &files;
    all.home.layout = "holdfast";
    all.home.roots[""] = "/home";
    all.defaults = {all.home};
    all.keep = keep;
    return all;
  }

  Result<std::string> call(std::string_view method, std::string_view params = "{}") {
    auto answer = dispatch(context, stores, method, params);
    const Operation* const operation = find_operation(method);
    // A call by a seed's name may answer in the seed's format, which has no schema.
    const SeedName* const alias = operation == nullptr ? nullptr : seed_name(*operation, method);
    const bool ours = alias == nullptr || alias->answer == nullptr;
    if (answer && operation != nullptr && ours && JsonView(*answer).find("dry_run").as_bool() != true) {
      EXPECT_EQ(check_.fault(operation->method, JsonView(*answer)), "") << method << " " << *answer;
      EXPECT_EQ(answer->find('\n'), std::string::npos);
    }
    if (!answer && operation != nullptr) {
      const auto codes = errors_of(*operation);
      EXPECT_NE(std::ranges::find(codes, answer.error().code), codes.end()) << method << " " << answer.error().text();
    }
    return answer;
  }
  // The call must succeed.
  std::string must_call(std::string_view method, std::string_view params = "{}") {
    auto answer = call(method, params);
    EXPECT_TRUE(answer) << method << " " << params << ": " << answer.error().text();
    return answer.value_or("{}");
  }
  Code code(std::string_view method, std::string_view params = "{}") {
    auto answer = call(method, params);
    EXPECT_FALSE(answer) << method << " " << *answer;
    return answer ? Code::internal : answer.error().code;
  }
  std::string message(std::string_view method, std::string_view params = "{}") {
    auto answer = call(method, params);
    return answer ? "none: " + *answer : answer.error().message;
  }

 private:
  SchemaCheck check_;
};

}  // namespace holdfast::inline v1
