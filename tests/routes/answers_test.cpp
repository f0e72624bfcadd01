// What routes tell of themselves, and whether their answers are what they declare.
#include <fstream>
#include <iostream>
#include <set>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::set<std::string> released_versions() {
    std::ifstream in(SVC_SOURCE_DIR "/CHANGELOG.md");
    std::set<std::string> versions;
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("## "))
            versions.insert(line.substr(3, line.find(' ', 3) - 3));
    return versions;
}

}  // namespace

TEST_CASE("every route has a summary that is a sentence and a version that the changelog knows") {
    on_sqlite([](Walk& walk) {
        const auto versions = released_versions();
        REQUIRE_FALSE(versions.empty());
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            CHECK(versions.contains(route->since));
            CHECK(route->summary.size() > 10);
            CHECK(route->summary.ends_with('.'));
            for (const auto& schema : {route->query, route->body})
                for (const auto& field : schema.fields()) {
                    CAPTURE(field.name);
                    CHECK((field.says.empty() || field.says.ends_with('.')));
                }
        }
    });
}

TEST_CASE("every read answers what its route declares") {
    each_walk([](Walk& walk) {
        walk.fill();
        const auto session =
            walk.post("/booking/session", json::Value::object({{"trip_id", walk.trip}, {"travel_date", walk.day(30)}}));
        REQUIRE(session.status == 201);
        int reads = 0;
        for (const auto& route : walk.routes()) {
            if (Walk::writes(*route))
                continue;
            CAPTURE(route->path);
            // A nonce is a cookie session's; a checkout session is whose secret is sent.
            const auto visitor = (route->path == "/auth/nonce" ? walk.cookie("administrator", true) : walk.admin())
                                     .with("X-Svc-Session", session.data().text_or("session_id"));
            const auto answered = walk.get(walk.existing(*route), visitor);
            CAPTURE(answered.text);
            CHECK(answered.status == route->success);
            if (answered.body["success"].is_null())
                continue;  // a document, not an envelope
            const auto checked = route->answer.check(answered.data(), "data");
            if (!checked) {
                CAPTURE(checked.error().fields().front().field);
                FAIL_CHECK(checked.error().message());
            }
            CHECK((route->is_list ? route->answer.shape == api::Shape::list : true));
            ++reads;
        }
        std::cout << "declared answers: " << reads << std::endl;
        CHECK(reads > 15);
    });
}

TEST_CASE("every answer forbids sniffing and carries a request id") {
    on_sqlite([](Walk& walk) {
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const auto answered = walk.call(api::name_of(route->method), Walk::missing(*route));
            CHECK(answered.header("X-Content-Type-Options") == "nosniff");
            CHECK(answered.header("X-Request-Id").size() >= 8);
            if (answered.status >= 400) {
                CHECK(answered.header("Cache-Control") == "no-store");
                CHECK(answered.body["data"]["status"].integer() == answered.status);
            }
        }
    });
}
