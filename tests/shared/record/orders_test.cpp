// The orders of a list are assembled at start from constants; a request only chooses among them.
#include "shared/record/orders.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

#include "shared/store/one_plan.hpp"

namespace svc::tests {
namespace {

using record::Orders;

Orders visits() {
    return {"v.id",
            {{"created_at", {"v.created_at"}, true},
             {"name", {"COALESCE(v.last_name, '')", "v.first_name"}},
             {"id", {"v.id"}}}};
}

TEST_CASE("an order sorts by its expressions and then by the unique column, all in one direction") {
    CHECK(visits().clause("name", true) == " ORDER BY COALESCE(v.last_name, '') ASC, v.first_name ASC, v.id ASC");
    CHECK(visits().clause("name", false) == " ORDER BY COALESCE(v.last_name, '') DESC, v.first_name DESC, v.id DESC");
    CHECK(visits().clause("id", false) == " ORDER BY v.id DESC");
    CHECK(visits().keys() == std::vector<std::string>{"created_at", "name", "id"});
}

TEST_CASE("a key that does not exist sorts as the default and reaches no statement") {
    const Orders orders = visits();
    CHECK(orders.clause("v.secret; DROP TABLE visits", true) == orders.clause("created_at", true));
    CHECK(orders.clause("", false) == orders.clause("created_at", false));
}

TEST_CASE("a page is the list's statement in one order; only an index's order of such a list keeps one plan") {
    const std::string select = "SELECT v.id FROM visits v WHERE v.open = 1";
    const std::string page = select + " ORDER BY v.created_at ASC, v.id ASC LIMIT :limit OFFSET :offset";
    CHECK(visits().page({.sql = select}, "created_at", true) == page);
    CHECK(visits().page({.sql = select, .one_plan = true}, "created_at", true) == store::one_plan + page);
    CHECK(visits().page({.sql = select, .one_plan = true}, "id", true) ==
          select + " ORDER BY v.id ASC LIMIT :limit OFFSET :offset");
}

TEST_CASE("orders that contradict themselves or could end a statement are rejected at start") {
    const auto rejects = [](std::vector<record::Sort> sorts) {
        CHECK_THROWS_AS(Orders("v.id", std::move(sorts)), std::logic_error);
    };
    rejects({});
    rejects({{"name", {"v.name"}}, {"name", {"v.id"}}});
    for (const char* key : {"", "Name", "v.name", "a b"})
        rejects({{key, {"v.name"}}});
    for (const char* expression : {"", "v.name ASC", "v.name DESC", "v.a, v.b", "v.a; DELETE FROM visits", "v.a --",
                                   "LOWER(v.a", "v.a)", "v.a, (SELECT 1)", "COALESCE(v.a, '"})
        rejects({{"name", {expression}}});
}

}  // namespace
}  // namespace svc::tests
