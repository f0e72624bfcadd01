// Listeners change addresses, templates, listings, prices and enquiries on pages; one test per hook.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;
namespace fs = std::filesystem;

// Runs the body on each kind of database with that listener on that filter.
void with_filter(const char* filter, const hooks::FilterCall& call, const std::function<void(PageSite&)>& body) {
    const BeforeStart before([&](app::Assembly& base) { listen(base, filter, call); });
    each_page_site(body);
}

Value match(const char* type, const char* base, Value names) {
    return Value::object({{"type", type}, {"base", base}, {"names", std::move(names)}});
}

}  // namespace

TEST_CASE("svc_pretty_route_match makes a page of a path of its own, another page of a known one, or none") {
    with_filter(
        "svc_pretty_route_match",
        [](store::Transaction*, const json::Array& given) -> Value {
            const std::string path = given[1].text();
            if (path == "/nile")
                return match("single-trip", "trip", Value::object({{"slug", "nile-cruise"}}));
            if (path == "/activity")
                return match("", "", Value::object());
            if (path == "/destination")
                return match("no such page", "", Value::object());
            return given[0];
        },
        [](PageSite& site) {
            site.base.given_trip("Nile cruise");
            const auto led = site.page("/nile");
            CHECK(led.status == 200);
            CHECK(has(led.text, "<h1>Nile cruise</h1>"));
            CHECK(has(led.text, "svc-page svc-page-single-trip"));
            CHECK(site.page("/activity").status == 404);
            CHECK(site.page("/destination").status == 404);
            CHECK(site.page("/trip").status == 200);
            CHECK(site.page("/trip/nile-cruise").status == 200);
        });
}

TEST_CASE("svc_plain_route_match changes the page that a query names; without it the query alone names one") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        const auto plain = site.page("/?svc_page=single-trip&slug=nile-cruise");
        CHECK(plain.status == 200);
        CHECK(has(plain.text, "<h1>Nile cruise</h1>"));
        CHECK(has(plain.text, "rel=\"canonical\" href=\"https://example.org/trip/nile-cruise\""));
        CHECK(site.page("/?svc_page=listing-trip").status == 200);
        CHECK(site.page("/?svc_page=single-taxonomy&base=activity&slug=none").status == 404);
        CHECK(site.page("/?svc_page=single-trip").status == 404);  // it needs a slug
        CHECK(site.page("/?svc_page=nothing").status == 404);
    });
    with_filter(
        "svc_plain_route_match",
        [](store::Transaction*, const json::Array& given) -> Value {
            CHECK(given[1].text_or("svc_page") == given[0].text_or("type"));
            return given[0].text_or("type") == "old" ? match("listing-trip", "trip", Value::object()) : given[0];
        },
        [](PageSite& site) {
            CHECK(has(site.page("/?svc_page=old").text, "svc-page-listing-trip"));
            CHECK(site.page("/?svc_page=older").status == 404);
        });
}

TEST_CASE("svc_frontend_request_path changes the path before its page is found, the site's own pages included") {
    with_filter(
        "svc_frontend_request_path",
        [](store::Transaction*, const json::Array& given) -> Value {
            const std::string path = given[0].text();
            return path.starts_with("/de/") ? Value(path.substr(3)) : given[0];
        },
        [](PageSite& site) {
            site.base.given_trip("Nile cruise");
            REQUIRE(site.base
                        .call("PUT", "/settings/pages", R"({"pages":[{"title":"Terms","content":"<p>Be kind</p>"}]})",
                              site.base.user("administrator"))
                        .status == 200);
            CHECK(has(site.page("/de/trip/nile-cruise").text, "<h1>Nile cruise</h1>"));
            CHECK(has(site.page("/de/terms").text, "Be kind"));
            CHECK(site.page("/fr/trip").status == 404);
        });
}

TEST_CASE("svc_template_path names another template of the theme; one that there is not changes nothing") {
    with_filter(
        "svc_template_path",
        [](store::Transaction*, const json::Array& given) -> Value {
            return given[1].text() == "listing-trip" ? "not-found" : "nowhere";
        },
        [](PageSite& site) {
            CHECK(!has(site.page("/trip").text, "svc-listing-head"));
            CHECK(site.page("/trip").status == 200);
            CHECK(site.page("/destination").status == 200);
        });
}

