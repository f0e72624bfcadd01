// Settings that pages go by, one test a key, and what staff may look at before it is published.
#include "tests/base/website/page_site.hpp"
#include "tests/support/form.hpp"
#include "tests/support/open_mails.hpp"

namespace svc::tests {
namespace {

using json::Value;

Value one(const char* key, Value value) { return Value::object({{key, std::move(value)}}); }

std::string policy_of(const Answered& page) { return page.header("Content-Security-Policy"); }

}  // namespace

TEST_CASE("enable_comparison: trips are shown side by side at an address of their own, without scripts") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        site.base.given_trip("Alpine huts");
        site.base.given_trip("Third");
        CHECK(site.page("/compare").status == 404);
        CHECK(!has(site.page("/trip").text, "svc-compare"));
        site.set(one("enable_comparison", true));
        const std::string list = site.page("/trip").text;
        CHECK(has(list, R"(<input type="checkbox" name="trip" value="nile-cruise" form="svc-compare">)"));
        CHECK(has(list, R"(<form id="svc-compare" class="svc-row" action="/compare" method="get">)"));
        const auto both = site.page("/compare?trip=nile-cruise&trip=alpine-huts");
        CHECK(both.status == 200);
        CHECK(has(both.text, ">Nile cruise</a>"));
        CHECK(has(both.text, ">Alpine huts</a>"));
        CHECK(has(both.text, "<th scope=\"row\">Price</th>"));
        CHECK(has(both.text, "href=\"/compare?trip=alpine-huts\""));  // without the other
        CHECK(has(both.text, "<option value=\"third\">"));
        CHECK(has(both.text, "noindex"));
        CHECK(has(both.header("Cache-Control"), "public"));
        const auto odd = site.page("/compare?trip=nothing&trip=nile-cruise&trip=nile-cruise&trip[]=x&trip=%3Cb%3E");
        CHECK(odd.status == 200);
        CHECK(!has(odd.text, "<b>"));
        CHECK(has(site.page("/compare").text, "Nothing to compare yet"));
    });
}

TEST_CASE("customer_dashboard_enabled: without it the account begins with the profile and lists no bookings") {
    each_page_site([](PageSite& site) {
        const Visitor customer = site.base.cookie("svc_customer", true);
        CHECK(has(site.page("/account", customer).text, "My bookings</h1>"));
        site.set(one("customer_dashboard_enabled", false));
        const auto led = site.page("/account", customer);
        CHECK(led.status == 303);
        CHECK(led.header("Location") == "/account/profile");
        const auto profile = site.page("/account/profile", customer);
        CHECK(profile.status == 200);
        CHECK(!has(profile.text, ">Bookings</a>"));
    });
}

TEST_CASE("customer_fields: the profile asks for them by their type, stores what is typed and names what is wrong") {
    each_page_site([](PageSite& site) {
        site.set(one("customer_fields",
                     json::parse(R"([{"label":"Shoe size","type":"number"},{"label":"Vegan","type":"checkbox"},
                         {"label":"Club","type":"select","options":["Alpine","Sea & shore"]}])")
                         .value()));
        const Visitor customer = site.base.cookie("svc_customer", true);
        const std::string own = "&_nonce=" + customer.headers.back().second;
        const std::string page = site.page("/account/profile", customer).text;
        CHECK(has(page, "<input type=\"number\" id=\"f-fields.shoe_size\" name=\"fields.shoe_size\" value=\"\""));
        CHECK(has(page, "name=\"fields.vegan\" value=\"1\""));
        CHECK(has(page, "<option value=\"Sea &amp; shore\">"));
        const auto saved = site.form("/account/profile",
                                     "action=profile&first_name=Ada&fields.shoe_size=41&fields.vegan=1&fields.club="
                                     "Sea+%26+shore" +
                                         own,
                                     customer);
        CAPTURE(saved.text);
        CHECK(saved.status == 303);
        const std::string shown = site.page("/account/profile", customer).text;
        CHECK(has(shown, "name=\"fields.shoe_size\" value=\"41\""));
        CHECK(has(shown, "name=\"fields.vegan\" value=\"1\" checked"));
        CHECK(has(shown, "<option value=\"Sea &amp; shore\" selected>"));
        const auto refused =
            site.form("/account/profile", "action=profile&first_name=Ada&fields.shoe_size=big" + own, customer);
        CHECK(refused.status == 400);
        CHECK(has(refused.text, "<a href=\"#f-fields.shoe_size\">Shoe size</a>: Enter a number."));
        CHECK(has(refused.text, "name=\"fields.shoe_size\" value=\"big\""));
    });
}

