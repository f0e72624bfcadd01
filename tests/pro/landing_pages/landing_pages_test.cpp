// The module custom_landing_pages: pages of blocks, their drafts and addresses, and the records whose page they
// replace.
#include <doctest/doctest.h>

#include "base/website/feature.hpp"
#include "tests/support/inner_calls.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct LandingSite {
    explicit LandingSite(Database& database)
        : base(database, &svc_plugin_entry), calls(*base.assembly), gate(app::make_gate(*base.assembly)) {
        base.assembly->pages.pages.ask([this](const api::InnerRequest& request) { return gate.ask(request); });
        base.given_license("personal");
        turn(true);
    }
    void turn(bool on) {
        REQUIRE(base.post("/modules/custom_landing_pages/toggle", Value::object({{"enabled", on}}), admin()).status ==
                200);
    }
    const Visitor& admin() { return base.user("administrator"); }
    Answered create(Value body) { return base.post("/landing-pages", body, admin()); }
    Value created(Value body) {
        const auto reply = create(std::move(body));
        REQUIRE_MESSAGE(reply.status == 201, reply.body.dump());
        return reply.data();
    }
    Answered change(const Value& page, const Value& body) {
        return base.call("PUT", "/landing-pages/" + page["id"].number_text(), body.dump(), admin());
    }
    HttpAnswer open(const std::string& path, std::vector<HttpHeader> headers = {}) {
        headers.emplace_back("Host", "boots.example");
        const HttpRequest request{.method = "GET", .target = path, .headers = headers, .body = {}, .peer = "192.0.2.7"};
        base.assembly->pages.pages.written();
        return base.assembly->pages.pages.answer(request);
    }
    std::int64_t destination(const std::string& name) {
        const auto reply = base.post("/destinations", Value::object({{"name", name}, {"status", "publish"}}), admin());
        REQUIRE(reply.status == 201);
        return reply.data()["id"].integer();
    }

    TestBase base;
    InnerCalls calls;
    app::Gate gate;  // of the pages' own calls
};

void each_site(const std::function<void(LandingSite&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        LandingSite site(database);
        body(site);
    });
}

Value parsed(const char* text) { return json::parse(text).value(); }
std::string header_of(const HttpAnswer& answer, std::string_view name) {
    for (const auto& [key, value] : answer.headers)
        if (key == name)
            return value;
    return {};
}
bool has(const HttpAnswer& answer, const char* text) {
    return answer.body && answer.body->find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a landing page shows its blocks to visitors once it is published, with the trips of today") {
    each_site([](LandingSite& site) {
        const std::int64_t nile = site.base.given_trip("Nile cruise");
        site.base.given_departure(nile);
        Value body = parsed(R"({"title": "Winter sun", "seo_description": "Five warm weeks.", "blocks": [
            {"type": "hero", "heading": "Away from the cold", "text": "Sun <b>now</b>", "label": "See trips", "url": "/trip"},
            {"type": "text", "heading": "Why", "text": "<p>Warm.</p><script>alert(1)</script>"},
            {"type": "questions", "items": [{"title": "When?", "text": "<p>All winter.</p>"}]},
            {"type": "trips", "heading": "Our choice", "source": "chosen", "trip_ids": []}]})");
        CHECK(site.create(body).field() == "blocks.3.trip_ids");
        Value blocks = body["blocks"];
        blocks.items()[3].set("trip_ids", Value::array({nile}));
        body.set("blocks", blocks);
        const Value page = site.created(body);
        CHECK(page.text_or("slug") == "winter-sun");
        CHECK(page.text_or("path") == "/discover/winter-sun");
        CHECK(site.open("/discover/winter-sun").status == 404);  // a draft
        REQUIRE(site.change(page, parsed(R"({"status": "publish"})")).status == 200);
        const auto shown = site.open("/discover/winter-sun");
        CHECK(shown.status == 200);
        CHECK(has(shown, "<h1>Away from the cold</h1>"));
        CHECK(has(shown, "Sun &lt;b&gt;now&lt;/b&gt;"));  // words, not markup
        CHECK(has(shown, "<p>Warm.</p>"));
        CHECK_FALSE(has(shown, "alert(1)"));
        CHECK(has(shown, "All winter."));
        CHECK(has(shown, "Nile cruise"));
        CHECK(has(shown, "Five warm weeks."));
        CHECK_FALSE(has(shown, "noindex"));
        const auto sitemap = site.open("/sitemap.xml");
        CHECK_MESSAGE(has(sitemap, "/discover/winter-sun"),
                      (sitemap.body ? *sitemap.body : std::to_string(sitemap.status)));
        REQUIRE(site.change(page, parsed(R"({"is_indexed": false})")).status == 200);
        CHECK(has(site.open("/discover/winter-sun"), "noindex"));
        CHECK_FALSE(has(site.open("/sitemap.xml"), "/discover/winter-sun"));
        site.turn(false);
        CHECK(site.open("/discover/winter-sun").status == 404);
        CHECK(site.base.get("/landing-pages", site.admin()).code() == "svc_no_route");
    });
}

