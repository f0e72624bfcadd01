// Refusals in the language of the caller, of every route that there is.
#include <iostream>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// The words of specification 7, which stay as they are.
bool is_literal(const std::string& sentence) {
    return sentence == "Invalid event key" || sentence == "Failed to update enquiry.";
}

// Its message, and the sentences at its fields.
std::vector<std::string> sentences_of(const Answered& refused) {
    std::vector<std::string> all{refused.body.text_or("message")};
    if (const Value& errors = refused.body["data"]["errors"]; errors.is_object())
        for (const auto& [field, sentences] : errors.members())
            for (const Value& each : sentences.items())
                all.push_back(each.text());
    return all;
}

struct Tally {
    int refused = 0, of_pro = 0, sentences = 0;
};

// A route's refusal by an administrator, in English and in German.
void compare(Walk& walk, const api::RouteSpec& route, const std::string& target, const std::string& body,
             Tally& tally) {
    const std::string method(api::name_of(route.method));
    const Answered english = walk.call(method, target, body, walk.admin_of(route));
    const Answered german = walk.call(method, target, body, walk.admin_of(route).with("Accept-Language", "de"));
    if (english.status < 400 || german.status != english.status || german.code() != english.code())
        return;
    CAPTURE(Walk::name_of(route));
    CAPTURE(body);
    const auto before = sentences_of(english), after = sentences_of(german);
    REQUIRE(before.size() == after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        if (!is_literal(before[i])) {
            CHECK(before[i] != after[i]);
            ++tally.sentences;
        }
    ++tally.refused;
    tally.of_pro += route.module.empty() ? 0 : 1;
}

// Each required field is missing; an optional one has a value of no kind.
std::string spoilt(const api::RouteSpec& route) {
    Value body = Value::object();
    for (const api::Field& field : route.body.fields())
        if (!field.required)
            body.set(field.name, Value::array({Value::object({{"x", Value::array()}})}));
    return body.dump();
}

}  // namespace

TEST_CASE("no English sentence is left in what refuses a German administrator, of the base and of Pro") {
    on_sqlite([](Walk& walk) {
        REQUIRE(walk.routes().size() > 300);
        Tally tally;
        for (const auto& route : walk.routes()) {
            const std::string target = Walk::missing(*route);
            if (Walk::takes_json(*route))
                compare(walk, *route, target, spoilt(*route), tally);
            else if (target.find("999") != std::string::npos || route->path.find('{') != std::string::npos)
                compare(walk, *route, target, {}, tally);
        }
        std::cout << tally.refused << " refusals, " << tally.of_pro << " of modules, " << tally.sentences
                  << " sentences\n";
        CHECK(tally.refused > 200);
        CHECK(tally.of_pro > 12);
        CHECK(tally.sentences > 500);
    });
}

TEST_CASE("a refused form of a page is in the language of the page, whatever the browser asks for") {
    on_sqlite([](Walk& walk) {
        const app::Gate gate = app::make_gate(*walk.assembly);
        pages::Pages& pages = walk.assembly->pages.pages;
        pages.ask([&](const api::InnerRequest& request) { return gate.ask(request); });
        REQUIRE(walk.call("PUT", "/settings", R"({"site_language":"de"})", walk.admin()).status == 200);
        const std::vector<HttpHeader> headers{{"Content-Type", "application/x-www-form-urlencoded"},
                                              {"Accept-Language", "fr"},
                                              {"Sec-Fetch-Site", "same-origin"}};
        const HttpAnswer refused = pages.answer({.method = "POST",
                                                 .target = "/account/login",
                                                 .headers = headers,
                                                 .body = "username=nobody@example.org&password=wrong-password",
                                                 .peer = "192.0.2.9"});
        REQUIRE(refused.body);
        CAPTURE(refused.status);
        CHECK(refused.body->find("Benutzername oder Passwort") != std::string::npos);
        CHECK(refused.body->find("is incorrect") == std::string::npos);
    });
}
