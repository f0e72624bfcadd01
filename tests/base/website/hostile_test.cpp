// Addresses, forms, themes and settings from people who mean no good, and what is nobody's page.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "base/website/pages/theme.hpp"
#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;

const char* const scripts_of_slugs[] = {"富士山", "гора", "جبل", "हिमालय", "θάλασσα", "ภูเขา", "산", "ձյուն", "מדבר"};

std::string percent(std::string_view text) {
    std::string out;
    for (const char c : text) {
        constexpr const char* digits = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(c);
        ((out += '%') += digits[byte >> 4U]) += digits[byte & 15U];
    }
    return out;
}

}  // namespace

TEST_CASE("slugs of every script are addresses, encoded or not, and links lead to them") {
    each_page_site([](PageSite& site) {
        const Visitor& staff = site.base.user("administrator");
        for (const std::string slug : scripts_of_slugs) {
            CAPTURE(slug);
            const auto made = site.base.post(
                "/trips",
                Value::object({{"title", slug}, {"slug", slug}, {"regular_price", 100}, {"status", "publish"}}), staff);
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            const std::string stored = made.data()["slug"].text();
            site.pages().written();
            const auto page = site.page("/trip/" + percent(stored));
            CHECK(page.status == 200);
            CHECK(has(page.text, "<h1>" + slug + "</h1>"));
            CHECK(has(page.text, "rel=\"canonical\" href=\"https://example.org/trip/" + percent(stored) + "\""));
            CHECK(site.page("/trip/" + stored).status == 200);
            CHECK(has(site.page("/trip?per_page=100").text, "/trip/" + stored));
            CHECK(site.page("/embed/" + percent(stored)).status == 200);
        }
    });
}

TEST_CASE("a thousand filters, long ones and odd ones are answered in words, never with an error of ours") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        std::string many;
        for (int i = 0; i < 1000; ++i)
            many += (i ? "&destination=d" : "destination=d") + std::to_string(i);
        for (const std::string& query :
             {many, "search=" + std::string(5000, 'x'), std::string("min_price=1e999999999"),
              std::string("min_price=-1&max_price=99999999999999999999999"), std::string("page=0"),
              std::string("page=99999999999999999999"), std::string("page=-1"), std::string("from=2026-02-30&to=x"),
              std::string("sort=%00"), std::string("destination[]=a&destination[b]=c"), std::string("search=%ff%fe"),
              std::string("card_layout=%3Cscript%3E"), std::string("min_rating=NaN"), std::string("&&&==&"),
              std::string("trip_type=single_day%27%20OR%201=1"), std::string("facets=0&per_page=100000")}) {
            const auto page = site.page("/trip?" + query);
            CAPTURE(query.substr(0, 60));
            CAPTURE(page.text.substr(0, 300));
            CHECK((page.status == 200 || page.status == 400));
            CHECK(!has(page.text, "<script>"));
            CHECK(has(page.text, "<main"));
        }
    });
}

TEST_CASE("a form without nonce, with another's nonce, or from elsewhere changes nothing for who is signed in") {
    each_page_site([](PageSite& site) {
        const Visitor ada = site.base.cookie("svc_customer", true);
        const auto profile = site.page("/account/profile", ada);
        REQUIRE(profile.status == 200);
        const auto names = [&] {
            return site.base.number("SELECT COUNT(*) FROM svc_customers WHERE first_name = 'Evil'");
        };
        for (const char* fields : {"action=profile&first_name=Evil", "action=profile&first_name=Evil&_nonce=",
                                   "action=profile&first_name=Evil&_nonce=ffffffffffffffffffffffffffffffffffffffff"}) {
            const auto refused = site.form("/account/profile", fields, ada);
            CHECK(refused.status == 403);
            CHECK(has(refused.text, "Nothing has been changed"));
        }
        for (const char* origin :
             {"https://evil.example", "null", "https://example.org.evil.example", "http://example.org"}) {
            Visitor from = ada.with("Content-Type", "application/x-www-form-urlencoded").with("Origin", origin);
            CHECK(site.ask("POST", "/account/profile", "action=profile&first_name=Evil", from).status == 403);
        }
        const Visitor silent = ada.with("Content-Type", "application/x-www-form-urlencoded");
        CHECK(site.ask("POST", "/account/profile", "first_name=Evil", silent).status == 403);
        CHECK(site.ask("POST", "/account/profile", "first_name=Evil", silent.with("Sec-Fetch-Site", "cross-site"))
                  .status == 403);
        const Visitor json = ada.with("Content-Type", "application/json").with("Origin", "https://example.org");
        CHECK(site.ask("POST", "/account/profile", "{}", json).status == 415);
        CHECK(names() == 0);
    });
}