TEST_CASE("svc_register_rewrite_rules is fired by a server's start and by a permalink that changes, once each") {
    each_page_site([](PageSite& site) {
        const auto count = [&] {
            return site.base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_register_rewrite_rules'");
        };
        const auto before = count();
        CHECK(before == 1);  // by its start
        site.set(Value::object({{"company_name", "Blue Boots"}}));
        CHECK(count() == before);
        site.set(Value::object({{"trip_base", "tours"}, {"booking_base", "reserve"}}));
        CHECK(count() == before + 1);
        CHECK(site.page("/tours").status == 200);
        site.set(Value::object({{"trip_base", "tours"}}));  // as it is
        CHECK(count() == before + 1);
        CHECK(
            site.base.call("PUT", "/settings", R"({"trip_base":"reserve"})", site.base.user("administrator")).status ==
            400);
        CHECK(count() == before + 1);
    });
}

TEST_CASE("svc_setup_wizard_completed is fired once, when the company is first given its name") {
    each_page_site([](PageSite& site) {
        const auto count = [&] {
            return site.base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_setup_wizard_completed'");
        };
        const auto save = [&](const char* body) {
            REQUIRE(site.base.call("PUT", "/settings", body, site.base.user("administrator")).status == 200);
        };
        save(R"({"company_name":""})");
        const auto before = count();
        save(R"({"company_phone":"+44 20 7946 0000"})");
        CHECK(count() == before);
        save(R"({"company_name":"Blue Boots"})");
        CHECK(count() == before + 1);
        save(R"({"company_name":"Green Boots"})");
        CHECK(count() == before + 1);
    });
}

TEST_CASE("svc_register_rewrite_rules is fired by a flush, which staff alone may do") {
    each_page_site([](PageSite& site) {
        const auto count = [&] {
            return site.base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_register_rewrite_rules'");
        };
        const auto before = count();
        CHECK(site.base.post("/settings/flush-rewrites", Value::object()).status == 401);
        CHECK(count() == before);
        const auto flushed =
            site.base.post("/settings/flush-rewrites", Value::object(), site.base.user("administrator"));
        CHECK(flushed.status == 200);
        CHECK(flushed.data()["flushed"].boolean());
        CHECK(count() == before + 1);
    });
}

TEST_CASE("svc_trip_listing and its context change what the page of trips lists") {
    with_filter(
        "svc_trip_listing",
        [](store::Transaction*, const json::Array& given) -> Value {
            Value trips = given[0];
            for (Value& trip : trips.items())
                trip.set("title", trip["title"].text() + "!");
            return trips;
        },
        [](PageSite& site) {
            site.base.given_trip("Nile cruise");
            CHECK(has(site.page("/trip").text, "Nile cruise!"));
        });
}

TEST_CASE("svc_trip_listing_context and svc_listing_nonce reach the page of trips, where a theme shows them") {
    const BeforeStart before([](app::Assembly& base) {
        listen(base, "svc_trip_listing_context", [](store::Transaction*, const json::Array& given) -> Value {
            return Value::object({{"season", "<b>" + given[1].text_or("search") + "</b>"}, {"total", 99}});
        });
        listen(base, "svc_listing_nonce", [](store::Transaction*, const json::Array&) -> Value { return "n\"1"; });
    });
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        CHECK(has(site.page("/trip").text, "<div id=\"results\" data-nonce=\"n&quot;1\">"));
        CHECK(!has(site.page("/trip").text, "season"));
        const fs::path folder = fs::path(site.base.assembly->options.data_dir) / "theme/svc";
        fs::create_directories(folder);
        std::ofstream(folder / "listing-trip.html") << "<h1>{{heading}}</h1><p>{{meta.season}}, {{meta.total}}</p>";
        std::string text;
        for (int i = 0; i < 600 && !has(text, "<p>"); ++i) {  // the folder is looked at once a second
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            site.pages().written();
            text = site.page("/trip?search=Nile").text;
        }
        CHECK(has(text, "<p>&lt;b&gt;Nile&lt;/b&gt;, 1</p>"));
        fs::remove_all(folder);
    });
}

