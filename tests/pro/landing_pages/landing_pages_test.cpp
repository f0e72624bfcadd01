// The module custom_landing_pages: pages of blocks, their drafts and addresses, and the records whose page they
// replace.
#include <doctest/doctest.h>

#include "base/pages/feature.hpp"
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
    HttpAnswer open(const std::string& path) {
        const HttpRequest request{
            .method = "GET", .target = path, .headers = {{"Host", "boots.example"}}, .body = {}, .peer = "192.0.2.7"};
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