TEST_CASE(
    "multi_currency, enabled_currencies, currency_rates: prices are also shown in others, by a rate that is said") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");  // USD
        const Value rates = Value::object(
            {{"EUR", json::Number{"0.5"}}, {"JPY", json::Number{"150.25"}}, {"GBP", json::Number{"0.8"}}});
        site.set(Value::object(
            {{"enabled_currencies", Value::array({"EUR", "JPY", "CHF", "USD"})}, {"currency_rates", rates}}));
        CHECK(!has(site.page("/trip").text, "EUR"));
        site.set(one("multi_currency", true));
        const std::string list = site.page("/trip").text, trip = site.page("/trip/nile-cruise").text;
        for (const std::string& text : {list, trip}) {
            CHECK(has(text, "≈ EUR "));
            CHECK(has(text, "1 USD = EUR 0.5, JPY 150.25"));
            CHECK(has(text, "You pay in the first one."));
            CHECK(!has(text, "GBP"));  // not enabled
            CHECK(!has(text, "CHF"));  // without a rate
        }
        for (const char* bad : {R"({"currency_rates":{"XXQ":1}})", R"({"currency_rates":{"EUR":0}})",
                                R"({"currency_rates":{"EUR":-1}})", R"({"currency_rates":{"EUR":0.1234567}})"})
            CHECK(site.base.call("PUT", "/settings", bad, site.base.user("administrator")).status == 400);
    });
}

TEST_CASE("embed_origins: listed sites may show a trip in a frame; no other page can be framed") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_departure(id);
        CHECK(has(policy_of(site.page("/trip/nile-cruise")), "frame-ancestors 'none'"));
        const auto alone = site.page("/embed/nile-cruise");
        CHECK(alone.status == 200);
        CHECK(policy_of(alone).ends_with("frame-ancestors 'self'"));
        site.set(one("embed_origins", Value::array({"https://partner.example", "http://127.0.0.1:8080"})));
        const auto framed = site.page("/embed/nile-cruise");
        CHECK(policy_of(framed).ends_with("frame-ancestors 'self' https://partner.example http://127.0.0.1:8080"));
        CHECK(has(framed.text, "action=\"/book/nile-cruise\" target=\"_top\""));
        CHECK(!has(framed.text, "svc-head"));
        CHECK(has(policy_of(site.page("/trip")), "frame-ancestors 'none'"));
        CHECK(site.page("/embed/nothing").status == 404);
        const auto loader = site.page("/embed.js");
        CHECK(loader.status == 200);
        CHECK(loader.text.size() <= 3000);
        for (const char* bad : {"https://a.example/", "javascript:alert(1)", "https://a.example; script-src *",
                                "//a.example", "https://"})
            CHECK(site.base
                      .call("PUT", "/settings", one("embed_origins", Value::array({bad})).dump(),
                            site.base.user("administrator"))
                      .status == 400);
    });
}

TEST_CASE("collapse_filters_on_mobile, date_picker_as_dropdown and trips_per_page change their pages") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_trip("Alpine huts");
        site.base.given_departure(id);
        CHECK(has(site.page("/trip").text, "</h2><details open>"));
        CHECK(has(site.page("/book/nile-cruise").text, "type=\"radio\" name=\"date\""));
        site.set(Value::object(
            {{"collapse_filters_on_mobile", true}, {"date_picker_as_dropdown", true}, {"trips_per_page", 1}}));
        CHECK(has(site.page("/trip").text, "</h2><details>"));
        CHECK(has(site.page("/trip").text, "?page=2"));
        const std::string book = site.page("/book/nile-cruise").text;
        CHECK(has(book, "<select id=\"l-date\" name=\"date\""));
        CHECK(!has(book, "type=\"radio\""));
    });
}

TEST_CASE("seo_trip_meta_title, _description and _keywords are in the head of the listing") {
    each_page_site([](PageSite& site) {
        site.set(Value::object({{"seo_trip_meta_title", "Journeys & more"},
                                {"seo_trip_meta_description", "All of \"them\""},
                                {"seo_trip_meta_keywords", "boats, huts"}}));
        const std::string text = site.page("/trip").text;
        CHECK(has(text, "<title>Journeys &amp; more"));
        CHECK(has(text, "<meta name=\"description\" content=\"All of &quot;them&quot;\">"));
        CHECK(has(text, "<meta name=\"keywords\" content=\"boats, huts\">"));
    });
}