TEST_CASE("svc_trip_listing_filters narrows the page of trips, svc_is_trip_listing keeps it from that") {
    const hooks::FilterCall narrow = [](store::Transaction*, const json::Array& given) -> Value {
        Value query = given[0];
        query.set("search", "Nile");
        return query;
    };
    const auto look = [](bool is_narrowed) {
        return [is_narrowed](PageSite& site) {
            site.base.given_trip("Nile cruise");
            site.base.given_trip("Alpine huts");
            const std::string text = site.page("/trip").text;
            CHECK(has(text, "Nile cruise"));
            CHECK(has(text, "Alpine huts") != is_narrowed);
        };
    };
    with_filter("svc_trip_listing_filters", narrow, look(true));
    const BeforeStart both([&](app::Assembly& base) {
        listen(base, "svc_trip_listing_filters", narrow);
        listen(base, "svc_is_trip_listing", [](store::Transaction*, const json::Array&) -> Value { return false; });
    });
    each_page_site(look(false));
}

TEST_CASE("svc_trip_listing_max_per_page bounds the page of trips") {
    with_filter(
        "svc_trip_listing_max_per_page", [](store::Transaction*, const json::Array&) -> Value { return 1; },
        [](PageSite& site) {
            site.base.given_trip("Nile cruise");
            site.base.given_trip("Alpine huts");
            const std::string text = site.page("/trip").text;
            CHECK(has(text, "Nile cruise") != has(text, "Alpine huts"));
            CHECK(has(text, "?page=2"));
        });
}

TEST_CASE("svc_get_trip_listing_url is where pages lead to all trips") {
    with_filter(
        "svc_get_trip_listing_url",
        [](store::Transaction*, const json::Array& given) -> Value {
            CHECK(given[0].text() == "https://example.org/trip");
            return "https://example.org/all?x=1";
        },
        [](PageSite& site) { CHECK(has(site.page("/destination").text, "href=\"/all?x=1\">Trips</a>")); });
}

TEST_CASE("svc_build_archive_listing_url is where the page of an activity leads to its trips") {
    with_filter(
        "svc_build_archive_listing_url",
        [](store::Transaction*, const json::Array& given) -> Value {
            return "https://example.org/only/" + given[1].text() + "/" + given[3].text();
        },
        [](PageSite& site) {
            const auto made = site.base.post("/activities", Value::object({{"name", "Diving"}, {"status", "publish"}}),
                                             site.base.user("administrator"));
            REQUIRE(made.status == 201);
            CHECK(has(site.page("/activity/diving").text, "href=\"/only/activity/diving\""));
        });
}

TEST_CASE("svc_get_dynamic_pricing_display_settings takes old prices, savings and the last seats off pages") {
    const auto given = [](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_departure(id, 30, 3);
        REQUIRE(site.base
                    .call("PUT", "/trips/" + std::to_string(id), R"({"regular_price":200,"discounted_price":150})",
                          site.base.user("administrator"))
                    .status == 200);
        site.pages().written();
    };
    each_page_site([&](PageSite& site) {
        given(site);
        const std::string list = site.page("/trip").text, one = site.page("/trip/nile-cruise").text;
        CHECK(has(list, "<del>"));
        CHECK(has(list, "25 %"));
        CHECK(has(one, "<del>"));
        CHECK(has(one, "3 left"));
    });
    with_filter(
        "svc_get_dynamic_pricing_display_settings",
        [](store::Transaction*, const json::Array& told) -> Value {
            CHECK(told[1].integer() > 0);
            return Value::object(
                {{"show_original_price", false}, {"show_savings_badge", false}, {"show_urgency_messages", false}});
        },
        [&](PageSite& site) {
            given(site);
            const std::string list = site.page("/trip").text, one = site.page("/trip/nile-cruise").text;
            CHECK(has(list, "150"));
            CHECK(!has(list, "<del>"));
            CHECK(!has(list, "25 %"));
            CHECK(!has(one, "<del>"));
            CHECK(!has(one, "3 left"));
        });
}

