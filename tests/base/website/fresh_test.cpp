// Pages show what is: every change is on the listing and on the trip's page at once, and none leaves anything out.
#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;

void change(PageSite& site, const char* method, const std::string& target, const Value& body) {
    const auto done = site.base.call(method, target, body.dump(), site.base.user("administrator"));
    CAPTURE(done.text);
    REQUIRE(done.status / 100 == 2);
    site.pages().written();
}

}  // namespace

TEST_CASE("search engines read of a trip that it is sold out, and of no picture where it has none") {
    each_page_site([](PageSite& site) {
        const auto trip = site.base.given_trip("Nile cruise");
        site.base.given_departure(trip, 30, 1);
        const auto open = site.page("/trip/nile-cruise").text;
        CHECK(has(open, "schema.org/InStock"));
        CHECK_FALSE(has(open, R"("image":"")"));
        site.base.given_booking(trip);
        site.pages().written();
        const auto full = site.page("/trip/nile-cruise").text;
        CHECK(has(full, "schema.org/SoldOut"));
        CHECK_FALSE(has(full, "schema.org/InStock"));
    });
}

TEST_CASE("a price per group counts travelers in the booking box, and says how many are one group") {
    each_page_site([](PageSite& site) {
        const auto trip = site.base.given_trip("Nile cruise");
        site.base.given_departure(trip, 30, 20);
        const auto kind = [&](const char* name, const Value& limits) {
            Value body = Value::object({{"name", name}, {"status", "publish"}, {"pricing_mode", "per_group"}});
            for (const auto& [member, value] : limits.members())
                body.set(member, value);
            const auto made = site.base.post("/traveler-categories", body, site.base.user("administrator"));
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            return made.data()["id"].integer();
        };
        const auto shown = [&](const std::vector<std::int64_t>& kinds, const char* language) {
            Value types = Value::array();
            for (const auto id : kinds)
                types.push(Value::object({{"category_id", id}, {"original_price", 290}}));
            change(site, "PUT", "/trips/" + std::to_string(trip),
                   Value::object({{"pricing_type", "traveler_based"}, {"price_types", types}}));
            site.set(Value::object({{"site_language", language}}));
            return site.page("/trip/nile-cruise").text;
        };
        const auto box = [](std::int64_t id, const char* label, const char* hint) {
            return "<label for=\"b-c" + std::to_string(id) + "\">" + label + " <small>" + hint + " · ";
        };
        const auto some = kind("Private group", Value::object({{"max_pax", 4}})),
                   all = kind("Coach", Value::object({})),
                   pair = kind("Couple", Value::object({{"min_pax", 2}, {"max_pax", 2}}));
        // One category: what is counted are travelers, whatever it is called.
        for (const auto& [id, english, german] :
             {std::tuple{some, "1 to 4 are one group", "1 bis 4 Personen sind eine Gruppe"},
              {all, "all together are one group", "alle zusammen sind eine Gruppe"},
              {pair, "2 are one group", "2 Personen sind eine Gruppe"}}) {
            CAPTURE(english);
            const std::string page = shown({id}, "en");
            CHECK_MESSAGE(has(page, box(id, "Travelers", english)), page);
            CHECK(has(page, "USD 290 per group"));
            CHECK(has(shown({id}, "de"), box(id, "Reisende", german)));
        }
        // Several: each by its name.
        const std::string page = shown({some, pair}, "en");
        CHECK(has(page, box(some, "Private group", "1 to 4 are one group")));
        CHECK(has(page, box(pair, "Couple", "2 are one group")));
    });
}