TEST_CASE("a published landing page replaces the page of its destination, one at a time") {
    each_site([](LandingSite& site) {
        const std::int64_t egypt = site.destination("Egypt");
        const Value of_egypt = Value::object(
            {{"title", "Egypt in winter"}, {"owner_type", "destination"}, {"owner_id", egypt}, {"status", "publish"}});
        const auto permalink = [&] {
            return site.base.get("/destinations/" + std::to_string(egypt), site.admin()).data().text_or("permalink");
        };
        const std::string own = permalink();
        const Value page = site.created(of_egypt);
        const std::int64_t trip = site.base.given_trip("Nile cruise");
        REQUIRE(site.base
                    .call("PUT", "/trips/" + std::to_string(trip),
                          Value::object({{"destinations", Value::array({egypt})}}).dump(), site.admin())
                    .status == 200);
        CHECK(has(site.open("/sitemap.xml"), "/discover/egypt-in-winter"));
        REQUIRE(site.change(page, parsed(R"({"is_indexed": false})")).status == 200);
        CHECK_FALSE(has(site.open("/sitemap.xml"), "egypt"));  // neither of the two pages
        REQUIRE(site.change(page, parsed(R"({"is_indexed": true})")).status == 200);
        CHECK(permalink().ends_with("/discover/egypt-in-winter"));
        CHECK(permalink().substr(0, permalink().find("/discover")) == own.substr(0, own.rfind("/destination")));
        const auto former = site.open(own.substr(own.find('/', own.find("://") + 3)));
        CHECK(former.status == 303);
        const auto second = site.create(of_egypt);
        CHECK(second.status == 400);
        CHECK(second.field() == "owner_id");
        REQUIRE(site.change(page, parsed(R"({"status": "draft"})")).status == 200);
        CHECK(permalink() == own);
        CHECK(site.create(parsed(R"({"title": "x", "owner_type": "activity"})")).field() == "owner_id");
    });
}