TEST_CASE("svc_get_dynamic_pricing_display_settings is asked once a page for each of its trips") {
    static std::map<std::int64_t, int> asked;
    with_filter(
        "svc_get_dynamic_pricing_display_settings",
        [](store::Transaction*, const json::Array& told) -> Value {
            ++asked[told[1].integer()];
            return told[0];
        },
        [&](PageSite& site) {
            const auto one = site.base.given_trip("Nile cruise"), two = site.base.given_trip("Alpine huts");
            site.base.given_departure(one, 30, 3);
            const auto kind =
                site.base.post("/trip-categories", Value::object({{"name", "Slow"}, {"status", "publish"}}),
                               site.base.user("administrator"));
            REQUIRE(kind.status == 201);
            for (const auto id : {one, two})
                REQUIRE(site.base
                            .call("PUT", "/trips/" + std::to_string(id),
                                  Value::object({{"trip_category", Value::array({kind.data()["id"]})}}).dump(),
                                  site.base.user("administrator"))
                            .status == 200);
            site.set(Value::object({{"enable_comparison", true}}));
            for (const char* path : {"/trip", "/trip/nile-cruise", "/", "/trip-category/slow", "/book/nile-cruise",
                                     "/embed/nile-cruise", "/compare?trip=nile-cruise&trip=alpine-huts"})
                for (int twice = 0; twice < 2; ++twice) {  // parts made anew, then remembered ones
                    asked.clear();
                    site.pages().written();
                    CAPTURE(path);
                    REQUIRE(site.page(path).status == 200);
                    CHECK(asked[one] == 1);
                    CHECK(asked[two] == (std::string_view(path) == "/book/nile-cruise" ||
                                                 std::string_view(path) == "/embed/nile-cruise"
                                             ? 0
                                             : 1));
                }
        });
}

TEST_CASE("svc_enable_enquiry takes the enquiry's button, page and form away") {
    const char* sent = "customer_name=Ada&customer_email=ada%40example.org&message=Hello";
    each_page_site([&](PageSite& site) {
        site.base.given_trip("Nile cruise");
        CHECK(has(site.page("/trip/nile-cruise").text, "/trip/nile-cruise/enquiry"));
        CHECK(site.form("/trip/nile-cruise/enquiry", sent).status == 200);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_enquiries WHERE locale = 'en'") == 1);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_enquiries") == 1);
    });
    with_filter(
        "svc_enable_enquiry", [](store::Transaction*, const json::Array&) -> Value { return false; },
        [&](PageSite& site) {
            site.base.given_trip("Nile cruise");
            CHECK(!has(site.page("/trip/nile-cruise").text, "/enquiry"));
            CHECK(site.page("/trip/nile-cruise/enquiry").status == 404);
            CHECK(site.form("/trip/nile-cruise/enquiry", sent).status == 404);
            CHECK(site.base.number("SELECT COUNT(*) FROM svc_enquiries") == 0);
        });
}

TEST_CASE("svc_enquiry_button_text, _form_title_text and _form_show change the enquiry's words and hide its form") {
    const BeforeStart before([](app::Assembly& base) {
        listen(base, "svc_enquiry_button_text",
               [](store::Transaction*, const json::Array&) -> Value { return "Talk to <us>"; });
        listen(base, "svc_enquiry_form_title_text",
               [](store::Transaction*, const json::Array&) -> Value { return "What may we tell you?"; });
        listen(base, "svc_enquiry_form_show", [](store::Transaction*, const json::Array&) -> Value { return false; });
    });
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        CHECK(has(site.page("/trip/nile-cruise").text, ">Talk to &lt;us&gt;</a>"));
        const auto page = site.page("/trip/nile-cruise/enquiry");
        CHECK(page.status == 200);
        CHECK(has(page.text, "What may we tell you?"));
        CHECK(!has(page.text, "name=\"message\""));
    });
}

}  // namespace svc::tests
