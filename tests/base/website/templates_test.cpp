// The seven templates around pages that staff edit.
#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;

Answered put(PageSite& site, const std::string& name, const std::string& content) {
    return site.base.call("PUT", "/site/templates/" + name, Value::object({{"content", content}}).dump(),
                          site.base.user("administrator"));
}

}  // namespace

TEST_CASE("a template of the site surrounds its page, inside the layout; a fragment is the page alone") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        const Visitor& staff = site.base.user("administrator");
        const auto all = site.base.get("/site/templates", staff);
        REQUIRE(all.status == 200);
        CHECK(all.data().size() == 7);
        const auto fresh = site.base.get("/site/templates/single-trip", staff);
        CHECK(fresh.data() == Value::object({{"name", "single-trip"},
                                             {"title", "Single Trip"},
                                             {"content", "{{> svc/page-content}}"},
                                             {"is_default", true}}));
        const std::string before = site.page("/trip/nile-cruise").text;
        const auto stored =
            put(site, "single-trip",
                "<div class=\"mine\"><p>{{site.name}} says:</p>{{> svc/page-content}}<img src=\"/x.png\"></div>");
        CAPTURE(stored.text);
        REQUIRE(stored.status == 200);
        CHECK(!stored.data()["is_default"].boolean());
        site.pages().written();
        const std::string text = site.page("/trip/nile-cruise").text;
        const auto at = text.find("<div class=\"mine\"><p>Our trips says:</p>");
        CHECK(at != std::string::npos);
        CHECK(text.find("<main") < at);
        CHECK(text.find("<h1>Nile cruise</h1>") > at);
        CHECK(text.find("<footer") > text.find("<img src=\"/x.png\">"));
        CHECK(!has(site.page("/trip").text, "class=\"mine\""));  // another one's
        const auto fragment = site.page("/trip/nile-cruise?svc_fragment=page-content");
        CHECK(fragment.status == 200);
        CHECK(has(fragment.text, "<h1>Nile cruise</h1>"));
        for (const char* part : {"class=\"mine\"", "<html", "<header", "<footer"})
            CHECK(!has(fragment.text, part));
        CHECK(put(site, "single-trip", "").data()["is_default"].boolean());
        site.pages().written();
        CHECK(site.page("/trip/nile-cruise").text == before);
    });
}

TEST_CASE("each of the seven templates surrounds its own pages") {
    each_page_site([](PageSite& site) {
        const auto id = site.base.given_trip("Nile cruise");
        site.base.given_departure(id);
        const Visitor& staff = site.base.user("administrator");
        for (const auto& [kind, name] : {std::pair{"/destinations", "Egypt"}, {"/activities", "Diving"}})
            REQUIRE(site.base.post(kind, Value::object({{"name", name}, {"status", "publish"}}), staff).status == 201);
        const auto booking = site.base.given_booking(id);
        const Visitor guest =
            Visitor{}.with("Cookie", "svc_booked=" + std::to_string(booking.id) + "." + booking.token);
        const Visitor customer = site.base.cookie("svc_customer", true);
        const std::vector<std::tuple<std::string, std::string, Visitor>> pages{
            {"single-trip", "/trip/nile-cruise", {}},
            {"trip-listing", "/trip", {}},
            {"destination", "/destination", {}},
            {"destination", "/destination/egypt", {}},
            {"activity", "/activity", {}},
            {"activity", "/activity/diving", {}},
            {"booking", "/book/nile-cruise", {}},
            {"booking-confirmation", "/book/confirmation/" + booking.reference, guest},
            {"my-account", "/account", customer},
            {"my-account", "/account/profile", customer}};
        for (const auto& [name, path, visitor] : pages) {
            CAPTURE(name);
            CAPTURE(path);
            REQUIRE(put(site, name, "<section id=\"around-" + name + "\">{{> svc/page-content}}</section>").status ==
                    200);
            site.pages().written();
            const auto page = site.page(path, visitor);
            CHECK(page.status == 200);
            CHECK(has(page.text, "<section id=\"around-" + name + "\">"));
        }
        CHECK(!has(site.page("/trip-category").text, "around-"));
        CHECK(!has(site.page("/nowhere").text, "around-"));
    });
}

