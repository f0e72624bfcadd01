// Consent to the scripts that count visits: the banner, its cookie, what pages have with and without it, and what a
// booking keeps of it.
#include "base/website/pages/consent.hpp"

#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;

constexpr const char* trip_page = "/trip/nile-cruise";

Value one(const char* key, const char* value) { return Value::object({{key, value}}); }

std::string policy_of(const Answered& page) { return page.header("Content-Security-Policy"); }

std::vector<std::string> set_cookies(const Answered& answer) {
    std::vector<std::string> all;
    for (const auto& [name, value] : answer.headers)
        if (name == "Set-Cookie")
            all.push_back(value);
    return all;
}

// The browser after that answer: its cookie of consent.
Visitor with_consent_of(const Answered& answer) {
    for (const std::string& line : set_cookies(answer))
        if (line.starts_with("svc_consent="))
            return Visitor{}.with("Cookie", line.substr(0, line.find(';')));
    FAIL("no cookie of consent");
    return {};
}

bool counts(const Answered& page, const char* tag) { return has(page.text, "id=\"svc-tag-" + std::string(tag) + "\""); }
bool asks(const Answered& page) { return has(page.text, "data-consent"); }

std::int64_t consents(PageSite& site) { return site.base.number("SELECT COUNT(*) FROM svc_booking_consents"); }

}  // namespace

TEST_CASE("without a tag there is no banner, no link to the choices and no byte of either on pages") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        for (const char* path : {"/", "/trip", trip_page, "/book/nile-cruise", "/account/login", "/nowhere"}) {
            CAPTURE(path);
            const auto page = site.page(path);
            for (const char* part : {"consent", "privacy-choices", "svc-tag", "/svc-theme/choices"})
                CHECK(!has(page.text, part));
            CHECK(!has(page.header("Vary"), "Cookie"));
            CHECK(set_cookies(page).empty());
        }
        const auto choices = site.page("/privacy-choices");
        CHECK(choices.status == 200);
        CHECK(has(choices.text, "there is nothing to decide"));
        CHECK(!has(choices.text, "value=\"accept\""));
        CHECK(set_cookies(site.form("/privacy-choices", "choice=accept")).empty());
    });
}

TEST_CASE("before a decision pages ask, are still the same for everybody, and nothing of a partner is on them") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        site.set(one("google_analytics", "G-ABC123"));
        site.set(one("facebook_pixel", "1234567890"));
        for (const char* path : {"/", "/trip", trip_page}) {
            CAPTURE(path);
            for (const char* again : {"made", "from memory"}) {
                CAPTURE(again);
                const auto page = site.page(path);
                CHECK(asks(page));
                CHECK(has(page.text,
                          "May we count your visit with Google Analytics and measure our advertising with"
                          " Facebook Pixel?"));
                CHECK(!counts(page, "google_analytics"));
                CHECK(!counts(page, "facebook_pixel"));
                CHECK(!has(policy_of(page), "google"));
                CHECK(!has(policy_of(page), "facebook"));
                CHECK(has(page.header("Cache-Control"), "public"));
                bool varies = false;
                for (const auto& [name, value] : page.headers)
                    varies = varies || (name == "Vary" && value == "Cookie, Sec-GPC");
                CHECK(varies);
                CHECK(set_cookies(page).empty());
            }
        }
        // Where names are typed nobody is asked, but the choice can be changed.
        for (const char* own : {"/account/login", "/trip/nile-cruise/enquiry", "/nowhere"}) {
            CAPTURE(own);
            CHECK(!asks(site.page(own)));
            CHECK(has(site.page(own).text, "href=\"/privacy-choices\""));
        }
    });
}

TEST_CASE("Accept and Refuse are the same kind of button, and no box is ticked beforehand") {
    each_page_site([](PageSite& site) {
        site.set(one("google_analytics", "G-ABC123"));
        const auto page = site.page("/trip");
        for (const char* choice : {"accept", "refuse"})
            CHECK(has(page.text, "<button class=\"svc-quiet\" type=\"submit\" name=\"choice\" value=\"" +
                                     std::string(choice) + "\">"));
        CHECK(has(page.text, "<input type=\"checkbox\" name=\"analytics\" value=\"1\">"));
        CHECK(!has(page.text, "name=\"marketing\""));  // no tag asks for it
    });
}

