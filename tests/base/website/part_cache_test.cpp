// Parts of pages that are remembered: found again by the versions of their data, bounded in bytes, changed at once.
#include "base/website/pages/part_cache.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;
using pages::PartCache;
namespace fs = std::filesystem;

std::int64_t hits(PageSite& site) { return site.base.assembly->pages.kept.usage().hits; }
std::int64_t misses(PageSite& site) { return site.base.assembly->pages.kept.usage().misses; }

// Renders a page with the remembered parts.
std::string again(PageSite& site, const std::string& target) {
    site.pages().written();
    const auto page = site.page(target);
    CHECK(page.status == 200);
    return page.text;
}

void change_trip(PageSite& site, std::int64_t id, const Value& body) {
    const auto done =
        site.base.call("PUT", "/trips/" + std::to_string(id), body.dump(), site.base.user("administrator"));
    CAPTURE(done.text);
    REQUIRE(done.status == 200);
}

std::size_t bytes_of(const PartCache& kept) { return static_cast<std::size_t>(kept.usage().bytes); }

}  // namespace

TEST_CASE("a part is found by its name, the version of its data, and what it was made with") {
    PartCache kept(100'000);
    const auto part = kept.put("card:1", "v1", "en");
    CHECK(kept.find("card:1", "v1", "en") == part);
    CHECK(!kept.find("card:1", "v1", "de"));
    CHECK(!kept.find("card:1", "v2", "en"));
    CHECK(!kept.find("card:1", "v", "en"));
    CHECK(!kept.find("card:1", "v11", "en"));
    CHECK(!kept.find("card:2", "v1", "en"));
    kept.put("card:1", "v2", "en");
    CHECK(kept.find("card:1", "v2", "en"));
    CHECK(!kept.find("card:1", "v1", "en"));
    CHECK(kept.usage().entries == 1);
    // Data that has no version may change at any time.
    CHECK(kept.put("card:2", "", "en"));
    CHECK(!kept.find("card:2", "", "en"));
    CHECK(kept.usage().entries == 1);
}

TEST_CASE("remembered parts and their texts stay within their bytes; those shown longest ago go first") {
    constexpr std::size_t most = 100'000;
    PartCache kept(most);
    const std::string row(1000, 'x');
    for (int i = 0; i < 1000; ++i) {
        kept.put(std::to_string(i), row, "en")->texts->add({.section = 1, .locale = "en", .text = row});
        CHECK(kept.find("0", row, "en"));
    }
    CHECK(bytes_of(kept) <= most + 3000);  // the last one's text came after it
    CHECK(bytes_of(kept) > most / 2);
    CHECK(kept.find("999", row, "en"));
    CHECK(!kept.find("1", row, "en"));
    // A part that is too large is shown but not stored.
    CHECK(kept.put("large", std::string(most, 'x'), "en"));
    CHECK(!kept.find("large", std::string(most, 'x'), "en"));
    // A part has few texts, and they count no more once the part is gone.
    const auto part = kept.put("many", "y", "en");
    const std::size_t before = bytes_of(kept);
    for (std::uint64_t section = 0; section < 100; ++section)
        part->texts->add({.section = section, .locale = "en", .text = row});
    CHECK(bytes_of(kept) < before + 10 * row.size());
}

TEST_CASE("texts that are added to remembered parts count, too: a look-up makes room, a huge text is not kept") {
    constexpr std::size_t most = 100'000;
    PartCache kept(most);
    std::vector<std::shared_ptr<pages::CachedPart>> parts;
    for (int i = 0; i < 40; ++i)
        parts.push_back(kept.put(std::to_string(i), "row", "en"));
    const std::string text(5000, 'x');
    for (const auto& part : parts)
        part->texts->add({.section = 1, .locale = "en", .text = text});
    parts.clear();
    CHECK(bytes_of(kept) > most);
    CHECK(kept.find("39", "row", "en"));
    CHECK(bytes_of(kept) <= most);
    const auto part = kept.put("huge", "row", "en");
    part->texts->add({.section = 1, .locale = "en", .text = std::string(1'000'000, 'x')});
    CHECK(!part->texts->find(1, [](const auto&) { return true; }));
}

TEST_CASE("staff see, clear and turn off the remembered parts of pages") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        const std::string first = again(site, "/trip");
        const auto& admin = site.base.user("administrator");
        auto& kept = site.base.assembly->pages.kept;
        for (int tries = 0; tries < 50 && kept.usage().entries == 0; ++tries)
            again(site, "/trip");
        CHECK(has(site.base.get("/cache/view?search=page_parts", admin).text, "page_parts:"));
        CHECK(site.base.call("DELETE", "/cache/clear-all", {}, admin).status == 200);
        CHECK(kept.usage().entries == 0);
        // They are forgotten where the catalogue is read anew meanwhile.
        for (int tries = 0; tries < 50 && (tries == 0 || kept.usage().entries == 0); ++tries)
            CHECK(again(site, "/trip") == first);
        CHECK(kept.usage().entries > 0);
        CHECK(site.base.call("PUT", "/cache/disable", {}, admin).status == 200);
        CHECK(again(site, "/trip") == first);
        CHECK(kept.usage().entries == 0);
    });
}

