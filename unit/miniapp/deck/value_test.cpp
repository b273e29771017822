// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/value.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace haloheap::deck {
namespace {

using namespace std::string_literals;

TEST(Value, WritesEachTypeAsToml) {
  EXPECT_EQ(to_toml(true), "true");
  EXPECT_EQ(to_toml(std::numeric_limits<std::int64_t>::min() + 1), "-9223372036854775807");
  EXPECT_EQ(to_toml("pinned"s), "\"pinned\"");
  EXPECT_EQ(to_toml(std::vector<std::int64_t>{1024, -1}), "[1024, -1]");
  EXPECT_EQ(to_toml(std::vector<double>{0.1, 2.0}), "[0.1, 2.0]");
  EXPECT_EQ(to_toml(std::vector<std::string>{"a", "b c"}), "[\"a\", \"b c\"]");
  EXPECT_EQ(to_toml(std::vector<double>{}), "[]");
}

TEST(Value, RealsAreExactAndNeverLookLikeIntegers) {
  EXPECT_EQ(to_toml(1.0), "1.0");
  EXPECT_EQ(to_toml(-0.0), "-0.0");
  EXPECT_EQ(to_toml(1e300), "1e+300");
  EXPECT_EQ(std::stod(to_toml(0.1 + 0.2)), 0.1 + 0.2);
  const double smallest = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(std::strtod(to_toml(smallest).c_str(), nullptr), smallest);
}

TEST(Value, EscapesWhatTomlStringsCannotHold) {
  EXPECT_EQ(to_toml("a\"b\\c\n\x7f"s), "\"a\\\"b\\\\c\\u000A\\u007F\"");
  EXPECT_EQ(to_toml("\0"s), "\"\\u0000\"");
  EXPECT_EQ(to_toml("Grüße"s), "\"Grüße\"");
}

TEST(Value, LabelsHaveNoQuotes) {
  EXPECT_EQ(to_string("pinned"s), "pinned");
  EXPECT_EQ(to_string(std::vector<std::string>{"a", "b"}), "[a, b]");
  EXPECT_EQ(to_string(2.0), "2.0");
}

TEST(Value, AutoIsAnIntegerAndAString) {
  EXPECT_EQ(to_toml(automatic), "\"auto\"");
  EXPECT_EQ(to_string(automatic), "auto");
  EXPECT_TRUE(is_automatic(automatic));
  EXPECT_TRUE(is_automatic("auto"s));
  EXPECT_FALSE(is_automatic(std::int64_t{1}));
  EXPECT_FALSE(is_automatic(""s));
  EXPECT_FALSE(is_automatic(1.0));
}

TEST(Value, TypesFollowTheAlternatives) {
  EXPECT_EQ(type_of(false), Type::boolean);
  EXPECT_EQ(type_of(std::int64_t{1}), Type::integer);
  EXPECT_EQ(type_of(1.0), Type::real);
  EXPECT_EQ(type_of("a"s), Type::text);
  EXPECT_EQ(type_of(std::vector<std::string>{}), Type::texts);
  EXPECT_FALSE(is_list(Type::text));
  EXPECT_TRUE(is_list(Type::integers));
  EXPECT_EQ(element_of(Type::reals), Type::real);
  EXPECT_EQ(element_of(Type::boolean), Type::boolean);
  EXPECT_EQ(in_words(Type::integer), "an integer");
  EXPECT_EQ(in_words(Type::texts), "a list of strings");
}

}  // namespace
}  // namespace haloheap::deck