TEST_CASE("blocks with less or more than their kind has are refused with the field's name, and nothing is stored") {
    each_site([](LandingSite& site) {
        for (const auto& [blocks, field] :
             {std::pair{R"([{"type": "text"}])", "blocks.0.text"},
              {R"([{"type": "picture"}])", "blocks.0.image_id"},
              {R"([{"type": "hero", "heading": "A", "label": "Go"}])", "blocks.0.url"},
              {R"([{"type": "text", "text": "a"}, {"type": "hero", "heading": "A"}])", "blocks.1.type"},
              {R"([{"type": "button", "label": "Go", "url": "javascript:x"}])", "blocks.0.url"},
              {R"([{"type": "button", "label": "Go", "url": "//evil.example"}])", "blocks.0.url"},
              {R"([{"type": "trips", "source": "destination"}])", "blocks.0.source_slug"},
              {R"([{"type": "questions", "items": [{"title": "When?"}]}])", "blocks.0.items.0.text"}}) {
            CAPTURE(blocks);
            const auto reply = site.create(Value::object({{"title", "Sale"}, {"blocks", parsed(blocks)}}));
            CHECK(reply.status == 400);
            CHECK(reply.field() == field);
        }
        CHECK(site.create(parsed(R"({"title": "Sale", "blocks": [{"type": "carousel"}]})")).status == 400);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_landing_pages") == 0);
    });
}

TEST_CASE("an address is given once: titles get a number, a chosen slug is refused") {
    each_site([](LandingSite& site) {
        const Value first = site.created(parsed(R"({"title": "Sale"})"));
        CHECK(site.created(parsed(R"({"title": "Sale"})")).text_or("slug") == "sale-2");
        CHECK(site.create(parsed(R"({"title": "Sale", "slug": "sale"})")).field() == "slug");
        CHECK(site.create(parsed(R"({"title": "Sale", "slug": "a/b"})")).field() == "slug");
        CHECK(site.base.get("/landing-pages", site.base.user("svc_customer")).status == 403);
        CHECK(site.base.get("/landing-pages?search=sale&orderby=title&order=asc", site.admin()).data().size() == 2);
        CHECK(site.change(first, parsed(R"({"slug": ""})")).field() == "slug");
    });
}

TEST_CASE(
    "a landing page is the same for everybody: browsers keep it by its ETag, and visits are counted after consent") {
    each_site([](LandingSite& site) {
        const Value page = site.created(
            parsed(R"({"title": "Sale", "status": "publish", "blocks": [{"type": "text", "text": "a"}]})"));
        const auto first = site.open("/discover/sale");
        CHECK(header_of(first, "Cache-Control") == "public, max-age=0, must-revalidate");
        REQUIRE_FALSE(header_of(first, "ETag").empty());
        CHECK(site.open("/discover/sale", {{"If-None-Match", header_of(first, "ETag")}}).status == 304);
        CHECK_FALSE(has(first, "data-consent"));
        REQUIRE(site.base.call("PUT", "/settings", R"({"google_analytics": "G-ABC123"})", site.admin()).status == 200);
        const auto asking = site.open("/discover/sale");
        CHECK(has(asking, "data-consent"));
        CHECK_FALSE(has(asking, "svc-tag-google_analytics"));
        CHECK_FALSE(header_of(asking, "Content-Security-Policy").find("googletagmanager") != std::string::npos);
        const auto counted = site.open("/discover/sale", {{"Cookie", "svc_consent=1.10.google_analytics.1790000000"}});
        CHECK(has(counted, "svc-tag-google_analytics"));
        CHECK(header_of(counted, "Content-Security-Policy").find("googletagmanager") != std::string::npos);
        CHECK_FALSE(has(counted, "data-consent"));
        // A draft is shown to staff who ask for it, and is kept nowhere.
        REQUIRE(site.change(page, parsed(R"({"status": "draft"})")).status == 200);
        CHECK(site.open("/discover/sale").status == 404);
        CHECK(site.open("/discover/sale?preview=1").status == 404);  // signed in by nothing
    });
}

TEST_CASE("a page asks for each picture and each list of trips once, and has a bounded number of them") {
    each_site([](LandingSite& site) {
        const std::int64_t nile = site.base.given_trip("Nile cruise"), desert = site.base.given_trip("Desert walk");
        site.base.given_departure(nile);
        site.base.given_departure(desert);
        const auto list_of = [](std::initializer_list<std::int64_t> ids) {
            Value all = Value::array();
            for (const std::int64_t id : ids)
                all.push(id);
            return Value::object({{"type", "trips"}, {"source", "chosen"}, {"trip_ids", std::move(all)}});
        };
        Value blocks = Value::array({list_of({desert}), list_of({nile, desert})});
        const Value page = site.created(Value::object({{"title", "Both"}, {"status", "publish"}, {"blocks", blocks}}));
        const auto shown = site.open("/discover/both");
        const std::string& text = *shown.body;
        const auto first = text.find("Desert walk"), second = text.find("Nile cruise", first);
        CHECK(second != std::string::npos);
        CHECK(text.find("Desert walk", second) != std::string::npos);  // in the order of each list
        Value many = Value::array();
        for (int i = 0; i < 9; ++i)
            many.push(parsed(R"({"type": "trips"})"));
        CHECK(site.change(page, Value::object({{"blocks", many}})).field() == "blocks.8.source");
        Value pictures = Value::array();
        for (int i = 0; i < 13; ++i)
            pictures.push(Value::object({{"type", "picture"}, {"image_id", 1}}));
        CHECK(site.change(page, Value::object({{"blocks", pictures}})).field() == "blocks.12.image_id");
    });
}