TEST_CASE("accepting sets one cookie for 180 days and leads back; then the tags and their origins are there") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        site.set(one("google_analytics", "G-ABC123"));
        site.set(one("facebook_pixel", "1234567890"));
        const auto answer = site.form("/privacy-choices", "choice=accept&back=%2Ftrip%3Fpage%3D2");
        CHECK(answer.status == 303);
        CHECK(answer.header("Location") == "/trip?page=2");
        REQUIRE(set_cookies(answer).size() == 1);
        const std::string line = set_cookies(answer).front();
        CHECK(has(line, "; Path=/; SameSite=Lax"));
        CHECK(has(line, "; Max-Age=15552000"));
        const auto decision = pages::decision_in(std::string_view(line).substr(12, line.find(';') - 12));
        REQUIRE(decision);
        CHECK(decision->analytics);
        CHECK(decision->marketing);
        const Visitor visitor = with_consent_of(answer);
        for (const char* again : {"made", "from memory"}) {
            CAPTURE(again);
            const auto page = site.page(trip_page, visitor);
            CHECK(!asks(page));
            CHECK(has(page.text, "id=\"svc-tag-google_analytics\">{\"id\":\"G-ABC123\"}</script>"));
            CHECK(counts(page, "facebook_pixel"));
            CHECK(has(policy_of(page),
                      "script-src 'self' https://www.googletagmanager.com https://connect.facebook.net;"));
            CHECK(has(page.header("Cache-Control"), "public"));
            CHECK(asks(site.page(trip_page)));  // another visitor
            CHECK(!counts(site.page(trip_page), "google_analytics"));
        }
        const auto page = site.page(trip_page, visitor);
        const auto at = page.text.find("/svc-theme/count-analytics.");
        REQUIRE(at != std::string::npos);
        const auto script = site.page(page.text.substr(at, page.text.find('"', at) - at));
        CHECK(has(script.header("Content-Type"), "javascript"));
        CHECK(has(script.header("Cache-Control"), "immutable"));
        for (const char* own : {"/account/login", "/book/nile-cruise", "/trip/nile-cruise/enquiry"}) {
            CHECK(!counts(site.page(own, visitor), "google_analytics"));
            CHECK(!has(policy_of(site.page(own, visitor)), "google"));
        }
    });
}

TEST_CASE("refusing, or choosing one purpose, allows no more than that") {
    each_page_site([](PageSite& site) {
        site.set(one("google_analytics", "G-ABC123"));
        site.set(one("facebook_pixel", "1234567890"));
        const auto after = [&](const char* fields) {
            const auto answer = site.form("/privacy-choices", fields);
            CHECK(answer.status == 303);
            return site.page("/trip", with_consent_of(answer));
        };
        for (const char* none : {"choice=refuse", "choice=chosen", "choice=refuse&analytics=1"}) {
            CAPTURE(none);
            const auto page = after(none);
            CHECK(!asks(page));
            CHECK(!counts(page, "google_analytics"));
            CHECK(!counts(page, "facebook_pixel"));
            CHECK(!has(policy_of(page), "google"));
        }
        const auto page = after("choice=chosen&analytics=1");
        CHECK(counts(page, "google_analytics"));
        CHECK(!counts(page, "facebook_pixel"));
        CHECK(!has(policy_of(page), "facebook"));
    });
}

TEST_CASE("Global Privacy Control refuses marketing: it is not asked for and not allowed, whatever the cookie says") {
    each_page_site([](PageSite& site) {
        const Visitor asking = Visitor{}.with("Sec-GPC", "1");
        site.set(one("facebook_pixel", "1234567890"));
        CHECK(!asks(site.page("/trip", asking)));
        CHECK(asks(site.page("/trip")));
        const auto before = site.form("/privacy-choices", "choice=accept");
        CHECK(counts(site.page("/trip", with_consent_of(before)), "facebook_pixel"));
        CHECK(!counts(site.page("/trip", with_consent_of(before).with("Sec-GPC", "1")), "facebook_pixel"));
        site.set(one("google_analytics", "G-ABC123"));
        const auto page = site.page("/trip", asking);
        CHECK(asks(page));
        CHECK(!has(page.text, "Facebook Pixel"));
        const auto accepted = site.form("/privacy-choices", "choice=accept", asking);
        CHECK(has(set_cookies(accepted).front(), "svc_consent=1.10."));
        CHECK(has(site.page("/privacy-choices", asking).text, "We take that as a no to advertising"));
    });
}