TEST_CASE("a similar trip shows nothing of the trip whose page it is on") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_trip("Kilimanjaro");
        const auto& admin = site.base.user("administrator");
        const auto made = [&](const char* path, const char* body) {
            const auto answer = site.base.call("POST", path, body, admin);
            CAPTURE(answer.text);
            REQUIRE(answer.status == 201);
            return answer.data()["id"].integer();
        };
        const auto level = made("/difficulty-levels", R"({"name":"Strenuous","status":"publish"})");
        const auto category = made("/trip-categories", R"({"name":"Rivers","status":"publish"})");
        change_trip(site, id, Value::object({{"difficulty_level", level}, {"is_featured", true}}));
        for (const auto each : {id, id + 1})
            change_trip(site, each, Value::object({{"trip_category", Value::array({category})}}));
        const std::string page = again(site, "/trip/nile-cruise");
        const auto similar = page.find("Similar trips");
        REQUIRE(similar != std::string::npos);
        CHECK(has(page.substr(0, similar), "Strenuous"));
        CHECK(has(page.substr(similar), "Kilimanjaro"));
        CHECK(!has(page.substr(similar), "Strenuous"));
        CHECK(!has(page.substr(similar), "Featured"));
    });
}

TEST_CASE("remembered parts are found and replaced by several threads at once") {
    PartCache kept(20'000);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 5000; ++i) {
                const std::string name = std::to_string(i % 40),
                                  row = name + ":" + std::to_string(i / 1000 + thread % 2);
                auto part = kept.find(name, row, "en");
                if (!part)
                    part = kept.put(name, row, "en");
                if (part->version != row)
                    ++wrong;
                part->texts->add({.section = 1, .locale = "en", .text = row});
                const auto text = part->texts->find(1, [](const auto&) { return true; });
                if (!text || text->text != row)
                    ++wrong;
            }
        });
    for (std::thread& each : threads)
        each.join();
    CHECK(wrong == 0);
    CHECK(bytes_of(kept) <= 30'000);
}

TEST_CASE("cards of a listing are used again, and one whose trip has changed is made anew") {
    each_page_site([](PageSite& site) {
        const auto nile = site.base.given_trip("Nile cruise");
        site.base.given_trip("Kilimanjaro");
        site.set(Value::object({{"enable_comparison", true}}));
        const std::string first = again(site, "/trip");
        CHECK(again(site, "/trip") == first);  // the first text of a line, the second from memory
        const auto hits_before = hits(site), misses_before = misses(site);
        CHECK(again(site, "/trip") == first);
        CHECK(hits(site) - hits_before == 2);
        CHECK(misses(site) == misses_before);
        change_trip(site, nile, Value::object({{"title", "Nile <cruise>"}, {"regular_price", 120}}));
        const std::string changed = again(site, "/trip");
        CHECK(misses(site) == misses_before + 1);
        CHECK(has(changed, ">Nile &lt;cruise&gt;</a>"));
        CHECK(has(changed, "USD 120"));
        CHECK(has(changed, R"("name":"Nile \u003ccruise>")"));
        CHECK(has(changed, ">Kilimanjaro</a>"));
        // Alone it is not compared with others: what the card reads outside of itself is another now.
        CHECK(has(changed, "form=\"svc-compare\""));
        CHECK(!has(again(site, "/trip?search=Kilimanjaro"), "form=\"svc-compare\""));
        CHECK(has(again(site, "/trip"), "form=\"svc-compare\""));
    });
}

TEST_CASE("remembered cards follow the language and the amounts of the site, there and back") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        change_trip(site, id, Value::object({{"is_featured", true}}));
        const std::string english = again(site, "/trip");
        CHECK(has(english, "<span class=\"svc-badge\">Featured</span>"));
        CHECK(has(english, "USD 100"));
        for (int twice = 0; twice < 2; ++twice) {
            site.set(Value::object({{"site_language", "de"}, {"currency_position", "right_space"}}));
            for (int each = 0; each < 2; ++each) {
                const std::string german = again(site, "/trip");
                CHECK(has(german, "<span class=\"svc-badge\">Empfohlen</span>"));
                CHECK(has(german, "100 USD"));
                CHECK(!has(german, "USD 100"));
            }
            site.set(Value::object({{"site_language", "en"}, {"currency_position", "left"}}));
            CHECK(again(site, "/trip") == english);
        }
        site.set(Value::object({{"multi_currency", true},
                                {"enabled_currencies", Value::array({"EUR"})},
                                {"currency_rates", Value::object({{"EUR", json::Number{"0.5"}}})}}));
        CHECK(has(again(site, "/trip"), "EUR 50"));
        site.set(Value::object({{"currency_rates", Value::object({{"EUR", json::Number{"0.25"}}})}}));
        CHECK(has(again(site, "/trip"), "EUR 25"));
        CHECK(!has(again(site, "/trip"), "EUR 50"));
    });
}

