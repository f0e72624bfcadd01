// What an author of a client finds out from the interface alone: misspelt keys, reasons, countries, examples.
#include <algorithm>
#include <iostream>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// The example of a success, behind its reference where several routes share the answer.
Value operation_example(const Value& document, const Value& operation, int status) {
    Value answer = operation["responses"][std::to_string(status)];
    if (const std::string reference = answer.text_or("$ref"); !reference.empty())
        answer = document["components"]["responses"][reference.substr(reference.rfind('/') + 1)];
    return answer["content"]["application/json"]["example"];
}

}  // namespace

TEST_CASE("keys of a body that no field has are named in a Warning header, at any depth, and change nothing") {
    each_walk([](Walk& walk) {
        walk.fill();
        const std::string path = "/trips/" + std::to_string(walk.trip);
        const auto warned = [&](const char* body) {
            const auto answered = walk.call("PUT", path, body, walk.admin());
            CHECK(answered.status == 200);
            return answered.header("Warning");
        };
        CHECK(warned(R"({"titel":"Desert week","summary":"A week."})") ==
              "299 - \"Ignored unknown keys of the body: titel\"");
        CHECK(warned(R"({"summary":"A week."})").empty());
        CHECK(warned(R"({"faqs":[{"question":"When?","answer":"In May.","anwser":"x"}]})").find("faqs.0.anwser") !=
              std::string::npos);
        // Neither a name for the header nor one without an end is passed on as it was sent.
        const std::string odd = warned("{\"a\\r\\nSet-Cookie: b\":1}");
        CHECK(odd.find('\n') == std::string::npos);
        CHECK(odd.find(':') == odd.rfind(':'));
        Value many = Value::object();
        for (int i = 0; i < 1000; ++i)
            many.set(std::string(180, 'x') + std::to_string(i), 1);
        CHECK(warned(many.dump().c_str()).size() < 1000);
    });
}

TEST_CASE("a session whose date cannot be booked says why, and one that can be has a price and no reason") {
    each_walk([](Walk& walk) {
        const auto trip = walk.given_trip();
        walk.given_departure(trip, 30, 10);
        const auto opened = [&](const std::string& day) {
            const auto answered =
                walk.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", day}}));
            REQUIRE(answered.status == 201);
            return answered.data();
        };
        const Value past = opened("2020-01-01");
        CHECK(past["quote"].is_null());
        CHECK_FALSE(past["quote_error"].text_or("code").empty());
        CHECK_FALSE(past["quote_error"].text_or("message").empty());
        const Value open = opened(walk.day(30));
        CHECK(open["quote"].is_object());
        CHECK(open["quote_error"].is_null());
        const auto undecided = walk.post("/booking/session", Value::object({{"trip_id", trip}}));
        CHECK(undecided.data()["quote"].is_null());
        CHECK(undecided.data()["quote_error"].is_null());
    });
}

TEST_CASE(
    "a country is taken by its code or its name, stored as its code, and refused by its field when there is none") {
    each_walk([](Walk& walk) {
        const auto trip = walk.given_trip();
        walk.given_departure(trip, 30, 20);
        const auto book = [&](const char* country) {
            return walk.book(trip, 30, Value::object({{"contact_country", country}}));
        };
        const auto refused = book("Atlantis");
        CHECK(refused.status == 400);
        CHECK(refused.field() == "contact_country");
        for (const auto& [sent, stored] :
             {std::pair("Germany", "DE"), {"deutschland", "DE"}, {"gbr", "GB"}, {"FR", "FR"}}) {
            CAPTURE(sent);
            const auto booked = book(sent);
            REQUIRE(booked.status == 201);
            const auto id = std::to_string(booked.data()["booking_id"].integer());
            CHECK(walk.get("/bookings/" + id, walk.admin()).data()["contact"]["country"].text() == stored);
            const auto changed = walk.call("PUT", "/bookings/" + id, R"({"contact_country":"Atlantis"})", walk.admin());
            CHECK(changed.status == 400);
            CHECK(changed.field() == "contact_country");
            CHECK(walk.call("PUT", "/bookings/" + id, R"({"contact_country":"Spanien"})", walk.admin())
                      .data()["contact"]["country"]
                      .text() == "ES");
        }
        const auto session = walk.post("/booking/session", Value::object({{"trip_id", trip}, {"country", "Atlantis"}}));
        CHECK(session.status == 400);
        CHECK(session.field() == "country");
    });
}

