// Every list: its pages, its order, and what it refuses.
#include <algorithm>
#include <iostream>
#include <set>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

void each_list(Walk& walk, const std::function<void(const api::RouteSpec&, const std::string& path)>& body) {
    int lists = 0;
    for (const auto& route : walk.routes())
        if (route->is_list) {
            CAPTURE(route->path);
            body(*route, walk.existing(*route));
            ++lists;
        }
    CHECK(lists >= 6);
}

std::multiset<std::string> ids_of(const Answered& answered) {
    std::multiset<std::string> ids;  // as JSON: a job's id is a text
    if (answered.data().is_array())
        for (const auto& item : answered.data().items())
            ids.insert(item[item.find("id") ? "id" : "booking_id"].dump());  // what is owed goes by its booking
    return ids;
}

}  // namespace

TEST_CASE("every list is capped at 100 a page and returns its totals") {
    each_walk([](Walk& walk) {
        walk.fill();
        each_list(walk, [&](const api::RouteSpec&, const std::string& path) {
            const auto first = walk.get(Walk::asked(path) + "per_page=1", walk.admin());
            REQUIRE(first.status == 200);
            const auto total = first.body["meta"]["total"].integer();
            CHECK(total > 0);
            CHECK(first.data().size() == 1);
            CHECK(first.header("X-Host-Total") == std::to_string(total));
            CHECK(first.header("X-Host-TotalPages") == std::to_string(total));
            CHECK(first.body["meta"]["total_pages"].integer() == total);

            for (const char* size : {"500", "9223372036854775807", "99999999999999999999"}) {
                CAPTURE(size);
                const auto many = walk.get(Walk::asked(path) + "per_page=" + size, walk.admin());
                CHECK(many.status == 200);
                CHECK(many.body["meta"]["per_page"].integer() == 100);
                CHECK(static_cast<std::int64_t>(many.data().size()) == std::min<std::int64_t>(total, 100));
            }
            for (const char* page : {"4000", "2147483647"}) {
                CAPTURE(page);
                const auto past = walk.get(Walk::asked(path) + "per_page=20&page=" + page, walk.admin());
                CHECK(past.status == 200);
                CHECK(past.data().is_array());
                CHECK(past.data().size() == 0);
                CHECK(past.body["meta"]["total"].integer() == total);
            }
        });
    });
}

TEST_CASE("every list refuses what is no page, size, order, key or status, by name") {
    on_sqlite([](Walk& walk) {
        walk.fill();
        each_list(walk, [&](const api::RouteSpec& route, const std::string& path) {
            std::vector<std::pair<std::string, std::string>> wrong{
                {"per_page", "0"}, {"per_page", "-1"},   {"per_page", "x"},      {"page", "0"},
                {"page", "-1"},    {"page", "1.5"},      {"page", "2147483648"}, {"page", "99999999999999999999"},
                {"order", "x"},    {"orderby", "x;drop"}};
            if (!route.statuses.empty())
                wrong.emplace_back("status", "x");
            for (const auto& [name, value] : wrong) {
                CAPTURE(name);
                CAPTURE(value);
                const auto answered = walk.get(Walk::asked(path) + "" + name + "=" + encoded(value), walk.admin());
                CHECK(answered.status == 400);
                CHECK(answered.code() == "svc_validation_error");
                CHECK(answered.field() == name);
            }
        });
    });
}

TEST_CASE("every list sorts by each of its keys, both ways, and every status can be asked for") {
    each_walk([](Walk& walk) {
        walk.fill();
        int keys = 0;
        each_list(walk, [&](const api::RouteSpec& route, const std::string& path) {
            CHECK_FALSE(route.sortable.empty());
            const auto all = ids_of(walk.get(Walk::asked(path) + "per_page=100", walk.admin()));
            for (const auto& key : route.sortable)
                for (const char* order : {"asc", "desc", "DESC"}) {
                    CAPTURE(key);
                    CAPTURE(order);
                    const auto sorted =
                        walk.get(Walk::asked(path) + "per_page=100&orderby=" + key + "&order=" + order, walk.admin());
                    CHECK(sorted.status == 200);
                    CHECK(ids_of(sorted) == all);
                    ++keys;
                }
            for (const auto& status : route.statuses) {
                CAPTURE(status);
                const auto some = walk.get(Walk::asked(path) + "per_page=100&status=" + status, walk.admin());
                CHECK(some.status == 200);
                REQUIRE(some.data().is_array());
                for (const auto& item : some.data().items())
                    if (item.find("is_active"))  // a rule in few words
                        CHECK(item["is_active"].boolean() == (status == "active"));
                    else  // a traveler's is its booking's
                        CHECK(item.text_or(item.find("status") ? "status" : "booking_status") == status);
            }
            CHECK(walk.get(Walk::asked(path) + "status=all", walk.admin()).status == 200);
        });
        std::cout << "figure: sorted lists " << keys << std::endl;
    });
}

TEST_CASE("every list refuses as from and to what is no day, no moment and no period, by name") {
    on_sqlite([](Walk& walk) {
        walk.fill();
        each_list(walk, [&](const api::RouteSpec&, const std::string& path) {
            const std::pair<const char*, const char*> wrong[] = {
                {"from", "from=x"}, {"to", "to=2001-02-30"}, {"from", "from=2100-01-01&to=1990-01-01"}};
            for (const auto& [field, query] : wrong) {
                CAPTURE(query);
                const auto answered = walk.get(Walk::asked(path) + query, walk.admin());
                CHECK(answered.status == 400);
                CHECK(answered.field() == field);
            }
        });
    });
}