TEST_CASE("bases may not be what the server uses itself, nor may pages of the site") {
    each_page_site([](PageSite& site) {
        const Visitor& staff = site.base.user("administrator");
        for (const char* taken : {"admin", "svc", "embed", "assets"}) {
            for (const char* key : {"trip_base", "destination_base", "activity_base", "trip_category_base",
                                    "booking_base", "account_base"}) {
                const auto put = site.base.call("PUT", "/settings", Value::object({{key, taken}}).dump(), staff);
                CAPTURE(key);
                CAPTURE(taken);
                CHECK(put.status == 400);
                CHECK(put.field() == key);
            }
            CHECK(site.base
                      .call("PUT", "/settings/pages",
                            Value::object({{"pages", Value::array({Value::object({{"title", "X"}, {"slug", taken}})})}})
                                .dump(),
                            staff)
                      .status == 400);
        }
        site.set(Value::object({{"trip_base", "reise"}}));
        CHECK(site.page("/reise").status == 200);
        CHECK(site.page("/trip").status == 301);
    });
}

TEST_CASE("addresses below a base that the operator changed lead to those of today, as often as it changes") {
    each_page_site([](PageSite& site) {
        site.base.given_departure(site.base.given_trip("Nile cruise"), 30, 8);
        const auto check_moved = [&](const std::string& from, const std::string& to) {
            CAPTURE(from);
            const auto moved = site.page(from);
            CHECK(moved.status == 301);
            CHECK(moved.header("Location") == to);
        };
        site.set(Value::object({{"trip_base", "reise"}, {"account_base", "konto"}, {"booking_base", "buchen"}}));
        check_moved("/trip/nile-cruise?x=1", "/reise/nile-cruise?x=1");
        check_moved("/trip", "/reise");
        check_moved("/account/login", "/konto/login");
        check_moved("/book/confirmation/SVC-ZZZZZZZZ?booking_token=abc",
                    "/buchen/confirmation/SVC-ZZZZZZZZ?booking_token=abc");
        CHECK(site.page("/trip/nile-cruise/x/y").status == 404);
        // A form that was open meanwhile is taken.
        CHECK(site.form("/account/login", "username=nobody&password=wrong").status == 400);
        site.set(Value::object({{"trip_base", "voyage"}}));
        check_moved("/trip/nile-cruise", "/voyage/nile-cruise");
        check_moved("/reise/nile-cruise", "/voyage/nile-cruise");
        // The base of today wins over what others were before.
        site.set(Value::object({{"trip_base", "trip"}, {"activity_base", "reise"}}));
        CHECK(site.page("/trip/nile-cruise").status == 200);
        CHECK(site.page("/reise").status == 200);
        check_moved("/voyage/nile-cruise", "/trip/nile-cruise");
        check_moved("/activity", "/reise");
        const auto stored =
            site.base.call("PUT", "/settings", R"({"former_trip_bases":["x"]})", site.base.user("administrator"));
        CHECK(stored.data()["rejected_keys"].size() == 1);
    });
}

TEST_CASE("site_unclaimed: what is no page is our 404, or handed to the host; below our bases it is always ours") {
    each_page_site([](PageSite& site) {
        const auto before = site.page("/blog/2026/hello");
        CHECK(before.status == 404);
        CHECK(has(before.text, "svc-page-not-found"));
        site.set(Value::object({{"site_unclaimed", "accel:@host"}}));
        const auto handed = site.page("/blog/2026/hello?x=1");
        CHECK(handed.header("X-Accel-Redirect") == "@host");
        CHECK(handed.text.empty());
        for (const char* ours : {"/trip/nothing", "/destination/nothing", "/book/x/y/z", "/account/x/y/z"}) {
            const auto page = site.page(ours);
            CAPTURE(ours);
            CHECK(page.status == 404);
            CHECK(page.header("X-Accel-Redirect").empty());
        }
        for (const char* bad : {"accel:host", "accel:@", "accel:@a b", "302", "accel:@../x"})
            CHECK(site.base
                      .call("PUT", "/settings", Value::object({{"site_unclaimed", bad}}).dump(),
                            site.base.user("administrator"))
                      .status == 400);
    });
}