TEST_CASE(
    "frontend_primary_color, frontend_accent_color and frontend_container_max_width are in the style that pages name") {
    each_page_site([](PageSite& site) {
        const auto style_of = [&] {
            const std::string text = site.page("/trip").text;
            const auto begin = text.find("/svc-theme/style."), end = text.find('"', begin);
            REQUIRE(end != std::string::npos);
            return std::pair(text.substr(begin, end - begin), site.page(text.substr(begin, end - begin)).text);
        };
        const auto before = style_of();
        CHECK(has(before.second, "--brand-raw:#3b82f6"));
        site.set(one("frontend_primary_color", "#0a7"));
        const auto coloured = style_of();
        CHECK(coloured.first != before.first);  // browsers keep a file of one name
        CHECK(has(coloured.second, "--brand-raw:#00aa77"));
        site.set(one("frontend_container_max_width", "70rem"));
        CHECK(has(style_of().second, "--page:70rem"));
        CHECK(style_of().first != coloured.first);
        CHECK(!has(style_of().second, "--accent:#"));
        site.set(one("frontend_accent_color", "#7a1f5c"));  // can be read on a light ground as it is
        CHECK(has(style_of().second, "--accent:#7a1f5c;--star:#7a1f5c"));
        site.set(one("frontend_accent_color", ""));
        CHECK(!has(style_of().second, "--accent:#"));
    });
}

TEST_CASE("company_name, company_logo, company_email and company_phone are on each page") {
    each_page_site([](PageSite& site) {
        CHECK(!has(site.page("/trip").text, "mailto:"));
        site.set(Value::object({{"company_name", "Blue & Boots"},
                                {"company_logo", "https://example.org/logo.svg"},
                                {"company_email", "hello@example.org"},
                                {"company_phone", "+46 8 123"}}));
        for (const char* path : {"/trip", "/", "/account/login", "/nowhere"}) {
            const std::string text = site.page(path).text;
            CAPTURE(path);
            CHECK(has(text, "· Blue &amp; Boots</title>") != (std::string_view(path) == "/"));
            CHECK(has(text, R"(<img src="https://example.org/logo.svg" alt="Blue &amp; Boots">)"));
            CHECK(has(text, R"(<a href="mailto:hello@example.org">hello@example.org</a>)"));
            CHECK(has(text, R"(<a href="tel:+46 8 123">+46 8 123</a>)"));
        }
    });
}

TEST_CASE("enable_customer_accounts and customer_account_page: whether and where pages lead to accounts") {
    each_page_site([](PageSite& site) {
        const auto leads_to = [&](const std::string& place) {
            return has(site.page("/trip").text, "<a href=\"" + place + "\" data-me=");
        };
        CHECK(leads_to("/account"));
        for (const auto& [given, place] :
             {std::pair{"https://members.example.org/me", "https://members.example.org/me"},
              {"https://example.org/me", "/me"},
              {"/members", "/members"},
              {"members", "/members"},
              {"javascript:alert(1)", "/javascript%3Aalert%281%29"}}) {
            CAPTURE(given);
            site.set(one("customer_account_page", given));
            CHECK(leads_to(place));
        }
        site.set(one("enable_customer_accounts", false));
        CHECK(!has(site.page("/trip").text, "My bookings"));
    });
}

TEST_CASE("enable_reviews and allow_customer_reviews: whether trips show reviews, and whether they ask for one") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        REQUIRE(site.base
                    .post("/reviews",
                          Value::object({{"trip_id", id},
                                         {"rating", 5},
                                         {"status", "approved"},
                                         {"author_name", "Reader"},
                                         {"content", "Calm water."}}),
                          site.base.user("administrator"))
                    .status == 201);
        const auto shows = [&](const char* path, const char* part) { return has(site.page(path).text, part); };
        const char *trip = "/trip/nile-cruise", *write = "/trip/nile-cruise/review";
        CHECK(shows(trip, "Write a review"));
        CHECK(shows(trip, "Calm water."));
        const auto open = site.page(write);
        site.set(one("allow_customer_reviews", false));
        CHECK(!shows(trip, "Write a review"));
        CHECK(shows(trip, "Calm water."));
        CHECK(site.page(write).status == 200);  // says why, without a form
        CHECK(site.page(write).text != open.text);
        CHECK(!shows(write, "name=\"rating\""));
        site.set(Value::object({{"allow_customer_reviews", true}, {"enable_reviews", false}}));
        CHECK(!shows(trip, "Write a review"));
        CHECK(!shows(trip, "Calm water."));
        CHECK(!shows(write, "name=\"rating\""));
    });
}

