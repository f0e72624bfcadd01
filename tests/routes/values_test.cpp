// A call by values and a request of a socket pass one gate: the same answer, whoever asks for whatever.
#include <algorithm>
#include <iostream>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

using json::Value;

// Names with values that differ from one moment or request to the next are left out, and that one.
Value lasting(const Value& value, std::string_view but = {}) {
    constexpr std::string_view passing[] = {"log_id", "retry_after"};
    if (value.is_array())
        return json::array_of(value.items(), [&](const Value& each) { return lasting(each, but); });
    if (!value.is_object())
        return value;
    Value kept = Value::object();
    for (const auto& [name, member] : value.members())
        if (name != but && std::find(std::begin(passing), std::end(passing), name) == std::end(passing))
            kept.set(name, lasting(member, but));
    return kept;
}

// The names in it at every depth, for what is another one each time.
std::string shape_of(const Value& value) {
    std::string shape;
    if (value.is_object())
        for (const auto& [name, member] : value.members())
            shape += name + "{" + shape_of(member) + "}";
    if (value.is_array() && value.size() > 0)
        shape += "[" + shape_of(value[0]) + "]";
    return shape;
}

// Of these headers sockets and caches of the web alone have a use, or each answer has its own.
bool is_of_transport(const std::string& name) {
    constexpr std::string_view known[] = {"ETag",
                                          "Cache-Control",
                                          "Vary",
                                          "Content-Encoding",
                                          "X-Request-Id",
                                          "RateLimit-Remaining",
                                          "RateLimit-Limit",
                                          "RateLimit-Reset",
                                          "Last-Modified",
                                          "Link",
                                          "Set-Cookie",
                                          "Content-Disposition"};
    return std::find(std::begin(known), std::end(known), name) != std::end(known);
}

std::vector<HttpHeader> plain_headers(const Answered& answered) {
    std::vector<HttpHeader> kept;
    for (const HttpHeader& each : answered.headers)
        if (!is_of_transport(each.first))
            kept.push_back(each);
    std::sort(kept.begin(), kept.end());
    return kept;
}

struct Compared {
    int cells = 0, whole = 0;
};

void compare(Walk& walk, const api::RouteSpec& route, const std::string& path, const Visitor& visitor,
             Compared& compared) {
    const auto method = api::name_of(route.method);
    const std::string body = Walk::takes_json(route) ? "{}" : "";
    const Value value = body.empty() ? Value() : Value::object();
    const Answered first = walk.TestBase::call(method, path, body, visitor),
                   by_value = walk.call_by_value(method, path, value, visitor);
    ++compared.cells;
    if (Walk::writes(route) && first.status < 400)
        return;  // what was written is there already at the second call
    CHECK(by_value.status == first.status);
    if (by_value.status != first.status) {
        MESSAGE(first.text.substr(0, 300) << " / " << by_value.text.substr(0, 300));
        return;
    }
    CHECK(plain_headers(by_value) == plain_headers(first));
    if (first.body.is_null() && by_value.body.is_null()) {
        CHECK(by_value.text.empty() == first.text.empty());
        return;  // documents and files
    }
    if (lasting(by_value.body) == lasting(first.body)) {
        ++compared.whole;
        return;
    }
    const Answered second = walk.TestBase::call(method, path, body, visitor);
    CAPTURE(first.text.substr(0, 2000));
    CAPTURE(by_value.text.substr(0, 2000));
    if (lasting(second.body) == lasting(first.body))
        CHECK(lasting(by_value.body) == lasting(first.body));
    else
        CHECK(shape_of(by_value.body) == shape_of(first.body));
}

}  // namespace

TEST_CASE("every route answers every kind of caller alike, by a socket and by values") {
    on_sqlite([](Walk& walk) {
        walk.fill();
        walk.leaves_what_holds = false;
        const auto other = walk.given_booking(walk.trip, 30, "Hopper");
        const auto guest = [](const std::string& token) { return Visitor{}.with("X-Svc-Booking-Token", token); };
        const std::pair<const char*, Visitor> callers[] = {
            {"a stranger", {}},
            {"the booking's guest", guest(walk.booking.token)},
            {"another booking's guest", guest(other.token)},
            {"a customer", walk.user("svc_customer")},
            {"a guide", walk.user("guide")},
            {"the administrator", walk.admin()},
            {"the administrator's cookie without nonce", walk.cookie("administrator", false)},
            {"a wrong nonce", walk.cookie("administrator", false).with("X-Host-Nonce", "wrong")},
            {"a revoked password", walk.revoked("administrator")}};
        Compared compared;
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            for (const auto& [who, visitor] : callers) {
                CAPTURE(who);
                // Strangers' limits by address and the uses of a credential have tests of their own.
                const Visitor caller = visitor.user_id > 0 && route->limit.burst > 0 &&
                                               visitor.user_id == walk.admin().user_id && !visitor.headers.empty() &&
                                               visitor.headers[0].first == "Authorization" &&
                                               visitor.headers == walk.admin().headers
                                           ? walk.admin_of(*route)
                                           : visitor;
                compare(walk, *route, Walk::missing(*route), caller, compared);
                if (!Walk::writes(*route))
                    compare(walk, *route, walk.existing(*route), caller, compared);
            }
        }
        std::cout << "figure: by values as by a socket: " << walk.routes().size() << " routes, " << std::size(callers)
                  << " callers, " << compared.cells << " answers, " << compared.whole << " of them equal in each member"
                  << std::endl;
        CHECK(compared.cells > 3000);
        CHECK(compared.whole > compared.cells / 2);
    });
}