TEST_CASE("a listener that takes prices' notes off is asked for remembered cards, too") {
    static std::atomic<bool> shows = true;
    shows = true;
    static std::atomic<int> calls = 0;
    const BeforeStart before([](app::Assembly& base) {
        listen(base, "svc_get_dynamic_pricing_display_settings", [](store::Transaction*, const json::Array& given) {
            ++calls;
            Value told = given[0];
            told.set("show_original_price", shows.load());
            return told;
        });
    });
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        change_trip(site, id, Value::object({{"discounted_price", 80}}));
        for (int twice = 0; twice < 2; ++twice) {
            shows = true;
            CHECK(has(again(site, "/trip"), "<del>USD 100</del>"));
            CHECK(has(again(site, "/trip"), "<del>USD 100</del>"));
            shows = false;
            const int asked = calls;
            CHECK(!has(again(site, "/trip"), "<del>"));
            CHECK(!has(again(site, "/trip"), "<del>"));
            CHECK(calls >= asked + 2);
        }
    });
}

TEST_CASE("texts and dates of a trip's page are used again, and a change of one of them shows at once") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        const auto departure = site.base.given_departure(id, 30, 3);
        change_trip(site, id, Value::object({{"description", "<p>Slow water.</p>"}}));
        const auto shown = [&] { return again(site, "/trip/nile-cruise"); };
        const std::string first = shown();
        CHECK(has(first, "Slow water."));
        CHECK(has(first, "3 left"));
        const auto hits_before = hits(site);
        auto misses_before = misses(site);
        CHECK(shown() == first);
        CHECK(hits(site) - hits_before == 2);  // texts and dates
        CHECK(misses(site) == misses_before);
        // Whether anything was made anew for a change: the changed part alone.
        const auto changed = [&](std::string_view now, std::string_view before) {
            const std::string page = shown();
            CAPTURE(now);
            CHECK(has(page, now));
            CHECK(!has(page, before));
            CHECK(misses(site) - misses_before == 1);
            misses_before = misses(site);
        };
        change_trip(site, id, Value::object({{"description", "<p>Fast water.</p>"}}));
        changed("Fast water.", "Slow water.");
        const std::string all = "/trips/" + std::to_string(id) + "/departures/", at = all + std::to_string(departure);
        REQUIRE(site.base.call("PUT", at, R"({"max_capacity":2})", site.base.user("administrator")).status == 200);
        changed("2 left", "3 left");
        site.base.given_booking(id);
        changed("1 left", "2 left");
        const auto more = site.base.given_departure(id, 45, 5);
        changed("5 left", "2 left");
        REQUIRE(site.base.call("DELETE", all + std::to_string(more), {}, site.base.user("administrator")).status ==
                200);
        changed("1 left", "5 left");
        change_trip(site, id, Value::object({{"regular_price", 90}}));
        const std::string dearer = shown();
        CHECK(has(dearer, "USD 90"));
        CHECK(!has(dearer, "USD 100"));
    });
}

TEST_CASE("a theme's file that shows cards otherwise takes the place of remembered ones, and gives it back") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        const std::string before = again(site, "/trip");
        CHECK(again(site, "/trip") == before);
        const fs::path folder = fs::path(site.base.assembly->options.data_dir) / "theme/svc";
        const auto once_it_is = [&](bool wanted, std::string_view part) {
            for (int i = 0; i < 600; ++i) {  // the folder is looked at once a second
                if (has(again(site, "/trip"), part) == wanted)
                    return true;
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
            return false;
        };
        fs::create_directories(folder);
        std::ofstream(folder / "part-cards.html")
            << "<ol>{{#trips}}<li>{{title}} at {{site.name}} of {{total}}: {{price}}</li>{{/trips}}</ol>";
        CHECK(once_it_is(true, "<li>Nile cruise at Our trips of 1: USD 100</li>"));
        CHECK(has(again(site, "/trip"), "<li>Nile cruise at Our trips of 1: USD 100</li>"));
        site.set(Value::object({{"company_name", "Blue"}}));
        CHECK(has(again(site, "/trip"), "<li>Nile cruise at Blue of 1: USD 100</li>"));
        site.base.given_trip("Kilimanjaro");
        CHECK(has(again(site, "/trip"), "<li>Nile cruise at Blue of 2: USD 100</li>"));
        fs::remove_all(folder);
        CHECK(once_it_is(false, "<ol>"));
        CHECK(has(again(site, "/trip"), "<li class=\"svc-card\">"));
    });
}

}  // namespace svc::tests
