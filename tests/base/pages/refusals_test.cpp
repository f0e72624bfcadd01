// A form that is refused says so first: in the page's title, and with the focus on what is wrong.
#include "tests/base/pages/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;

void check_refused(PageSite& site, const std::string& address, const std::string& fields, std::string_view begins,
                   const Visitor& visitor = {}) {
    CAPTURE(address);
    CAPTURE(fields);
    const auto refused = site.form(address, fields, visitor);
    CHECK(refused.status >= 400);
    CHECK(has(refused.text, "<title>" + std::string(begins)));
    const auto focus = refused.text.find(" autofocus");
    REQUIRE(focus != std::string::npos);
    CHECK(refused.text.find(" autofocus", focus + 1) == std::string::npos);  // the browser takes one
    const auto element = refused.text.rfind('<', focus);
    CHECK(has(refused.text.substr(element, focus - element), "role=\"alert\""));
    CHECK(has(refused.text.substr(element, focus - element), "tabindex=\"-1\""));
}

}  // namespace

TEST_CASE("a refused form's page begins its title with \"Error:\" and has the focus on the summary") {
    each_page_site([](PageSite& site) {
        const auto trip = site.base.given_trip("Nile cruise");
        site.base.given_departure(trip, 30, 8);
        for (const auto& [language, begins] : {std::pair{"en", "Error: "}, {"de", "Fehler: "}}) {
            site.set(Value::object({{"site_language", language}}));
            for (const auto& [address, fields] :
                 {std::pair{"/trip/nile-cruise/enquiry", "customer_name=&customer_email=x&message="},
                  {"/account/login", "username=nobody&password=wrong"},
                  {"/account/register", "first_name=&email=x"},
                  {"/account/forgot", "email="},
                  {"/account/find-booking", "reference=&email=x"},
                  {"/trip/nile-cruise/review", "content="},
                  {"/book/nile-cruise", "date=&travelers=1"},
                  {"/book/nile-cruise/waitlist", "date=2099-01-01&travelers=0"}})
                check_refused(site, address, fields, begins);
        }
    });
}

TEST_CASE("the summary of a refused form names each field that is wrong and leads to it") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        const auto asked = site.form("/trip/nile-cruise/enquiry", "customer_name=&customer_email=x&message=").text;
        for (const char* link :
             {"<a href=\"#f-customer_name\">Your name</a>: ", "<a href=\"#f-customer_email\">E-mail</a>: ",
              "<a href=\"#f-message\">Your question</a>: "})
            CHECK(has(asked, link));
        CHECK(has(site.form("/account/register", "first_name=&email=x").text, "<a href=\"#f-email\">"));
    });
}

TEST_CASE("a page that was only opened has no \"Error:\" in its title and leaves the focus alone") {
    each_page_site([](PageSite& site) {
        site.base.given_departure(site.base.given_trip("Nile cruise"), 30, 8);
        for (const char* address : {"/", "/trip/nile-cruise", "/trip/nile-cruise/enquiry", "/account/login",
                                    "/account/find-booking", "/book/nile-cruise", "/nowhere"}) {
            CAPTURE(address);
            const auto shown = site.page(address);
            CHECK_FALSE(has(shown.text, "<title>Error"));
            CHECK_FALSE(has(shown.text, "autofocus"));
        }
    });
}

}  // namespace svc::tests