TEST_CASE("body classes name the page's type, and old slugs are 301 on pages, frames and fragments") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        for (const auto& [path, type] : {std::pair{"/", "home"},
                                         {"/trip", "listing-trip"},
                                         {"/trip/nile-cruise", "single-trip"},
                                         {"/destination", "listing-destination"},
                                         {"/activity", "listing-activity"},
                                         {"/trip-category", "listing-trip-category"},
                                         {"/book/nile-cruise", "booking"},
                                         {"/trip/nile-cruise/enquiry", "enquiry"},
                                         {"/account/login", "login-page"},
                                         {"/account/register", "register"},
                                         {"/account/forgot", "forgot"},
                                         {"/nowhere", "not-found"}}) {
            CAPTURE(path);
            CHECK(has(site.page(path).text, std::string("<body class=\"svc-page svc-page-") + type + "\">"));
        }
        REQUIRE(
            site.base.call("PUT", "/trips/" + std::to_string(id), R"({"slug":"nile"})", site.base.user("administrator"))
                .status == 200);
        site.pages().written();
        for (const auto& [from, to] :
             {std::pair{"/trip/nile-cruise", "/trip/nile"}, {"/embed/nile-cruise", "/embed/nile"}}) {
            const auto moved = site.page(from);
            CHECK(moved.status == 301);
            CHECK(moved.header("Location") == to);
        }
    });
}

TEST_CASE("the links to terms and privacy lead to pages with their content") {
    each_page_site([](PageSite& site) {
        REQUIRE(
            site.base
                .call("PUT", "/settings/pages",
                      R"({"pages":[{"id":1,"title":"Terms of sale","content":"<h2>Paying</h2><script>x()</script>"},)"
                      R"({"id":2,"title":"Privacy","content":"<p onclick=\"x()\">We keep little.</p>"}]})",
                      site.base.user("administrator"))
                .status == 200);
        site.set(Value::object({{"terms_page_id", 1}, {"privacy_policy_page_id", 2}}));
        const std::string home = site.page("/").text;
        CHECK(has(home, "<a href=\"/terms-of-sale\">Terms of sale</a>"));
        CHECK(has(home, "<a href=\"/privacy\">Privacy</a>"));
        const auto terms = site.page("/terms-of-sale"), privacy = site.page("/privacy");
        CHECK(terms.status == 200);
        CHECK(has(terms.text, "Paying"));
        CHECK(!has(terms.text, "x()"));
        CHECK(has(privacy.text, "We keep little."));
        CHECK(!has(privacy.text, "onclick"));
    });
}

TEST_CASE("hostile themes: endless, huge, deep, binary and unsafe files change no page and are reported") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("svc-hostile-" + std::to_string(::getpid()));
    fs::create_directories(folder / "svc");
    const auto model = Value::object({{"heading", "H"}, {"text", "T"}});
    const std::string before = pages::Theme("").render("error", model, "en", true);
    std::string deep;
    for (int i = 0; i < 100; ++i)
        deep += "{{#a" + std::to_string(i) + "}}";
    std::string many;
    for (int i = 0; i < 30'000; ++i)
        many += "{{x}}";
    for (const std::string& text :
         {std::string(300 * 1024, 'x'), deep, many, std::string("{{> error}}"), std::string("{{{heading}}}"),
          std::string("{{&heading}}"), std::string("{{=<% %>=}}"), std::string("{{#a}}"), std::string("{{"),
          std::string("\xff\xfe{{heading")}) {
        std::ofstream(folder / "svc" / "error.html", std::ios::binary | std::ios::trunc) << text;
        const pages::Theme theme(folder.string());
        CAPTURE(text.substr(0, 40));
        CHECK(theme.render("error", model, "en", true) == before);
        REQUIRE(theme.faults().size() == 1);
        CHECK(theme.faults()[0].file == "error.html");
    }
    // Two files that include each other, and what is no file at all.
    std::ofstream(folder / "svc" / "error.html", std::ios::trunc) << "{{> notice}}";
    std::ofstream(folder / "svc" / "notice.html", std::ios::trunc) << "{{> error}}";
    fs::create_directories(folder / "svc" / "home.html");
    fs::create_symlink("/dev/zero", folder / "svc" / "content.html");
    const pages::Theme theme(folder.string());
    CHECK(theme.faults().size() >= 2);
    CHECK(!theme.render("error", model, "en", true).empty());
    CHECK(!theme.render("home", Value::object(), "en", true).empty());
    fs::remove_all(folder);
}

}  // namespace svc::tests
