// Bodies that are no JSON, too deep, too long or of another type: refused alike by every route that writes.
#include <algorithm>
#include <iostream>

#include "shared/api/forms.hpp"
#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::string nested(std::size_t depth) { return R"({"a":)" + std::string(depth, '[') + std::string(depth, ']') + "}"; }

const std::vector<std::string>& broken_bodies() {
    static const std::vector<std::string> bodies{"{",
                                                 R"({"a":)",
                                                 R"({"a":1,})",
                                                 R"({"a":1,"a":2})",
                                                 R"({"a":"x","\u0061":"y"})",
                                                 "{\"a\":\"\xff\xfe\"}",
                                                 "{\"a\":\"\xc0\xaf\"}",
                                                 R"({"a":"\ud800"})",
                                                 R"({"a":"\u0000"})",
                                                 R"({"a":NaN})",
                                                 R"({"a":01})",
                                                 "{'a':1}",
                                                 R"({"a":1} {"b":2})",
                                                 "[]",
                                                 "1",
                                                 "null",
                                                 "\"text\"",
                                                 " ",
                                                 nested(64),
                                                 nested(100'000)};
    return bodies;
}

// With a text that is longer than any that the route takes.
std::string with_long_text(const api::RouteSpec& route) {
    std::size_t longest = 70'000;
    for (const api::Field& field : route.body.fields())
        longest = std::max(longest, field.type.longest + 1);
    return R"({"a":")" + std::string(longest, 'x') + "\"}";
}

}  // namespace

TEST_CASE("a body that is no JSON object is svc_invalid_json on every route, and nothing is stored") {
    on_sqlite([](Walk& walk) {
        const auto before = walk.row_counts();
        int refused = 0;
        for (const auto& route : walk.routes()) {
            if (!Walk::takes_json(*route))
                continue;
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            // Required parameters of the query are reported before those of the body.
            const auto& asked = route->query.fields();
            const auto needed =
                std::find_if(asked.begin(), asked.end(), [](const api::Field& field) { return field.required; });
            const std::string first = needed == asked.end() ? "a" : needed->name;
            auto bodies = broken_bodies();
            bodies.push_back(with_long_text(*route));
            for (const auto& body : bodies) {
                const std::string shown = body.substr(0, 40);
                CAPTURE(shown);
                const auto answered =
                    walk.call(api::name_of(route->method), Walk::missing(*route), body, walk.admin_of(*route));
                CHECK(answered.status == 400);
                // Well-formed, with a value that does not fit: that one is named.
                const bool misfit = body.starts_with(R"({"a":"\u0000)") || body.starts_with(R"({"a":"xxx)");
                CHECK(answered.code() == (misfit ? "svc_validation_error" : "svc_invalid_json"));
                CHECK(answered.field() == (misfit ? first : ""));
                ++refused;
            }
        }
        auto after = walk.row_counts();
        for (const char* own : {"svc_rate_limits", "svc_application_passwords"})  // the walk's own
            after[own] = before.at(own);
        for (const auto& [table, rows] : after) {
            CAPTURE(table);
            CHECK(rows == before.at(table));
        }
        std::cout << "figure: broken bodies " << refused << std::endl;
    });
}

TEST_CASE("a body beyond the route's limit is 413, and another type than JSON, or a page's form, is 415") {
    on_sqlite([](Walk& walk) {
        const std::string two_megabytes = R"({"a":")" + std::string(2U << 20U, 'x') + "\"}";
        const auto before = walk.row_counts();
        for (const auto& route : walk.routes()) {
            if (!Walk::takes_json(*route))
                continue;
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const auto method = api::name_of(route->method);
            const auto path = Walk::missing(*route);
            const auto long_one = walk.call(method, path, two_megabytes, walk.admin());
            CHECK(long_one.status == 413);
            CHECK(long_one.code() == "svc_payload_too_large");
            for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}) {
                CAPTURE(type);
                const bool is_read =
                    api::takes_forms(*route) && type == std::string_view("application/x-www-form-urlencoded");
                CHECK(walk.call(method, path, "{}", walk.admin().with("Content-Type", type)).status ==
                      (is_read ? 400 : 415));
            }
        }
        auto after = walk.row_counts();
        after["svc_rate_limits"] = before.at("svc_rate_limits");
        CHECK(before == after);
    });
}
