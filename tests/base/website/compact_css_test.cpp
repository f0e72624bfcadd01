// Style sheets as browsers get them.
#include "base/website/pages/compact_css.hpp"

#include <doctest/doctest.h>

using svc::pages::compact_css;

TEST_CASE("a compact style sheet has no comments and no white space around braces, semicolons and commas") {
    CHECK(compact_css("/* a */\n.a,\n.b {\n  color: red;\n  margin: 0 auto;\n}\n") ==
          ".a,.b{color: red;margin: 0 auto}");
    CHECK(compact_css("@media (min-width: 1px) {\n  a {\n    b: c;\n  }\n}") == "@media (min-width: 1px){a{b: c}}");
}

TEST_CASE("a compact style sheet means the same: blanks between selectors and in calc() stay") {
    CHECK(compact_css(".a\n  :hover { width: calc(1px  +  2px) }") == ".a :hover{width: calc(1px + 2px)}");
    CHECK(compact_css(".a /* of */ .b{c:d}") == ".a .b{c:d}");
    CHECK(compact_css("a{b:c;/* last */}") == "a{b:c}");
}

TEST_CASE("texts in quotes and addresses in a style sheet stay as they are") {
    CHECK(compact_css("a::after { content: \" ; /* no comment */  } \\\" \"; }") ==
          "a::after{content: \" ; /* no comment */  } \\\" \"}");
    CHECK(compact_css("a { content: '  '; }") == "a{content: '  '}");
    CHECK(compact_css("a { src: url(\"a)  b\") }") == "a{src: url(\"a)  b\")}");
    CHECK(compact_css("a { src: url(data:a/*b;  c) }") == "a{src: url(data:a/*b;  c)}");
}

TEST_CASE("a style sheet that ends in the middle is compacted to its end") {
    CHECK(compact_css("a { content: \"x") == "a{content: \"x");
    CHECK(compact_css("a { /* b") == "a{");
    CHECK(compact_css("a { src: url(b") == "a{src: url(b");
    CHECK(compact_css("a { content: '\\") == "a{content: '\\");
    CHECK(compact_css("") == "");
}
