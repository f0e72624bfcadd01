// The parts of pages that need no server: addresses, colours, the theme's chain, how amounts and days are written.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/website/pages/colours.hpp"
#include "base/website/pages/format.hpp"
#include "base/website/pages/router.hpp"
#include "base/website/pages/theme.hpp"
#include "shared/core/colour.hpp"

namespace svc::pages {
namespace {

namespace fs = std::filesystem;

struct Folder {
    fs::path path =
        fs::temp_directory_path() / ("svc-theme-" + std::to_string(std::rand()) + std::to_string(::getpid()));
    Folder() { fs::create_directories(path / "svc"); }
    ~Folder() {
        std::error_code none;
        fs::remove_all(path, none);
    }
    void write(const char* name, const std::string& text) const { std::ofstream(path / "svc" / name) << text; }
};

Bases bases() {
    return {.trip = "trip",
            .destination = "place",
            .activity = "activity",
            .trip_category = "kind",
            .book = "book",
            .account = "account"};
}

std::string found(const Router& router, std::string_view path) {
    const auto match = router.match(path, bases());
    return match.page ? match.page->type : std::string();
}

}  // namespace

TEST_CASE("a path is a page by the settings' bases, literals win over names, parts are decoded once") {
    Router router;
    for (const auto& [path, type] : {std::pair{"/", "home"},
                                     {"/{trip}", "listing"},
                                     {"/{trip}/{slug}", "trip"},
                                     {"/{book}/confirmation/{reference}", "done"},
                                     {"/{book}/{slug}/pay", "pay"}})
        router.add({.path = path, .type = type});
    CHECK(found(router, "/") == "home");
    CHECK(found(router, "/trip") == "listing");
    CHECK(found(router, "/trip/nile") == "trip");
    CHECK(found(router, "/book/confirmation/SVC-1") == "done");
    CHECK(found(router, "/book/nile/pay") == "pay");
    for (const char* path : {"/trips", "//", "/trip//", "/trip/a/b", "/book", "/trip/%00", "/trip/%zz", "trip", ""})
        CHECK(found(router, path).empty());
    CHECK(router.match("/trip/%E5%AF%8C%2F%2541", bases()).names.at("slug") == "富/%41");
    CHECK(router.match("/trip/a/b", bases()).is_ours);
    CHECK(!router.match("/blog", bases()).is_ours);
}

TEST_CASE("the site's colour is darkened or lightened until text on it can be read") {
    using colour::contrast;
    using colour::readable;
    CHECK(contrast("#000000", "#ffffff") == doctest::Approx(21));
    for (const char* each : {"#3b82f6", "#ffff00", "#ffffff", "#000000", "#10b981"}) {
        CHECK(contrast(readable(each, "#ffffff", 4.5), "#ffffff") >= 4.5);
        CHECK(contrast(readable(each, "#16181c", 4.5), "#16181c") >= 4.5);
    }
    // A button's text can be read in the dark, too.
    const std::string css = look_style({.colour = "#3b82f6", .accent = {}, .width = {}});
    const auto dark = css.find("dark){:root{--brand:"), on = css.find("--on-brand:", dark);
    CHECK(contrast(css.substr(dark + 20, 7), css.substr(on + 11, 7)) >= 4.5);
    CHECK(readable("#0000aa", "#ffffff", 4.5) == "#0000aa");
    CHECK(css.find("--accent") == std::string::npos);
    CHECK(look_style({.colour = "#abc", .accent = {}, .width = "70rem"}).find("--page:70rem") != std::string::npos);
    // Links are read on each ground of the theme, whatever colour is chosen.
    for (const char* each : {"#fd0", "#ffffff", "#000000", "#10b981"}) {
        const std::string both = look_style({.colour = "#3b82f6", .accent = each, .width = {}});
        const auto light = both.find("--accent:"), night = both.rfind("--accent:");
        REQUIRE(light < night);
        for (const char* ground : {"#ffffff", "#fbfaf8", "#f3f0ea"})
            CHECK(contrast(both.substr(light + 9, 7), ground) >= 4.5);
        for (const char* ground : {"#131417", "#1b1d21", "#22252a"})
            CHECK(contrast(both.substr(night + 9, 7), ground) >= 4.5);
    }
}

TEST_CASE("a file of the theme's folder replaces the bundled one; a broken one is reported and changes nothing") {
    const Folder folder;
    const auto model = json::Value::object({{"heading", "<b>"}, {"text", "x"}, {"type", "error"}});
    const std::string before = Theme((folder.path / "absent").string()).render("error", model, "en", true);
    folder.write("error.html", "mine {{heading}}");
    CHECK(Theme(folder.path.string()).render("error", model, "en", true) == "mine &lt;b&gt;");
    for (const char* broken : {"{{#open}}", "{{{heading}}}", "{{> nothing}}", "{{=<% %>=}}", "{{> error}}"}) {
        folder.write("error.html", broken);
        const Theme theme(folder.path.string());
        CAPTURE(broken);
        CHECK(theme.render("error", model, "en", true) == before);
        REQUIRE(theme.faults().size() == 1);
        CHECK(theme.faults()[0].file == "error.html");
        CHECK(!theme.faults()[0].help.empty());
    }
}

TEST_CASE("a tag that no page has is a finding of the theme's check, with file and line; the theme's own are none") {
    const Folder folder;
    CHECK(Theme(folder.path.string()).unknown_tags().empty());
    for (const auto& [name, text] : Theme::bundled())
        if (name.ends_with(".html"))
            folder.write(name.c_str(), std::string(text));
    CHECK(Theme(folder.path.string()).unknown_tags().empty());
    folder.write("single-trip.html",
                 "<h1>{{title}}</h1>\n{{meta.season}}\n<p>{{sumary}}</p>{{#t}}From {pric}{{/t}}\n"
                 "{{#site.nam}}x{{/site.nam}}\n{{> part-mine}}");
    folder.write("part-mine.html", "\n{{{own_htm_html}}}");
    folder.write("account-of-a-plugin.html", "{{its_own}}");
    const auto found = Theme(folder.path.string()).unknown_tags();
    std::string all;
    for (const auto& [file, help] : found)
        all += file + " " + help + "\n";
    CAPTURE(all);
    REQUIRE(found.size() == 4);
    CHECK(all.find("part-mine.html line 2: no page has {{own_htm_html}}") != std::string::npos);
    CHECK(all.find("single-trip.html line 3: no page has {{sumary}}") != std::string::npos);
    CHECK(all.find("single-trip.html line 3: no page has {{pric}}") != std::string::npos);
    CHECK(all.find("single-trip.html line 4: no page has {{site.nam}}") != std::string::npos);
}

TEST_CASE("every bundled template can be read, alone and within the layout, with nothing to show") {
    const Theme theme("");
    for (const auto& [name, text] : Theme::bundled()) {
        if (!name.ends_with(".html"))
            continue;
        CAPTURE(name);
        const std::string page = theme.render(name.substr(0, name.size() - 5), json::Value::object(), "en", true);
        CHECK(page.find("{{") == std::string::npos);
        // No inline style or script passes the policy.
        CHECK(text.find("style=\"") == std::string::npos);
        CHECK(text.find("onclick") == std::string::npos);
    }
}

TEST_CASE("amounts and days are written as the settings say") {
    Format words;
    CHECK(words.price(json::Number{"1234.00"}, "USD") == "USD 1,234");
    CHECK(words.price(json::Number{"1234.50"}, "USD") == "USD 1,234.50");
    CHECK(words.amount(json::Number{"1234.00"}, "USD") == "USD 1,234.00");
    CHECK(words.amount(json::Number{"1234"}, "JPY") == "JPY 1,234");
    CHECK(words.amount(json::Value(), "USD").empty());
    CHECK(words.figures(json::Number{"1299.50"}, "USD") == "1,299.50");
    CHECK(words.figures(json::Number{"12.345"}, "KWD") == "12.345");
    CHECK(words.figures(json::Value(), "USD").empty());
    CHECK(words.day("2026-12-11") == "Fri, 11 December 2026");
    CHECK(words.time("18:30") == "18:30");
    words.look.date_format = "d/m/Y";
    words.look.currency_behind = true;
    words.look.time_format = "g:i A";
    CHECK(words.figures(json::Number{"1299.50"}, "USD") == "1,299.50");
    CHECK(words.day("2026-12-11") == "11/12/2026");
    CHECK(words.time("00:05") == "12:05 AM");
    CHECK(words.price(json::Number{"5.00"}, "EUR") == "5 EUR");
}

TEST_CASE("texts that come with the server are in the site's language, and those of the operator stay") {
    const Format german{.look = {}, .locale = "de"};
    CHECK(german.default_text("First name") == "Vorname");
    CHECK(german.default_text("per group") == "pro Gruppe");
    for (const char* own : {"Fun days / 4 nights", "This must be a number from 1 to 200", "", "{text}", "Mein Haus"})
        CHECK(german.default_text(own) == own);
    CHECK(Format{}.default_text("First name") == "First name");
    const auto trip = [](int days, int nights, const char* label) {
        return json::Value::object({{"duration_days", days}, {"duration_nights", nights}, {"duration_label", label}});
    };
    CHECK(german.duration(trip(5, 4, "5 days / 4 nights")) == "5 Tage / 4 Nächte");
    CHECK(german.duration(trip(2, 1, "2 days / 1 night")) == "2 Tage / 1 Nacht");
    CHECK(german.duration(trip(5, 4, "Five days of fun")) == "Five days of fun");  // a plugin's words
    CHECK(Format{}.duration(trip(5, 4, "5 days / 4 nights")) == "5 days / 4 nights");
    CHECK(german.day("2026-12-11") == "Fr., 11. Dezember 2026");
    CHECK(german.month("2026-12-11") == "Dezember 2026");
}

}  // namespace svc::pages
