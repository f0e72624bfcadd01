// The browser half: on which pages the two scripts stand, and what they read there.
#include "base/app/gate.hpp"
#include "tests/pro/tracking/reported.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

struct Counted : Reported {
    explicit Counted(const Database& database) : Reported(database), gate(app::make_gate(*assembly)) {
        assembly->pages.pages.ask([this](const api::InnerRequest& request) { return gate.ask(request); });
    }
    Answered page(const std::string& target, const std::string& cookies = {}) {
        assembly->pages.pages.written();
        const std::vector<HttpHeader> headers{{"Cookie", cookies}};
        const HttpAnswer answer = assembly->pages.pages.answer(
            {.method = "GET", .target = target, .headers = headers, .body = {}, .peer = "192.0.2.7"});
        REQUIRE(answer.status == 200);
        return {answer.status, answer.headers, *answer.body, {}};
    }
    app::Gate gate;
};

const std::string allows_both = "svc_consent=1.11.facebook_pixel~google_analytics.1790000000";

// What a tag reads; null: it is not there.
Value read_by(const Answered& page, const std::string& tag) {
    const std::string begin = "id=\"svc-tag-" + tag + "\">";
    const auto at = page.text.find(begin);
    if (at == std::string::npos)
        return {};
    const auto from = at + begin.size();
    return json::parse(page.text.substr(from, page.text.find("</script>", from) - from)).value();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the scripts of both partners stand on pages of visitors who allow them, with id, events and what is seen") {
    each_on<Counted>([](Counted& base) {
        const auto before = base.page("/trip/nile-cruise");
        CHECK(has(before.text, "Google Analytics"));
        CHECK(has(before.text, "Facebook Pixel"));
        CHECK(read_by(before, "google_analytics").is_null());
        CHECK_FALSE(has(before.header("Content-Security-Policy"), "google"));
        const auto page = base.page("/trip/nile-cruise", allows_both);
        const Value google = read_by(page, "google_analytics"), meta = read_by(page, "facebook_pixel");
        CHECK(google.text_or("measurement_id") == "G-ABC1234567");
        CHECK(google["events"].text_or("view_item") == "view_item");
        CHECK(meta.text_or("pixel_id") == "123456789012345");
        CHECK(meta["events"].text_or("purchase") == "Purchase");
        CHECK(meta["facts"]["view"]["item"]["price"].number_text() == "199.99");
        CHECK(meta["facts"]["view"]["item"].text_or("id") == std::to_string(base.trip));
        const std::string policy = page.header("Content-Security-Policy");
        CHECK(has(policy, "script-src 'self' https://www.googletagmanager.com https://connect.facebook.net;") !=
              has(policy, "script-src 'self' https://connect.facebook.net https://www.googletagmanager.com;"));
        for (const char* secret : {"EAAB-secret-token", "mp-secret-0001"})
            CHECK_FALSE(has(page.text, secret));
        const auto one = base.page("/trip/nile-cruise", "svc_consent=1.10.facebook_pixel~google_analytics.1790000000");
        CHECK_FALSE(read_by(one, "google_analytics").is_null());
        CHECK(read_by(one, "facebook_pixel").is_null());
        CHECK_FALSE(has(one.header("Content-Security-Policy"), "facebook"));
    });
}

TEST_CASE("scripts read the operator's own parameters, without names that a setting of earlier times may have") {
    each_on<Counted>([](Counted& base) {
        base.put("/google-analytics/settings", R"({"custom_dimensions":{"trip_title":"trip_name"}})");
        REQUIRE(base.call("PUT", "/settings", R"({"fb_parameter_mapping":{"party":"travelers","value":"trip_id"}})",
                          base.admin())
                    .status == 200);
        const auto page = base.page("/trip/nile-cruise", allows_both);
        CHECK(read_by(page, "google_analytics")["parameters"].dump() == R"({"trip_title":"trip_name"})");
        CHECK(read_by(page, "google_analytics").text_or("language") == "en");
        CHECK(read_by(page, "facebook_pixel")["parameters"].dump() == R"({"party":"travelers"})");
        CHECK(read_by(page, "facebook_pixel")["events"].text_or("add_to_cart") == "AddToCart");
    });
}

TEST_CASE("a module that is off, or has no id, asks nobody and stands on no page") {
    each_on<Counted>([](Counted& base) {
        base.put("/facebook-pixel/settings", R"({"pixel_id":"","server_side":false})");
        CHECK_FALSE(has(base.page("/trip").text, "Facebook Pixel"));
        CHECK(has(base.page("/trip").text, "Google Analytics"));
        base.turn(false);
        const auto page = base.page("/trip", allows_both);
        CHECK_FALSE(has(page.text, "data-consent"));
        CHECK(read_by(page, "google_analytics").is_null());
        CHECK_FALSE(has(page.header("Content-Security-Policy"), "google"));
    });
}

TEST_CASE("the browser tells of a purchase once, with the total and the reference that the server's report has") {
    each_on<Counted>([](Counted& base) {
        const auto booking = base.booked();
        const std::string address = "/book/confirmation/" + booking.reference,
                          cookies = allows_both + "; svc_booked=" + std::to_string(booking.id) + "." + booking.token;
        CHECK(read_by(base.page(address, cookies), "facebook_pixel")["facts"]["purchase"].is_null());
        base.confirm(booking);
        const Value purchase = read_by(base.page(address, cookies), "facebook_pixel")["facts"]["purchase"];
        CHECK(purchase.text_or("reference") == booking.reference);
        CHECK(purchase["value"].number_text() ==
              base.get("/bookings/" + std::to_string(booking.id), base.admin()).data()["total_amount"].number_text());
        CHECK(purchase.text_or("currency") == "USD");
        CHECK(read_by(base.page(address, cookies), "google_analytics")["facts"]["purchase"].is_null());
    });
}