TEST_CASE("what a page asks for is alike as text, as values and as values that memory holds") {
    on_sqlite([](Walk& walk) {
        walk.fill();
        const std::string trip = std::to_string(walk.trip);
        for (const std::string& target :
             {std::string("/trips/public"), std::string("/trips/public?facets=1&per_page=2&orderby=title&order=asc"),
              std::string("/trips/public?per_page=2&page=2"), std::string("/trips/public?search=nile&facets=1"),
              std::string("/trips/public?per_page=nonsense&page=0"), "/trips/public?include=" + trip,
              std::string("/trips/public/nile-cruise"), std::string("/trips/public/nowhere"),
              "/trips/" + trip + "/available-dates", "/trips/" + trip + "/available-dates?travelers=3",
              "/trips/" + trip + "/available-dates?from_date=nonsense", "/booking/trip/" + trip,
              "/trips/" + trip + "/reviews", std::string("/payment/gateways"), std::string("/attributes/frontend")}) {
            CAPTURE(target);
            const auto text = walk.TestBase::call("GET", target);
            for (const bool takes_held : {true, false}) {
                const auto value = walk.call_by_value("GET", target, {}, {}, takes_held);
                CHECK(value.status == text.status);
                // A gateway's pay_by counts from the moment of the answer.
                CHECK(lasting(value.body, "pay_by") == lasting(text.body, "pay_by"));
                CHECK(shape_of(value.body) == shape_of(text.body));
                CHECK(value.header("X-Host-Total") == text.header("X-Host-Total"));
                CHECK(value.header("Link") == text.header("Link"));
            }
        }
    });
}

TEST_CASE("a value's body is judged as a text's: depth, length, and what is no object") {
    on_sqlite([](Walk& walk) {
        Value deep = Value::object();
        for (int i = 0; i < 40; ++i)
            deep = Value::object({{"a", std::move(deep)}});
        for (const Value& body :
             {Value::object({{"title", std::string(70'000, 'x')}}), Value::object({{"title", std::string("a\0b", 3)}}),
              Value::array(), Value("text"), deep, Value::object({{"title", "\xff"}}),
              Value::object({{"title", 5}, {"nothing_such", 1}}), Value::object({{"faqs", Value::array({7})}})}) {
            CAPTURE(body.dump().substr(0, 100));
            const auto text = walk.TestBase::call("POST", "/trips", body.dump(), walk.admin()),
                       value = walk.call_by_value("POST", "/trips", body, walk.admin());
            const bool is_text_mended = body["title"].is_string() && body["title"].text() == "\xff";
            CHECK(value.status == (is_text_mended ? 400 : text.status));
            if (is_text_mended)  // written as U+FFFD, it was another body
                continue;
            CHECK(value.code() == text.code());
            CHECK(value.field() == text.field());
            CHECK(value.header("Warning") == text.header("Warning"));
        }
    });
}

TEST_CASE("a key makes a write once, whichever way it comes") {
    each_walk([](Walk& walk) {
        const Value body = Value::object({{"title", "Desert night"}});
        const auto keyed = walk.admin().with("Idempotency-Key", "by-values");
        const auto made = walk.call_by_value("POST", "/trips", body, keyed);
        REQUIRE(made.status == 201);
        const auto again = walk.call_by_value("POST", "/trips", body, keyed),
                   by_text = walk.TestBase::call("POST", "/trips", body.dump(), keyed);
        CHECK(again.data()["id"] == made.data()["id"]);
        CHECK(by_text.data()["id"] == made.data()["id"]);
        CHECK(walk.call_by_value("POST", "/trips", Value::object({{"title", "Other"}}), keyed).status == 422);
        CHECK(walk.number("SELECT COUNT(*) FROM svc_trips WHERE title = 'Desert night'") == 1);
    });
}
