#include "sync/projected_message.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace holdfast::inline v1 {
namespace {

using Words = std::vector<std::string>;

TEST(ProjectedMessage, WordsAreFoldedLettersAndDigits) {
  EXPECT_EQ(words_in("The Lexer's src/text/json_scan.h: 0x1F, ÄRGER—naïve “x”…"),
            (Words{"the", "lexer", "s", "src", "text", "json", "scan", "h", "0x1f", "ärger", "naïve", "x"}));
  EXPECT_EQ(words_in("世界 c++ \xff\xfe b\xc3"), (Words{"世", "界", "c", "b"}));
  EXPECT_EQ(words_in("=> ... 😀"), Words());
  EXPECT_EQ(words_in(std::string(5000, 'Q')), (Words{std::string(128, 'q')}));
}

TEST(ProjectedMessage, QueryMatchesAllWordsAndLastOfEachTermByPrefix) {
  const Words terms{"Race cond", "x"};
  EXPECT_EQ(words_query(terms, ""), "race & cond:* & x:*");
  EXPECT_EQ(words_query(terms, "A"), "race:A & cond:*A & x:*A");
  EXPECT_EQ(words_query(Words{"race", "=>"}, ""), "");
  EXPECT_TRUE(is_one_word("Lexer"));
  EXPECT_FALSE(is_one_word("lexer.h"));
  EXPECT_FALSE(is_one_word("-lexer"));
  EXPECT_FALSE(is_one_word(std::string(200, 'q')));
}

TEST(ProjectedMessage, InvalidTextIsReplacedAndMarkedAsCut) {
  ProjectedMessage message;
  const std::string_view said[] = {std::string_view("a\0b", 3), "second"};
  project_texts(said, {}, {}, message);
  EXPECT_EQ(message.said.text,
            "a\xEF\xBF\xBD"
            "b\x1esecond");
  EXPECT_EQ(message.said.words, "a b second");
  EXPECT_TRUE(message.cut);

  ProjectedMessage surrogate;
  const std::string_view bytes[] = {"x\xED\xA0\x80y"};
  project_texts({}, bytes, {}, surrogate);
  EXPECT_TRUE(is_utf8(surrogate.thought.text));
  EXPECT_TRUE(surrogate.cut);

  ProjectedMessage fine;
  const std::string_view text[] = {"fine ärger"};
  project_texts({}, {}, text, fine);
  EXPECT_FALSE(fine.cut);
  EXPECT_NE(fine.hash(), surrogate.hash());
}

TEST(ProjectedMessage, TextAndWordsAreBounded) {
  std::string words, long_text(kMaxProjectedText - 1, 'a');
  for (int i = 0; i < 200'000; ++i) words += std::to_string(i) + " ";
  long_text += "ä end";
  ProjectedMessage message;
  const std::string_view said[] = {words}, tools[] = {long_text};
  project_texts(said, {}, tools, message);
  EXPECT_TRUE(message.cut);
  EXPECT_LE(message.said.words.size() + message.tools.words.size(), kMaxProjectedWords);
  EXPECT_LE(message.said.text.size() + message.tools.text.size(), kMaxProjectedText);

  ProjectedMessage torn;
  const std::string_view one[] = {long_text};
  project_texts(one, {}, {}, torn);
  EXPECT_EQ(torn.said.text.size(), kMaxProjectedText - 1) << "no letter is torn";
  ProjectedMessage zeros;
  const std::string nothing(kMaxProjectedText / 2, '\0');
  const std::string_view both[] = {nothing, "behind"}, also[] = {"too much"};
  project_texts(both, also, {}, zeros);
  EXPECT_LE(zeros.said.text.size() + zeros.thought.text.size(), kMaxProjectedText);
  EXPECT_TRUE(zeros.cut && is_utf8(zeros.said.text));
  // A repeated word is stored once.
  ProjectedMessage often;
  std::string again;
  for (int i = 0; i < 100'000; ++i) again += "again ";
  const std::string_view repeated[] = {again};
  project_texts(repeated, {}, {}, often);
  EXPECT_EQ(often.said.words, "again");
  EXPECT_FALSE(often.cut);
}

}  // namespace
}  // namespace holdfast::inline v1