TEST_CASE("bookings, payments, discounts and travelers are listed by the days or moments they were made in") {
    each_walk([](Walk& walk) {
        walk.fill();
        for (const std::string path : {"/bookings", "/payments", "/discounts", "/travelers"}) {
            CAPTURE(path);
            const auto total = [&](const std::string& query) {
                const auto answered = walk.get(path + query, walk.admin());
                REQUIRE(answered.status == 200);
                return answered.body["meta"]["total"].integer();
            };
            const auto all = total("");
            CHECK(all > 0);
            CHECK(total("?from=2001-01-01&to=" + walk.day(2)) == all);
            CHECK(total("?to=2001-01-01") == 0);
            CHECK(total("?date_to=2001-01-01") == 0);
            CHECK(total("?from=" + walk.day(2)) == 0);
            CHECK(total("?from=2001-01-01T00:00:00Z&to=2001-01-02T10:00:00%2B02:00") == 0);
            CHECK(total("?from=2001-01-01T00:00:00Z") == all);
            const std::pair<const char*, const char*> wrong[] = {{"from", "?from=yesterday"},
                                                                 {"from", "?from=2001-02-30"},
                                                                 {"to", "?to=2001-01-01T25:00:00Z"},
                                                                 {"from", "?from=2001-01-02&to=2001-01-01"}};
            for (const auto& [field, query] : wrong) {
                CAPTURE(query);
                const auto answered = walk.get(path + query, walk.admin());
                CHECK(answered.status == 400);
                CHECK(answered.field() == field);
            }
        }
    });
}

TEST_CASE("every route that answers a list returns its totals, in meta and in the two headers") {
    each_walk([](Walk& walk) {
        walk.fill();
        int lists = 0;
        for (const auto& route : walk.routes()) {
            if (route->method != api::Method::get || route->answer.shape != api::Shape::list)
                continue;
            CAPTURE(route->path);
            const auto answered = walk.get(walk.existing(*route), walk.admin());
            if (answered.status != 200 || !answered.data().is_array())
                continue;  // wants more of its query; each of these is a list of its own test
            const json::Value& meta = answered.body["meta"];
            REQUIRE(meta.is_object());
            CHECK(answered.header("X-Host-Total") == std::to_string(meta["total"].integer()));
            CHECK(answered.header("X-Host-TotalPages") == std::to_string(meta["total_pages"].integer()));
            CHECK(meta["total"].integer() >= static_cast<std::int64_t>(answered.data().size()));
            ++lists;
        }
        CHECK(lists >= 25);
    });
}

TEST_CASE("every list takes from and to, and both narrow it") {
    each_walk([](Walk& walk) {
        walk.fill();
        each_list(walk, [&](const api::RouteSpec& route, const std::string& path) {
            CHECK(route.query.find("from"));
            CHECK(route.query.find("to"));
            const auto total = [&](const std::string& period) {
                return walk.get(Walk::asked(path) + period, walk.admin()).body["meta"]["total"].integer();
            };
            CHECK(total("to=1971-01-01") == 0);
            CHECK(total("from=1971-01-01") == total(""));
            // A rule without an end is in force for ever.
            if (path.find("recurring") == std::string::npos)
                CHECK(total("from=9000-01-01") == 0);
        });
    });
}

TEST_CASE("every list whose items say when they were changed can be read by its changes since a moment") {
    each_walk([](Walk& walk) {
        walk.fill();
        int lists = 0;
        each_list(walk, [&](const api::RouteSpec& route, const std::string& path) {
            const auto first = walk.get(Walk::asked(path) + "per_page=1", walk.admin());
            REQUIRE(first.data().size() == 1);
            // The public list is answered from memory, in its own orders; its ETag shows whether anything changed.
            if (!first.data()[0].find("updated_at") || route.path == "/trips/public")
                return;
            ++lists;
            const auto all = first.body["meta"]["total"].integer();
            const auto total = [&](const std::string& since) {
                const auto answered = walk.get(Walk::asked(path) + "updated_since=" + since, walk.admin());
                REQUIRE(answered.status == 200);
                CHECK(static_cast<std::int64_t>(answered.data().size()) <= answered.body["meta"]["total"].integer());
                return answered.body["meta"]["total"].integer();
            };
            CHECK(total("2001-01-01") == all);
            CHECK(total("2001-01-01T00:00:00Z") == all);
            CHECK(total("9000-01-01") == 0);
            const auto refused = walk.get(Walk::asked(path) + "updated_since=yesterday", walk.admin());
            CHECK(refused.status == 400);
            CHECK(refused.field() == "updated_since");

            const auto ordered =
                walk.get(Walk::asked(path) + "per_page=100&orderby=updated_at&order=asc", walk.admin());
            REQUIRE(ordered.status == 200);
            std::vector<std::string> moments;
            for (const auto& item : ordered.data().items())
                moments.push_back(item["updated_at"].text());
            CHECK(std::is_sorted(moments.begin(), moments.end()));
            if (moments.empty())
                return;
            // From the last change on, that change is still answered, so that none is missed between two calls.
            const auto latest = std::count(moments.begin(), moments.end(), moments.back());
            if (static_cast<std::int64_t>(moments.size()) == all)
                CHECK(total(moments.back()) >= latest);
        });
        std::cout << "figure: lists by their changes " << lists << std::endl;
        CHECK(lists >= 18);
    });
}

TEST_CASE("every list answers a page of at most 100 when no size is named") {
    on_sqlite([](Walk& walk) {
        walk.fill();
        each_list(walk, [&](const api::RouteSpec&, const std::string& path) {
            const auto answered = walk.get(path, walk.admin());
            REQUIRE(answered.status == 200);
            CHECK(answered.body["meta"]["per_page"].integer() <= 100);
            CHECK(answered.body["meta"]["per_page"].integer() >= 10);
        });
    });
}