TEST_CASE("seo_trip_meta_image is the picture of shared links to the listing, and goes when it is unset") {
    each_page_site([](PageSite& site) {
        CHECK(!has(site.page("/trip").text, "og:image"));
        const auto picture = upload(site.base, Form{}.file("a.png", red_dot), site.base.user("administrator"));
        REQUIRE(picture.status == 201);
        site.set(one("seo_trip_meta_image", picture.data()["id"]));
        const std::string text = site.page("/trip").text;
        const std::string address = "/media/" + picture.data()["id"].dump() + "/file";
        const auto at = text.find("<meta property=\"og:image\" content=\"https://example.org");
        REQUIRE(at != std::string::npos);
        CHECK(has(text.substr(at, 200), address + "\""));
        CHECK(has(text, "<meta name=\"twitter:card\" content=\"summary_large_image\">"));
        CHECK(!has(site.page("/destination").text, "og:image"));
        site.set(one("seo_trip_meta_image", 0));
        CHECK(!has(site.page("/trip").text, "og:image"));
    });
}

TEST_CASE("use_booking_page, booking_page_id: who wants to book is led to that page, which holds the shortcode") {
    each_page_site([](PageSite& site) {
        const Visitor& staff = site.base.user("administrator");
        REQUIRE(site.base
                    .call("PUT", "/settings/pages",
                          R"({"pages":[{"id":4,"title":"Reserve","content":"<p>Choose</p>[svc_booking]"}]})", staff)
                    .status == 200);
        CHECK(site.page("/book").status == 200);
        site.set(Value::object({{"use_booking_page", true}, {"booking_page_id", 4}}));
        const auto led = site.page("/book");
        CHECK(led.status == 303);
        CHECK(led.header("Location") == "/reserve");
        CHECK(has(site.page("/reserve").text, "href=\"/trip\""));
        CHECK(site.page("/book?payment=failed").status == 200);  // what happened is said where it happened
    });
}

TEST_CASE("a trip that is not published is shown to staff who may change it, with ?preview=1, and is never kept") {
    each_page_site([](PageSite& site) {
        const Visitor& admin = site.base.user("administrator");
        const auto made = site.base.post(
            "/trips",
            Value::object(
                {{"title", "Secret valley"}, {"duration", 3}, {"regular_price", 100}, {"summary", "Not yet"}}),
            admin);
        REQUIRE(made.status == 201);
        REQUIRE(made.data()["status"].text() == "draft");
        const Visitor editor = site.base.cookie("administrator", true),
                      customer = site.base.cookie("svc_customer", true);
        const char* address = "/trip/secret-valley?preview=1";
        CHECK(site.page("/trip/secret-valley", editor).status == 404);
        const auto shown = site.page(address, editor);
        CHECK(shown.status == 200);
        CHECK(has(shown.text, "<h1>Secret valley</h1>"));
        CHECK(has(shown.text, "Preview for staff"));
        CHECK(has(shown.text, "noindex"));
        CHECK(shown.header("Cache-Control") == "private, no-store");
        CHECK(shown.header("ETag").empty());
        CHECK(site.page(address).status == 404);
        CHECK(site.page(address, customer).status == 404);
        CHECK(site.page(address, editor).status == 200);
        // Published, a stranger's page with the same address is not kept for staff either.
        REQUIRE(
            site.base
                .call("PUT", "/trips/" + std::to_string(made.data()["id"].integer()), R"({"status":"publish"})", admin)
                .status == 200);
        const auto strangers = site.page(address);
        CHECK(strangers.status == 200);
        CHECK(!has(strangers.text, "Preview for staff"));
        CHECK(strangers.header("Cache-Control") == "private, no-store");
        CHECK(has(site.page(address, editor).text, "Preview for staff"));
    });
}

TEST_CASE("check-shortcode and insert-shortcode: a page gets its shortcode once") {
    each_page_site([](PageSite& site) {
        const Visitor& staff = site.base.user("administrator");
        REQUIRE(
            site.base
                .call("PUT", "/settings/pages",
                      R"({"pages":[{"id":1,"title":"Reserve"},{"id":2,"title":"There","url":"https://cms.example/x"},)"
                      R"({"id":3,"title":"Full","content":"<p>[svc_trips card_layout=compact] [svc_bookings]</p>"}]})",
                      staff)
                .status == 200);
        const auto holds = [&](const char* query) {
            const auto told = site.base.get(std::string("/settings/check-shortcode/") + query, staff);
            CAPTURE(query);
            REQUIRE(told.status == 200);
            return told.data()["has_shortcode"].boolean();
        };
        CHECK(!holds("1"));
        CHECK(!holds("3"));  // svc_bookings is another word
        CHECK(holds("3?shortcode=svc_trips"));
        const auto put = site.base.post("/settings/insert-shortcode/1", Value::object(), staff);
        CHECK(put.status == 200);
        CHECK(put.data() ==
              Value::object({{"page_id", 1}, {"page_url", "https://example.org/reserve"}, {"already_exists", false}}));
        CHECK(holds("1"));
        CHECK(has(site.page("/reserve").text, "Choose a trip and book"));
        CHECK(
            site.base.post("/settings/insert-shortcode/1", Value::object(), staff).data()["already_exists"].boolean());
        CHECK(site.base.post("/settings/insert-shortcode/2", Value::object(), staff).status == 409);
        CHECK(site.base.post("/settings/insert-shortcode/9", Value::object(), staff).status == 404);
        CHECK(site.base.get("/settings/check-shortcode/9", staff).status == 404);
        CHECK(site.base.get("/settings/check-shortcode/1").status == 401);
        CHECK(site.base.post("/settings/insert-shortcode/1", one("shortcode", "x"), staff).status == 400);
    });
}