TEST_CASE("a visitor is asked again when there is another tag, and until then nothing is allowed") {
    each_page_site([](PageSite& site) {
        site.set(one("google_analytics", "G-ABC123"));
        const Visitor visitor = with_consent_of(site.form("/privacy-choices", "choice=accept"));
        CHECK(counts(site.page("/trip", visitor), "google_analytics"));
        site.set(one("facebook_pixel", "1234567890"));
        CHECK(asks(site.page("/trip", visitor)));
        CHECK(!counts(site.page("/trip", visitor), "google_analytics"));
        site.set(one("facebook_pixel", ""));
        CHECK(!asks(site.page("/trip", visitor)));
        site.set(one("google_analytics", "\"><script>"));  // no id
        CHECK(!counts(site.page("/trip", visitor), "google_analytics"));
    });
}

TEST_CASE("withdrawing stops tags on the next page and deletes their cookies, also those of the domains above") {
    each_page_site([](PageSite& site) {
        site.set(one("google_analytics", "G-ABC123"));
        const Visitor visitor = with_consent_of(site.form("/privacy-choices", "choice=accept"));
        CHECK(has(site.page("/privacy-choices", visitor).text, "name=\"analytics\" value=\"1\" checked"));
        const Visitor counted = visitor.with("Cookie", "_ga=GA1.1.1.2; _ga_ABC=x; other=1; svc_session=2")
                                    .with("Host", "shop.example.org:8080");
        const auto answer = site.form("/privacy-choices", "choice=refuse", counted);
        CHECK(answer.header("Location") == "/privacy-choices?saved=1");
        const auto lines = set_cookies(answer);
        const auto drops = [&](const std::string& line) {
            return std::find(lines.begin(), lines.end(), line) != lines.end();
        };
        for (const char* name : {"_ga", "_ga_ABC"})
            for (const char* domain : {"", "; Domain=shop.example.org", "; Domain=example.org"})
                CHECK(drops(std::string(name) + "=; Path=/; Max-Age=0" + domain));
        for (const std::string& line : lines) {
            CHECK(!line.starts_with("other="));
            CHECK(!line.starts_with("svc_session="));
            CHECK(!has(line, "Domain=org"));
        }
        CHECK(!counts(site.page("/trip", with_consent_of(answer)), "google_analytics"));
        CHECK(has(site.page("/privacy-choices?saved=1", with_consent_of(answer)).text, "role=\"status\""));
    });
}

