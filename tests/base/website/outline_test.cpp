// What assistive programs go by: headings in order, lists of facts that hold nothing else.
#include <regex>

#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;

// The levels of the headings, "1223"; no level is left out on the way down.
void check_outline(const std::string& page) {
    char before = '0';
    for (auto at = page.find("<h"); at != std::string::npos; at = page.find("<h", at + 2)) {
        const char level = page[at + 2];
        if (level < '1' || level > '6')
            continue;
        CAPTURE(page.substr(at, 80));
        CHECK(level <= before + 1);
        before = level;
    }
    CHECK(before != '0');
}

// A group of a list of facts begins with its term.
void check_facts(const std::string& page) {
    for (auto at = page.find("<dl"); at != std::string::npos; at = page.find("<dl", at + 3)) {
        const std::string list = page.substr(at, page.find("</dl>", at) - at);
        static const std::regex other(R"(<div[^>]*>\s*<(?!dt))");
        CAPTURE(list);
        CHECK_FALSE(std::regex_search(list, other));
    }
}

}  // namespace

TEST_CASE("the headings of each public page are in order, and its lists of facts hold terms and facts alone") {
    each_page_site([](PageSite& site) {
        const Visitor& staff = site.base.user("administrator");
        const auto place = site.base.post(
            "/destinations", Value::object({{"name", "Egypt"}, {"status", "publish"}, {"description", "Old."}}), staff);
        const auto id = place.data()["id"];
        const auto trip = site.base.given_trip("Nile cruise");
        REQUIRE(site.base
                    .call("PUT", "/trips/" + std::to_string(trip),
                          Value::object({{"destinations", Value::array({id})}}).dump(), staff)
                    .status == 200);
        site.base.given_trip("Desert ride");
        site.base.given_departure(trip, 30, 8);
        REQUIRE(site.base
                    .post("/reviews",
                          Value::object({{"trip_id", trip},
                                         {"rating", 4},
                                         {"title", "Calm"},
                                         {"content", "Splendid"},
                                         {"author_name", "Ada"},
                                         {"author_email", "ada@example.org"},
                                         {"status", "approved"}}),
                          staff)
                    .status == 201);
        site.set(Value::object({{"enable_comparison", true}}));
        for (const std::string address :
             {"/", "/trip", "/trip?search=zzzz", "/trip?min_duration=1", "/trip/nile-cruise",
              "/trip/nile-cruise/enquiry", "/trip/nile-cruise/review", "/destination", "/destination/egypt",
              "/activity", "/compare?trip=nile-cruise&trip=desert-ride", "/book/nile-cruise", "/account/login",
              "/account/register", "/account/forgot", "/account/find-booking", "/embed/nile-cruise", "/privacy-choices",
              "/nowhere"}) {
            CAPTURE(address);
            const auto shown = site.page(address);
            if (shown.status == 303)  // to the page where one signs in
                continue;
            check_outline(shown.text);
            check_facts(shown.text);
        }
        CHECK(has(site.page("/trip/nile-cruise").text, "<dl class=\"svc-facts\"><div><dt><svg"));
    });
}

}  // namespace svc::tests
