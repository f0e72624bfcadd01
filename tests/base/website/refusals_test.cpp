// A form that is refused says so first: in the page's title, and with the focus on what is wrong.
#include "tests/base/website/page_site.hpp"

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
        CHECK(has(site.form("/account/forgot", "email=x").text, "<a href=\"#f-email\">E-mail</a>: "));
    });
}

TEST_CASE("the summaries of a refused review, date and waitlist name the fields, and their links lead to one field") {
    each_page_site([](PageSite& site) {
        const auto trip = site.base.given_trip("Nile cruise");
        site.base.given_departure(trip, 30, 8);
        site.set(Value::object({{"allow_anonymous_reviews", true}, {"require_booking", false}}));
        const auto names = [&](const Answered& refused,
                               std::initializer_list<std::pair<const char*, const char*>> fields) {
            for (const auto& [field, label] : fields) {
                CAPTURE(field);
                CAPTURE(refused.text);
                CHECK(has(refused.text, "<a href=\"#f-" + std::string(field) + "\">" + label + "</a>: "));
                const std::string id = "id=\"f-" + std::string(field) + "\"";
                const auto first = refused.text.find(id);
                CHECK(first != std::string::npos);
                CHECK(refused.text.find(id, first + 1) == std::string::npos);
            }
        };
        names(site.form("/trip/nile-cruise/review", "content=&author_name=&author_email=x"),
              {{"rating", "Stars"}, {"content", "Your review"}, {"author_email", "E-mail, which is not shown"}});
        const auto customer = site.base.cookie("svc_customer", true);
        const auto made = site.base.call("POST", "/trips/" + std::to_string(trip) + "/reviews",
                                         R"({"rating":4,"content":"A fine journey."})", customer);
        REQUIRE(made.status == 201);
        names(
            site.form("/account/reviews",
                      "id=" + made.data()["id"].dump() + "&rating=4&content=&_nonce=" + customer.headers.back().second,
                      customer),
            {{"content", "Your review"}});
        names(site.form("/book/nile-cruise", "date=&travelers=0"), {{"date", "Date"}, {"travelers", "Travelers"}});
        names(site.form("/book/nile-cruise/waitlist", "date=2099-01-01&travelers=0"), {{"travelers", "Travelers"}});
        names(site.form("/book/nile-cruise/waitlist", "date=2099-01-01&travelers=1&contact_email=x"),
              {{"contact_email", "E-mail"}});
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