TEST_CASE("forged answers decide nothing and lead nowhere else") {
    each_page_site([](PageSite& site) {
        site.set(one("google_analytics", "G-ABC123"));
        CHECK(site.ask("POST", "/privacy-choices", "choice=accept",
                       Visitor{}
                           .with("Content-Type", "application/x-www-form-urlencoded")
                           .with("Origin", "https://evil.example"))
                  .status == 403);
        for (const char* fields : {"", "choice=", "choice=all", "analytics=1"})
            CHECK(site.form("/privacy-choices", fields).status == 400);
        for (const char* back : {"https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "javascript%3Aalert(1)", "trip"})
            CHECK(site.form("/privacy-choices", "choice=refuse&back=" + std::string(back)).header("Location") ==
                  "/privacy-choices?saved=1");
        for (const char* cookie : {"", "1", "1.11", "1.11.google_analytics", "1.11.google_analytics.x",
                                   "2.11.google_analytics.1790000000", "1.22.google_analytics.1790000000",
                                   "1.11.google_analytics.-5", "1.11.google_analytics.99999999999999999999",
                                   "1.11.other.1790000000", "1.111.google_analytics.1790000000"}) {
            CAPTURE(cookie);
            CHECK(asks(site.page("/trip", Visitor{}.with("Cookie", "svc_consent=" + std::string(cookie)))));
        }
        CHECK(!asks(site.page("/trip", Visitor{}.with("Cookie", "svc_consent=1.00.google_analytics.1790000000"))));
    });
}

TEST_CASE("a booking keeps what was allowed, and of the browser only what that needs") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_departure(id);
        const Value ids = Value::object({{"ga_client_id", "1234.5678"}, {"fbp", "fb.1.1.2"}, {"fbc", "fb.1.1.ab-c"}});
        const auto book = [&](bool analytics, bool marketing, const char* privacy = "0") {
            Value consent = ids;
            consent.set("analytics", analytics);
            consent.set("marketing", marketing);
            consent.set("decided_at", "2026-01-02T03:04:05Z");
            site.base.run("DELETE FROM svc_booking_consents");
            const auto made =
                site.base.book(id, 30, Value::object({{"tracking_consent", std::move(consent)}}),
                               Visitor{}.from("192.0.2.44").with("User-Agent", "Browser/5").with("Sec-GPC", privacy));
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            std::string row;
            site.base.assembly->store->read([&](store::Session& session) {
                session.each(
                    "SELECT analytics, marketing, ga_client_id || '|' || fbp || '|' || fbc || '|' ||"
                    " client_address || '|' || user_agent, decided_at FROM svc_booking_consent_v1"
                    " WHERE booking_id = :id",
                    "iiti", {{"id", made.data()["id"].integer()}}, [&](const store::Row& each) {
                        row = std::to_string(each.integer(0)) + std::to_string(each.integer(1)) + " " +
                              std::string(each.text(2)) + " " + std::to_string(each.integer(3) / 1'000'000);
                    });
            });
            return row;
        };
        CHECK(book(true, false) == "10 1234.5678|||| 1767323045");
        CHECK(book(false, true) == "01 |fb.1.1.2|fb.1.1.ab-c|192.0.2.44|Browser/5 1767323045");
        CHECK(book(false, false).empty());
        // Global Privacy Control refuses marketing in the interface as on pages.
        CHECK(book(true, true, "1") == "10 1234.5678|||| 1767323045");
        CHECK(book(false, true, "1").empty());
        REQUIRE(site.base.book(id, 30).status == 201);
        CHECK(consents(site) == 0);
    });
}

TEST_CASE("ids that no partner makes are refused by their field, and the booking with them") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_departure(id);
        for (const auto& [field, value] : {std::pair{"ga_client_id", "GA1.1.2.3"},
                                           {"ga_client_id", "1."},
                                           {"ga_client_id", "1.2;x"},
                                           {"fbp", "fb.1.2"},
                                           {"fbp", "fb.x.1.2"},
                                           {"fbc", "fb.1.1.a b"},
                                           {"fbc", "1.1.1.1"}}) {
            CAPTURE(value);
            const auto made = site.base.book(
                id, 30, Value::object({{"tracking_consent", Value::object({{"marketing", true}, {field, value}})}}));
            CHECK(made.status == 400);
            CHECK(made.field() == "tracking_consent." + std::string(field));
        }
        const auto made = site.base.book(id, 30, Value::object({{"tracking_consent", "yes"}}));
        CHECK(made.status == 400);
        CHECK(made.field() == "tracking_consent");
        CHECK(consents(site) == 0);
    });
}

TEST_CASE("withdrawing in the browser that booked takes the consent back from its bookings, and from no other's") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_departure(id);
        site.set(one("google_analytics", "G-ABC123"));
        site.set(one("facebook_pixel", "1234567890"));
        const auto own = site.base.given_booking(id), other = site.base.given_booking(id);
        for (const auto& booking : {own, other})
            site.base.run(("INSERT INTO svc_booking_consents (booking_id, analytics, marketing, fbp, client_address,"
                           " decided_at) VALUES (" +
                           std::to_string(booking.id) + ", 1, 1, 'fb.1.1.2', '192.0.2.1', 1)")
                              .c_str());
        const Visitor browser = Visitor{}.with("Cookie", "svc_booked=" + std::to_string(own.id) + "." + own.token +
                                                             "~" + std::to_string(other.id) + "." + own.token);
        REQUIRE(site.form("/privacy-choices", "choice=chosen&analytics=1", browser).status == 303);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_booking_consents WHERE marketing = 0 AND analytics = 1"
                               " AND fbp = '' AND client_address = ''") == 1);
        REQUIRE(site.form("/privacy-choices", "choice=refuse", browser).status == 303);
        CHECK(consents(site) == 1);
    });
}

}  // namespace svc::tests