TEST_CASE("a broken template is rejected with what is wrong and where, and the one before stays") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        REQUIRE(put(site, "single-trip", "<div>{{> svc/page-content}}</div>").status == 200);
        for (const auto& [content, help] :
             {std::pair{"<p>No page</p>", "{{> svc/page-content}}"},
              {"{{> svc/page-content}}{{> svc/page-content}}", "once"},
              {"<div>{{> svc/page-content}}", "<div> is never closed"},
              {"<div><p>{{> svc/page-content}}</div></p>", "</div> closes <p>"},
              {"{{> svc/page-content}}</div>", "closes nothing"},
              {"<script src=\"/x.js\"></script>{{> svc/page-content}}", "<script>"},
              {"<ScRiPt>{{> svc/page-content}}</ScRiPt>", "<script>"},
              {"<iframe src=\"https://a.example\"></iframe>{{> svc/page-content}}", "<iframe>"},
              {"{{#open}}{{> svc/page-content}}", ""},
              {"{{#a}}{{> svc/page-content}}{{/b}}", ""},
              {"{{#a}}{{> svc/page-content}}{{/a}}", ""},  // the page would hang on it
              {"{{{site.name}}}{{> svc/page-content}}", ""},
              {"{{> nothing}}{{> svc/page-content}}", "nothing"},
              {"{{> layout}}{{> svc/page-content}}", "layout"},
              // Nothing acts, sends, hides the page or carries it away.
              {"<img src=\"/x.png\" onerror=\"x()\">{{> svc/page-content}}", "onerror"},
              {"<svg/onload=x()></svg>{{> svc/page-content}}", "<svg>"},
              {"<form action=\"http://a.example\">{{> svc/page-content}}</form>", "<form>"},
              {"<button formaction=\"http://a.example\">Go</button>{{> svc/page-content}}", "<button>"},
              {"<!-- {{> svc/page-content}}", "Comments"},
              {"<!-- mine -->{{> svc/page-content}}", "Comments"},
              {"<img src='https://a.example/?{{> svc/page-content}}'>", "simple tags"},
              {"<p title=\"{{> svc/page-content}}\"></p>", "simple tags"},
              {"<p title=\"{{{site.name}}}\">x</p>{{> svc/page-content}}", ""},
              {"<p style=\"position:fixed\">x</p>{{> svc/page-content}}", "style"},
              {"<p {{site.name}}>x</p>{{> svc/page-content}}", "attribute"},
              {"<a href=\"javascript:x()\">x</a>{{> svc/page-content}}", "href"},
              {"<img src=\"data:image/png;base64,AA\">{{> svc/page-content}}", "src"},
              {"<textarea>{{> svc/page-content}}</textarea>", "<textarea>"},
              {"<my-part>{{> svc/page-content}}</my-part>", "<my-part>"}}) {
            const auto refused = put(site, "single-trip", content);
            CAPTURE(content);
            CAPTURE(refused.text);
            CHECK(refused.status == 400);
            CHECK(refused.field() == "content");
            CHECK(has(refused.body["data"]["errors"]["content"][std::size_t{0}].text(), help));
        }
        CHECK(put(site, "single-trip", std::string(70'000, 'x') + "{{> svc/page-content}}").status == 400);
        CHECK(put(site, "footer", "{{> svc/page-content}}").status == 404);
        CHECK(site.base.get("/site/templates/footer", site.base.user("administrator")).status == 404);
        CHECK(site.base.call("PUT", "/site/templates/single-trip", R"({"content":""})", site.base.user("svc_customer"))
                  .status == 403);
        CHECK(site.base.get("/site/templates").status == 401);
        CHECK(site.base.get("/site/templates/single-trip", site.base.user("administrator")).data()["content"].text() ==
              "<div>{{> svc/page-content}}</div>");
        CHECK(site.page("/trip/nile-cruise").status == 200);
    });
}

}  // namespace svc::tests
