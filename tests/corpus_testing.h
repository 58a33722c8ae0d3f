// One agent's store of the corpus, opened in place.
#pragma once

#include <gtest/gtest.h>
#include <holdfast/file_system.h>
#include <holdfast/store.h>

#include <memory>

#include "base/corpus_testing.h"

namespace holdfast::inline v1 {

class OpenCorpus : public testing::TestWithParam<CorpusAgent> {
 protected:
  void SetUp() override {
    StoreOptions options;
    options.layout = GetParam().name;
    options.roots[""] = corpus_store(GetParam()).string();
    auto opened = Store::open({}, real_file_system(), options);
    ASSERT_TRUE(opened) << opened.error().text();
    store_ = std::move(*opened);
  }

  std::shared_ptr<Store> store_;
};

}  // namespace holdfast::inline v1
