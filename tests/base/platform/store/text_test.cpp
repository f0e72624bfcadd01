// How a statement's text reaches the driver.
#include "base/platform/store/text.hpp"

#include <doctest/doctest.h>

#include "shared/store/one_plan.hpp"

using svc::store::Dialect;
using svc::store::StatementText;

TEST_CASE("a name used several times is one value") {
    const StatementText text("UPDATE t SET a = :n, b = :other WHERE a = :n");
    CHECK(text.names() == std::vector<std::string>{"n", "other"});
    CHECK(text.for_driver(Dialect::sqlite, "it") == "UPDATE t SET a = :v1, b = :v2 WHERE a = :v1");
    CHECK(text.for_driver(Dialect::postgresql, "it") ==
          "UPDATE t SET a = CAST($1 AS BIGINT), b = CAST($2 AS TEXT) WHERE a = CAST($1 AS BIGINT)");
}

TEST_CASE("NULL is written into the text and takes no number") {
    const StatementText text("SELECT :a, :b, :c");
    CHECK(text.for_driver(Dialect::sqlite, "i0t") == "SELECT :v1, NULL, :v2");
}

TEST_CASE("colons in quotes, comments and casts are no names") {
    const StatementText text("SELECT ':a', \":b\", 'it''s :c', x::text /* :d; */ -- :e;\n FROM t WHERE y = :f");
    CHECK(text.names() == std::vector<std::string>{"f"});
}

TEST_CASE("a comment does not reach the driver, the mark of one plan does") {
    CHECK(StatementText("/* why */SELECT 1").for_driver(Dialect::postgresql, "") == " SELECT 1");
    const std::string marked = StatementText(SVC_ONE_PLAN "SELECT :a").for_driver(Dialect::postgresql, "i");
    CHECK(marked.starts_with(svc::store::one_plan));
    CHECK(marked.ends_with("SELECT CAST($1 AS BIGINT)"));
    CHECK(StatementText("SELECT " SVC_ONE_PLAN "1").for_driver(Dialect::postgresql, "").find("plan") ==
          std::string::npos);
}

TEST_CASE("the statements of a trigger are the trigger's own") {
    const std::string trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; DELETE FROM c; END";
    CHECK(StatementText(trigger + ";\n").for_driver(Dialect::sqlite, "") == trigger);
    CHECK_THROWS_AS(StatementText("CREATE TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION f(); DELETE FROM b"),
                    std::logic_error);
}

TEST_CASE("one statement a text") {
    CHECK_NOTHROW(StatementText("SELECT 1;"));
    CHECK_NOTHROW(StatementText("SELECT 1; -- that was all\n ; "));
    CHECK_NOTHROW(StatementText("SELECT ';'"));
    CHECK_THROWS_AS(StatementText("SELECT 1; DROP TABLE t"), std::logic_error);
    CHECK_THROWS_AS(StatementText("SELECT 1;/* */DELETE FROM t"), std::logic_error);
    CHECK_THROWS_AS(StatementText("SELECT 'open"), std::logic_error);
    CHECK_THROWS_AS(StatementText("SELECT 1 /* open"), std::logic_error);
}