TEST_CASE(
    "OpenAPI declares the limit of a page, codes of errors, headers of guests and limits, and an example a body") {
    on_sqlite([](Walk& walk) {
        walk.fill();
        const Value document = walk.get("/openapi.json").body;
        const auto codes = document["components"]["schemas"]["ErrorCode"]["enum"];
        CHECK(codes.size() > 60);
        CHECK(document["components"]["schemas"]["Error"]["properties"]["code"]["$ref"].text() ==
              "#/components/schemas/ErrorCode");
        const std::string text = document.dump();
        for (const char* part : {"\"X-Svc-Session\"", "\"X-Svc-Booking-Token\"", "\"RateLimit-Remaining\"",
                                 "\"Retry-After\"", "\"maximum\":100"})
            CHECK(text.find(part) != std::string::npos);

        // Each example fits its route: it is sent, and nothing that the schema declares refuses it.
        int bodies = 0, answers = 0, accepted = 0;
        for (const auto& route : walk.routes()) {
            const std::string name = Walk::name_of(*route);
            CAPTURE(name);
            std::string method{api::name_of(route->method)};
            std::transform(method.begin(), method.end(), method.begin(),
                           [](char c) { return static_cast<char>(c | 32); });
            const Value operation = document["paths"][route->path][method];
            if (!operation.is_object())
                continue;
            if (const Value example = operation["requestBody"]["content"]["application/json"]["example"];
                example.is_object()) {
                CHECK(route->body.check(example));
                const auto answered = walk.call(api::name_of(route->method), Walk::missing(*route), example.dump(),
                                                walk.admin_of(*route));
                // A route that asks a partner says that it is out of reach.
                CHECK((answered.status < 500 || answered.status == errc::upstream_error.status));
                CHECK(answered.code() != "svc_invalid_json");
                accepted += answered.status < 300;
                ++bodies;
            } else {
                CHECK((route->body.empty() || route->raw_body_only || route->free_body));
            }
            if (!route->enveloped)
                continue;
            const auto fits =
                route->answer.check(operation_example(document, operation, route->success)["data"], "data");
            CHECK_MESSAGE(fits, (fits ? std::string()
                                      : fits.error().fields().front().field + ": " + fits.error().message().english()));
            ++answers;
        }
        std::cout << "figure: examples of bodies " << bodies << ", accepted as they are " << accepted << ", of answers "
                  << answers << std::endl;
        CHECK(bodies > 100);
        CHECK(answers > 250);
    });
}

TEST_CASE(
    "the page of the interface explains access, errors, lists, limits, dates and money, with examples of answers") {
    on_sqlite([](Walk& walk) {
        const std::string page = walk.get("/docs").text;
        // Each section explains: these names and values stand in it, and not only its heading.
        const std::pair<const char*, std::vector<const char*>> sections[] = {
            {"access",
             {"HTTP Basic", "application password", "curl -u", "/auth/login", "X-Host-Nonce", "/auth/nonce",
              "X-Svc-Session", "X-Svc-Booking-Token", "401", "403"}},
            {"answers", {"\"success\": true", "data.errors", "contact_email", "from 0", "X-Request-Id"}},
            {"lists", {"per_page", "orderby", "X-Host-Total", "updated_since", "curl -u"}},
            {"repeating", {"Idempotency-Key", "24 hours", "422", "ETag", "If-Match", "409", "304"}},
            {"limits", {"RateLimit-Remaining", "RateLimit-Reset", "429", "Retry-After"}},
            {"dates", {"YYYY-MM-DD", "HH:MM", "site's time zone", "RFC 3339", "Z</code>"}},
            {"money", {"JSON numbers", "currency", "1299.5", "binary floats"}},
            {"changes", {"Deprecation", "notices"}}};
        for (const auto& [anchor, explained] : sections) {
            CAPTURE(anchor);
            CHECK(page.find("href=\"#" + std::string(anchor) + "\"") != std::string::npos);
            const auto begin = page.find("<h2 id=\"" + std::string(anchor) + "\">");
            REQUIRE(begin != std::string::npos);
            const std::string section = page.substr(begin, page.find("<h2", begin + 1) - begin);
            for (const char* words : explained) {
                CAPTURE(words);
                CHECK(section.find(words) != std::string::npos);
            }
        }
        CHECK(page.find("<pre class=\"answer\"") != std::string::npos);
        CHECK(page.find("updated_since") != std::string::npos);
    });
}