TEST_CASE("require_login, allow_guest_checkout, no way to pay: the trip's page and the first step say so") {
    each_page_site([](PageSite& site) {
        site.base.given_departure(site.base.given_trip("Nile cruise"), 30, 8);
        const char* const pages[] = {"/trip/nile-cruise", "/book/nile-cruise", "/embed/nile-cruise"};
        const std::string account = "This trip is booked with an account.",
                          online = "This trip cannot be booked online";
        const auto check = [&](bool needs_account, bool can_pay) {
            for (const char* address : pages) {
                CAPTURE(address);
                const auto text = site.page(address).text;
                CHECK(has(text, account) == needs_account);
                CHECK(has(text, "/account/login?next=%2Fbook%2Fnile-cruise") == needs_account);
                CHECK(has(text, online) == !can_pay);
                CHECK(has(text, "type=\"submit\"") == can_pay);
            }
        };
        check(false, true);
        for (const auto& [key, value] : {std::pair{"require_login", true}, {"allow_guest_checkout", false}}) {
            site.set(Value::object({{key, value}}));
            check(true, true);
            site.set(Value::object({{key, !value}}));
        }
        site.set(Value::object({{"payment_gateways", Value::array()}}));
        check(false, false);
    });
}

TEST_CASE("a frame of a trip that there is not says so in a page that the other site may show") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        site.set(Value::object({{"embed_origins", Value::array({"https://partner.example"})}}));
        const auto missing = site.page("/embed/no-such-trip");
        CHECK(missing.status == 404);
        CHECK(has(missing.header("Content-Security-Policy"), "frame-ancestors 'self' https://partner.example"));
        CHECK(has(missing.text, "<h1>This trip is not on offer</h1>"));
        CHECK(has(missing.text, "frame."));  // its height is told to the page around it
        CHECK_FALSE(has(missing.text, "<header"));
        CHECK(has(site.page("/trip/no-such-trip").header("Content-Security-Policy"), "frame-ancestors 'none'"));
    });
}

TEST_CASE(
    "currency_decimals: 0 leaves the decimals out of whole amounts, on pages and in e-mails, and no cent anywhere") {
    each_page_site([](PageSite& site) {
        const auto trip = site.base.given_trip("Nile cruise");
        site.base.given_departure(trip, 30, 8);
        const auto mailed = [&](const char* template_key) {
            REQUIRE(site.base.assembly->hooks.drain());
            open_mails(*site.base.assembly->store, *site.base.assembly->keyring);
            return site.base.assembly->store->reading<std::string>([&](store::Session& session) {
                return session
                    .first<std::string>(
                        "SELECT body_text FROM svc_email_outbox WHERE template_key = :key ORDER BY id"
                        " DESC LIMIT 1",
                        "t", {{"key", template_key}}, [](const store::Row& row) { return row.text(0); })
                    .value_or("");
            });
        };
        const auto price = [&] {
            return site.form("/book/nile-cruise/price", "date=" + site.base.day(30) + "&travelers=1").text;
        };
        CHECK(has(price(), "USD 100.00"));
        site.set(Value::object({{"currency_decimals", 0}}));
        CHECK(has(price(), "USD 100<"));
        site.base.given_booking(trip);
        const auto text = mailed("booking_confirmation");
        CAPTURE(text);
        CHECK(has(text, "USD 100\n"));
        REQUIRE(site.base
                    .call("PUT", "/trips/" + std::to_string(trip), R"({"regular_price":72.5})",
                          site.base.user("administrator"))
                    .status == 200);
        site.pages().written();
        CHECK(has(price(), "USD 72.50"));
        CHECK(has(site.page("/trip/nile-cruise").text, "USD 72.50"));
    });
}

}  // namespace svc::tests
