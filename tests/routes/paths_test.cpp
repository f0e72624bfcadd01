// Addresses and methods that no route has.
#include <iostream>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("what is no id of ours is not found, on every route with an id") {
    on_sqlite([](Walk& walk) {
        int tried = 0;
        for (const auto& route : walk.routes())
            for (auto at = route->path.find('{'); at != std::string::npos; at = route->path.find('{', at + 1)) {
                const auto end = route->path.find('}', at);
                const auto name = route->path.substr(at + 1, end - at - 1);
                if (name != "id" && !name.ends_with("_id"))
                    continue;
                for (const char* id : {"12abc", "+12", "%2B12", "-1", "012", "0", "1.0", "1e3", "9223372036854775808",
                                       "99999999999999999999", "%31%00", "%27", "12%20", "%D9%A1"}) {
                    auto broken = *route;
                    broken.path.replace(at, end - at + 1, id);
                    const auto target = Walk::missing(broken);
                    CAPTURE(target);
                    const auto answered = walk.call(api::name_of(route->method), target, {}, walk.admin());
                    CHECK(answered.status == 404);
                    // The id of a job or of an audience is a text: letters, digits, "_" and "-" are one that there is
                    // not.
                    const bool is_one = (name == "job_id" || name == "list_id") &&
                                        std::string_view(id).find_first_of("+%.") == std::string::npos;
                    CHECK(answered.code() == (is_one ? "svc_not_found" : "svc_no_route"));
                    ++tried;
                }
            }
        std::cout << "figure: broken ids " << tried << std::endl;
        CHECK(tried > 100);
    });
}

TEST_CASE(
    "HEAD exists wherever GET does, PATCH wherever PUT does, OPTIONS lists both, and other methods are rejected") {
    on_sqlite([](Walk& walk) {
        walk.fill();
        for (const auto& route : walk.routes()) {
            CAPTURE(route->path);
            const auto path = Walk::missing(*route);
            const auto method = api::name_of(route->method);
            if (method == "GET") {
                CHECK(walk.call("HEAD", path, {}, walk.admin()).status == walk.get(path, walk.admin()).status);
            }
            const auto options = walk.call("OPTIONS", path);
            CHECK(options.status == 204);
            const auto allow = options.header("Allow");
            CAPTURE(allow);
            CHECK(allow.find(method) != std::string::npos);
            CHECK(allow.find("OPTIONS") != std::string::npos);
            CHECK((allow.find("HEAD") != std::string::npos) == (allow.find("GET") != std::string::npos));
            CHECK((allow.find("PATCH") != std::string::npos) == (allow.find("PUT") != std::string::npos));
            for (const char* unknown : {"BREW", "TRACE", "get", "DELETE", "PUT", "PATCH", "POST"}) {
                if (allow.find(unknown) != std::string::npos)
                    continue;
                CAPTURE(unknown);
                const auto answered = walk.call(unknown, path, {}, walk.admin());
                CHECK((answered.status == 405 || answered.status == 501));
                if (answered.status == 405)
                    CHECK(answered.header("Allow") == allow);
            }
        }
        CHECK(walk.call("OPTIONS", "/no/such/route").status == 404);
        CHECK(walk.get("/trips/", walk.admin()).code() == "svc_no_route");
        CHECK(walk.get("//trips", walk.admin()).code() == "svc_no_route");
    });
}