TEST_CASE("a change of a trip, its seats, its reviews, the currency or the language is on its pages at once") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_departure(id, 30, 1);
        site.set(Value::object({{"show_sold_out", true}}));
        const std::string trip = "/trips/" + std::to_string(id);
        const auto list = [&] { return site.page("/trip?min_duration=2").text; };
        const auto one = [&] { return site.page("/trip/nile-cruise").text; };
        for (int twice = 0; twice < 2; ++twice) {  // the second answer is from memory
            CHECK(has(list(), ">Nile cruise</a>"));
            CHECK(has(list(), "USD 100"));
            CHECK(has(one(), "USD 100"));
            CHECK(!has(one(), "data-says=\"Sold out"));
            CHECK(!has(one(), "Splendid"));
        }
        change(site, "PUT", trip, Value::object({{"title", "Nile <cruise>"}, {"regular_price", 120}}));
        CHECK(has(list(), ">Nile &lt;cruise&gt;</a>"));
        CHECK(has(list(), "USD 120"));
        CHECK(!has(list(), "USD 100"));
        CHECK(has(one(), "<h1>Nile &lt;cruise&gt;</h1>"));
        CHECK(has(one(), "USD 120"));

        change(site, "POST", "/reviews",
               Value::object({{"trip_id", id},
                              {"rating", 4},
                              {"content", "Splendid"},
                              {"author_name", "Ada"},
                              {"author_email", "ada@example.org"},
                              {"status", "approved"}}));
        CHECK(has(one(), "Splendid"));
        CHECK(has(list(), "<span class=\"svc-muted\">(1)</span>"));

        site.base.given_booking(id, 30);
        site.pages().written();
        CHECK(has(one(), "data-says=\"Sold out"));

        site.set(Value::object({{"site_language", "de"}, {"currency_position", "right_space"}}));
        CHECK(has(list(), "lang=\"de\""));
        CHECK(has(list(), "120 USD"));
        CHECK(has(one(), "data-says=\"Ausgebucht"));
        site.set(Value::object({{"multi_currency", true},
                                {"enabled_currencies", Value::array({"EUR"})},
                                {"currency_rates", Value::object({{"EUR", json::Number{"0.5"}}})}}));
        CHECK(has(list(), "60 EUR"));
        CHECK(has(one(), "60 EUR"));
    });
}

TEST_CASE("the home page and the page of destinations show them however many trips there are") {
    each_page_site([](PageSite& site) {
        change(site, "POST", "/destinations", Value::object({{"name", "Egypt"}, {"status", "publish"}}));
        const Value lines = [] {
            Value list = Value::array();
            for (int i = 0; i < 40; ++i)
                list.push(Value::object({{"title", "Highlight " + std::to_string(i)}, {"description", "Far away"}}));
            return list;
        }();
        const auto listed = site.base.get("/destinations", site.base.user("administrator"));
        REQUIRE(listed.data().size() == 1);
        for (int i = 0; i < 100; ++i) {
            const auto id = site.base.given_trip("Trip " + std::to_string(i));
            change(site, "PUT", "/trips/" + std::to_string(id),
                   Value::object(
                       {{"destinations", Value::array({listed.data()[0]["id"]})}, {"highlight_details", lines}}));
        }
        // More than what is read of a body from outside.
        REQUIRE(!json::parse(site.base.get("/trips/public?per_page=100&facets=1").text));
        CHECK(has(site.page("/").text, ">Egypt"));
        CHECK(has(site.page("/destination").text, ">Egypt"));
        CHECK(has(site.page("/").text, ">Trip 99</a>"));
    });
}

TEST_CASE("a catalogue without trips says so, without filters; a page that there no longer is shows the last one") {
    each_page_site([](PageSite& site) {
        change(site, "POST", "/destinations", Value::object({{"name", "Egypt"}, {"status", "publish"}}));
        for (const char* path : {"/trip", "/destination/egypt"}) {
            const std::string empty = site.page(path).text;
            CAPTURE(path);
            CHECK(has(empty, "<h2>No trips yet</h2>"));
            for (const char* absent : {"svc-filters", "svc-sort", "No trip fits all of that", "You may like these"})
                CHECK_FALSE(has(empty, absent));
        }
        CHECK(has(site.page("/trip?search=lakes").text, "No trip fits all of that"));
        site.set(Value::object({{"trips_per_page", 2}}));
        for (const char* name : {"A", "B", "C"})
            site.base.given_trip(name);
        for (const char* page : {"2", "3", "99"}) {
            const std::string text = site.page(std::string("/trip?page=") + page).text;
            CAPTURE(page);
            CHECK(has(text, ">A</a>"));
            CHECK_FALSE(has(text, "No trip fits all of that"));
            CHECK(has(text, "/trip?page=2\">"));  // the canonical address
            CHECK(has(text, "aria-current=\"page\">2</a>"));
        }
        CHECK(has(site.page("/trip?page=2&search=zzzz").text, "No trip fits all of that"));
    });
}

}  // namespace svc::tests
