// svc.pages/1: pages, files and origins of a plugin on the site; a withheld, an old and a throwing partner.
#include <doctest/doctest.h>

#include "base/website/pages/plugin_pages.hpp"
#include "shared/plugin/host_pages.hpp"
#include "tests/base/website/page_site.hpp"
#include "tests/plugin/stand.hpp"

namespace svc::tests {
namespace {

using json::Value;
using plugin::Host;

std::function<void(Host&)> partner;

const svc_plugin* partner_entry() {
    script(partner);
    return scripted_entry();
}

// The whole base with that plugin, and its pages.
struct PartnerSite {
    explicit PartnerSite(std::function<void(Host&)> attach)
        : database((partner = std::move(attach), Database::sqlite())),
          base(*database, &partner_entry),
          gate(app::make_gate(*base.assembly)) {
        base.assembly->pages.pages.ask([this](const api::InnerRequest& request) { return gate.ask(request); });
    }
    Answered page(const std::string& method, const std::string& target, const std::string& body = {},
                  const Visitor& visitor = {}) {
        const HttpRequest request{
            .method = method, .target = target, .headers = visitor.headers, .body = body, .peer = "192.0.2.7"};
        auto& pages = base.assembly->pages.pages;
        const HttpAnswer answer =
            pages.answer_at_once(request).value_or(HttpAnswer{.status = 0, .headers = {}, .body = {}});
        const HttpAnswer whole = answer.status ? answer : pages.answer(request);
        return {whole.status, whole.headers, whole.body ? *whole.body : std::string(), {}};
    }

    std::unique_ptr<Database> database;
    TestBase base;
    app::Gate gate;
};

pages::OfferedPage consent() {
    return {
        .path = "/consent/{token}",
        .type = "partner-consent",
        .template_source =
            "<h1>{{heading}}</h1><script src=\"{{assets.consent_js}}\" defer></script>"
            "<form method=\"post\"><button>Sign</button></form>",
        .takes_forms = true,
        .origins = {.frame = {"https://sign.example"}},
        .show = [](const Value& request) -> Result<Value> {
            const std::string token = request["names"].text_or("token");
            if (token == "unknown")
                return errc::not_found;
            if (token == "throws")
                throw std::runtime_error("secret 12");
            if (request.text_or("method") == "POST")
                return Value::object({{"go", "/consent/done?by=" + request["form"].text_or("name")}});
            return Value::object({{"title", "Consent"}, {"model", Value::object({{"heading", "<" + token + ">"}})}});
        }};
}

}  // namespace

TEST_CASE("a plugin's page is in the site's layout with its file and its origins, and accepts forms of this site") {
    PartnerSite site([](Host& host) {
        auto& pages = host.need<plugin::Pages>();
        pages.add(consent());
        pages.add(pages::OfferedAsset{.name = "consent.js", .text = "// sign"});
        pages.declare("paypal", {.connect = {"https://more.example"}});
    });
    REQUIRE(site.base.assembly->plugins.is_pro());
    const auto page = site.page("GET", "/consent/a%20b");
    CHECK(page.status == 200);
    CHECK(has(page.text, "<h1>&lt;a b&gt;</h1>"));
    CHECK(has(page.text, "svc-page-partner-consent"));
    CHECK(has(page.text, "<header"));
    CHECK(has(page.header("Content-Security-Policy"), "frame-src https://sign.example"));
    CHECK(page.header("Cache-Control") == "private, no-store");
    const auto at = page.text.find("/svc-theme/partner-consent.");
    REQUIRE(at != std::string::npos);
    const auto file = site.page("GET", page.text.substr(at, page.text.find('"', at) - at));
    CHECK(file.status == 200);
    CHECK(file.text == "// sign");
    CHECK(has(file.header("Cache-Control"), "immutable"));
    // A page from before an update asks for the file of then, and gets that of now, which nobody keeps by that name.
    const auto older = site.page("GET", "/svc-theme/partner-consent.000000000000.js");
    CHECK(older.status == 200);
    CHECK(older.text == "// sign");
    CHECK(!has(older.header("Cache-Control"), "immutable"));
    for (const char* none : {"/svc-theme/partner-consent.js", "/svc-theme/partner-other.000000000000.js",
                             "/svc-theme/partner-consent.00000000000g.js"})
        CHECK(site.page("GET", none).status == 404);
    const Visitor form = Visitor{}.with("Content-Type", "application/x-www-form-urlencoded");
    CHECK(site.page("POST", "/consent/x", "name=Ada", form.with("Origin", "https://evil.example")).status == 403);
    const auto sent = site.page("POST", "/consent/x", "name=Ada", form.with("Origin", "https://example.org"));
    CHECK(sent.status == 303);
    CHECK(sent.header("Location") == "/consent/done?by=Ada");
    CHECK(site.page("GET", "/consent/unknown").status == 404);
    CHECK(site.page("GET", "/consent").status == 404);
    CHECK(site.base.assembly->pages.partners.origins("paypal").connect ==
          std::vector<std::string>{"https://more.example"});
}

TEST_CASE("a plugin's page that says so is the same for all visitors: kept, and told of nobody") {
    Value request;
    const auto offered = [&request] {
        return pages::OfferedPage{.path = "/discover/{slug}",
                                  .type = "partner-discover",
                                  .template_source = "<h1>{{heading}}</h1>",
                                  .is_shared = true,
                                  .show = [&request](const Value& given) -> Result<Value> {
                                      request = given;
                                      return Value::object({{"model", Value::object({{"heading", "Sale"}})}});
                                  }};
    };
    PartnerSite site([&](Host& host) { host.need<plugin::Pages>().add(offered()); });
    const auto page = site.page("GET", "/discover/sale", {}, Visitor{}.with("User-Agent", "Boots/1"));
    CHECK(page.header("Cache-Control") == "public, max-age=0, must-revalidate");
    REQUIRE_FALSE(page.header("ETag").empty());
    CHECK(request.text_or("agent").empty());
    CHECK(request.text_or("address").empty());
    request = Value();
    CHECK(site.page("GET", "/discover/sale", {}, Visitor{}.with("If-None-Match", page.header("ETag"))).status == 304);
    CHECK(request.is_null());  // from memory
    CHECK(site.page("GET", "/discover/sale?preview=1").header("Cache-Control") == "private, no-store");
    CHECK(request.text_or("address") == "192.0.2.7");
    CHECK(site.page("POST", "/discover/sale", "a=b",
                    Visitor{}
                        .with("Content-Type", "application/x-www-form-urlencoded")
                        .with("Origin", "https://example.org"))
              .status == 405);
    PartnerSite refused([&](Host& host) {
        auto page_with_form = offered();
        page_with_form.takes_forms = true;
        host.need<plugin::Pages>().add(std::move(page_with_form));
    });
    CHECK_FALSE(refused.base.assembly->plugins.is_pro());
}

TEST_CASE("forms of a plugin's pages are limited by address, as writes by the interface are") {
    PartnerSite site([](Host& host) { host.need<plugin::Pages>().add(consent()); });
    REQUIRE(site.base.call("PUT", "/settings", R"({"public_rate_limit":4})", site.base.user("administrator")).status ==
            200);
    const Visitor form =
        Visitor{}.with("Content-Type", "application/x-www-form-urlencoded").with("Origin", "https://example.org");
    for (int i = 0; i < 4; ++i)
        CHECK(site.page("POST", "/consent/x", "name=Ada", form).status == 303);
    const auto refused = site.page("POST", "/consent/x", "name=Ada", form);
    CHECK(refused.status == 429);
    CHECK(std::stoi("0" + refused.header("Retry-After")) > 0);
    CHECK(has(refused.text, "Too many requests. Please try again later."));
    CHECK(site.page("GET", "/consent/x").status == 200);  // reading is not writing
    REQUIRE(site.base.call("PUT", "/settings", R"({"public_rate_limit":0})", site.base.user("administrator")).status ==
            200);
    CHECK(site.page("POST", "/consent/x", "name=Ada", form).status == 303);
}

TEST_CASE("a plugin's page knows who asks, and says a page in another language than the site's") {
    Value told;
    PartnerSite site([&told](Host& host) {
        auto page = consent();
        page.template_source = "<h1>{{heading}}</h1><p>{{at}}</p><button>{{#t}}Send{{/t}}</button>";
        page.show = [&told](const Value& request) -> Result<Value> {
            told = request;
            return Value::object(
                {{"title", "This field is required."},
                 {"language", request["names"].text_or("token") == "de" ? "de" : ""},
                 {"model", Value::object({{"heading", Value::object({{"sentence", "This field is required."}})},
                                          {"at", Value::object({{"moment", "2027-05-04T10:00:00Z"}})}})}});
        };
        host.need<plugin::Pages>().add(page);
    });
    const auto english =
        site.page("GET", "/consent/en", {}, Visitor{}.with("User-Agent", std::string(600, 'x') + "\xff"));
    CHECK(english.status == 200);
    CHECK(told["address"].text() == "192.0.2.7");
    CHECK(told["agent"].text() == std::string(500, 'x'));
    CHECK(has(english.text, "<html lang=\"en\""));
    CHECK(has(english.text, "<h1>This field is required.</h1>"));
    CHECK(has(english.text, "4 May 2027"));
    CHECK(has(english.text, "10:00"));
    const auto german = site.page("GET", "/consent/de");
    CHECK(told["agent"].text().empty());
    CHECK(has(german.text, "<html lang=\"de\""));
    CHECK_FALSE(has(german.text, "This field is required."));
    CHECK(has(german.text, "4. Mai 2027"));
    CHECK(has(site.page("GET", "/consent/en").text, "<html lang=\"en\""));  // of that page alone
}

TEST_CASE("a page of a plugin that throws is the site's page of an error, without a word of it") {
    PartnerSite site([](Host& host) { host.need<plugin::Pages>().add(consent()); });
    const auto page = site.page("GET", "/consent/throws");
    CHECK(page.status == 500);
    CHECK(has(page.text, "Something went wrong on our side"));
    CHECK(!has(page.text, "secret"));
    CHECK(site.page("GET", "/consent/fine").status == 200);
    CHECK(site.page("GET", "/trip").status == 200);
}

TEST_CASE("pages that cannot be refuse the plugin, and nothing of it is in place") {
    const auto with = [](const std::function<void(pages::OfferedPage&)>& change) {
        return [change](Host& host) {
            auto page = consent();
            change(page);
            host.need<plugin::Pages>().add(std::move(page));
        };
    };
    for (const auto& change : std::vector<std::function<void(pages::OfferedPage&)>>{
             [](auto& page) { page.path = "/admin/x"; }, [](auto& page) { page.path = "/svc/x"; },
             [](auto& page) { page.path = "/{trip}/x"; }, [](auto& page) { page.path = "/sitemap.xml"; },
             [](auto& page) { page.path = "consent"; }, [](auto& page) { page.path = "/compare/x"; },
             [](auto& page) { page.type = "single-trip"; }, [](auto& page) { page.type = "A b"; },
             [](auto& page) { page.template_source = "{{#open}}"; },
             [](auto& page) { page.template_source = "{{{raw}}}"; },
             [](auto& page) { page.origins.script = {"https://a.example; script-src *"}; },
             [](auto& page) { page.origins.form = {"javascript:alert(1)"}; },
             [](auto& page) { page.module = "no_such_module"; }}) {
        PartnerSite site(with(change));
        CHECK(!site.base.assembly->plugins.is_pro());
        CHECK(site.page("GET", "/consent/x").status == 404);
        CHECK(site.page("GET", "/trip").status == 200);
    }
    PartnerSite twice([](Host& host) {
        host.need<plugin::Pages>().add(consent());
        host.need<plugin::Pages>().add(consent());
    });
    CHECK(!twice.base.assembly->plugins.is_pro());
    PartnerSite odd_file([](Host& host) { host.need<plugin::Pages>().add(pages::OfferedAsset{"../x.js", ""}); });
    CHECK(!odd_file.base.assembly->plugins.is_pro());
}

namespace {

pages::OfferedPage plan() {
    return {
        .path = "plan",
        .type = "partner-plan",
        .template_source = "<h1>{{heading}}</h1><p class=\"svc-plan\">{{day}}, {{sum}}</p>",
        .takes_forms = true,
        .show = [](const Value& request) -> Result<Value> {
            if (request["query"].text_or("fault") == "throws")
                throw std::runtime_error("secret 12");
            if (request.text_or("method") == "POST")
                return Value::object({{"go", request["path"].text() + "?done=1"}});
            return Value::object(
                {{"title", "Plan"},
                 {"model",
                  Value::object({{"heading", std::to_string(request["user_id"].integer())},
                                 {"day", Value::object({{"date", "2027-05-04"}})},
                                 {"sum", Value::object({{"amount", json::Number{"12.5"}}, {"currency", "USD"}})}})}});
        },
        .account_label = "Plan & pay"};
}

}  // namespace

TEST_CASE("a plugin's page of the account is beside the account's menu, for signed-in users alone") {
    PartnerSite site([](Host& host) { CHECK(host.need<plugin::Pages>().add(plan())); });
    REQUIRE(site.base.assembly->plugins.is_pro());
    const auto stranger = site.page("GET", "/account/plan");
    CHECK(stranger.status == 303);
    CHECK(has(stranger.header("Location"), "/account/login"));
    const Visitor ada = site.base.cookie("svc_customer", false);
    const auto page = site.page("GET", "/account/plan", {}, ada);
    CHECK(page.status == 200);
    CHECK(has(page.text, "<p class=\"svc-plan\">Tue, 4 May 2027, USD 12.50</p>"));
    CHECK(!has(page.text, "<h1>0</h1>"));
    CHECK(has(page.text, "<a href=\"/account/plan\" aria-current=\"page\">Plan &amp; pay</a>"));
    CHECK(has(page.text, "href=\"/account/profile\""));
    CHECK(page.header("Cache-Control") == "private, no-store");
    // The base's own pages of the account lead to it.
    CHECK(has(site.page("GET", "/account/profile", {}, ada).text, "<a href=\"/account/plan\">Plan &amp; pay</a>"));
    // Its forms carry the account's nonce, as the base's do.
    const Visitor form =
        Visitor(ada).with("Content-Type", "application/x-www-form-urlencoded").with("Origin", "https://example.org");
    CHECK(site.page("POST", "/account/plan", "x=1", form).status != 303);
    const auto broken = site.page("GET", "/account/plan?fault=throws", {}, ada);
    CHECK(broken.status == 500);
    CHECK(!has(broken.text, "secret"));
    CHECK(site.page("GET", "/account/profile", {}, ada).status == 200);
}

TEST_CASE("pages of the account that cannot be refuse the plugin; on a base without them the plugin goes on") {
    for (const auto& change : std::vector<std::function<void(pages::OfferedPage&)>>{
             [](auto& page) { page.path = "/plan"; }, [](auto& page) { page.path = "plan/{id}"; },
             [](auto& page) { page.path = "profile"; }, [](auto& page) { page.path = "bookings"; },
             [](auto& page) { page.path = "login"; }, [](auto& page) { page.account_label = std::string(61, 'x'); },
             [](auto& page) { page.type = "account-profile"; }, [](auto& page) { page.module = "no_such_module"; }}) {
        PartnerSite site([&](Host& host) {
            auto page = plan();
            change(page);
            host.need<plugin::Pages>().add(std::move(page));
        });
        CHECK(!site.base.assembly->plugins.is_pro());
        CHECK(site.page("GET", "/trip").status == 200);
    }
    svc_pages_1 older{};
    older.size = offsetof(svc_pages_1, add_account_page);
    older.declare_origins = [](void*, svc_text, svc_text) -> svc_status { return SVC_OK; };
    REQUIRE(plugin::Pages::usable(&older));
    CHECK(!plugin::Pages(&older).add(plan()));
}

// A tag of a partner that repeats what it is told.
pages::OfferedTag counter(const char* purpose = "marketing") {
    return {.id = "facebook_pixel",
            .name = "Counter",
            .purpose = purpose,
            .asset = "count.js",
            .origins = {.script = {"https://count.example"}, .image = {"http://pictures.example"}},
            .cookies = {"_count*"},
            .configure = [](const Value& request) -> Result<Value> {
                if (request.text_or("page") == "home")
                    return Value();
                if (request.text_or("page") == "listing-trip")
                    throw std::runtime_error("secret 13");
                return request;
            }};
}

std::function<void(Host&)> counts_with(pages::OfferedTag tag) {
    return [tag](Host& host) {
        auto& pages = host.need<plugin::Pages>();
        pages.add(pages::OfferedAsset{.name = "count.js", .text = "// <count>"});
        CHECK(pages.add(tag));
    };
}

const Visitor allowing = Visitor{}.with("Cookie", "svc_consent=1.01.facebook_pixel.1790000000");

// What the tag reads on a page; null: it is not there.
Value read_by_tag(const Answered& page) {
    constexpr std::string_view begin = "<script type=\"application/json\" id=\"svc-tag-facebook_pixel\">";
    const auto at = page.text.find(begin);
    if (at == std::string::npos)
        return {};
    const auto from = at + begin.size();
    const auto read = json::parse(page.text.substr(from, page.text.find("</script>", from) - from));
    REQUIRE(read);
    return *read;
}

TEST_CASE(
    "a plugin's tag stands with its script and origins on pages of visitors who allow it, in place of the base's") {
    PartnerSite site(counts_with(counter()));
    site.base.given_trip("Nile </script> cruise");
    REQUIRE(site.base.call("PUT", "/settings", R"({"facebook_pixel":"123"})", site.base.user("administrator")).status ==
            200);
    site.base.assembly->pages.pages.written();
    const auto before = site.page("GET", "/trip/nile-script-cruise");
    REQUIRE(before.status == 200);
    CHECK(has(before.text, "measure our advertising with Counter?"));
    CHECK(read_by_tag(before).is_null());
    CHECK(!has(before.header("Content-Security-Policy"), "count.example"));
    const auto page = site.page("GET", "/trip/nile-script-cruise", {}, allowing);
    const Value read = read_by_tag(page);
    CHECK(read.text_or("page") == "single-trip");
    CHECK(read["allowed"].dump() == R"({"analytics":false,"marketing":true})");
    CHECK(read["facts"]["view"]["item"].text_or("name") == "Nile </script> cruise");
    CHECK(has(page.header("Content-Security-Policy"), "script-src 'self' https://count.example;"));
    CHECK(has(page.header("Content-Security-Policy"), "img-src 'self' https: data: http://pictures.example;"));
    CHECK(!has(page.text, "count-pixel"));
    const auto at = page.text.find("/svc-theme/partner-count.");
    REQUIRE(at != std::string::npos);
    CHECK(site.page("GET", page.text.substr(at, page.text.find('"', at) - at)).text == "// <count>");
    CHECK(has(site.page("GET", "/privacy-choices").text, "(Cookies: _count*)"));
}

TEST_CASE("a tag that wants no place on a page, or fails there, is not on it, nor are its origins") {
    PartnerSite site(counts_with(counter()));
    for (const char* path : {"/", "/trip"}) {
        CAPTURE(path);
        const auto page = site.page("GET", path, {}, allowing);
        CHECK(page.status == 200);
        CHECK(read_by_tag(page).is_null());
        CHECK(!has(page.header("Content-Security-Policy"), "count.example"));
        CHECK(!has(page.text, "secret 13"));
    }
}

TEST_CASE("the page of a booking tells of the purchase once, to who allowed it when booking and still does") {
    PartnerSite site(counts_with(counter()));
    const auto trip = site.base.given_trip("Nile cruise");
    site.base.given_departure(trip);
    CHECK(read_by_tag(site.page("GET", "/book/nile-cruise", {}, allowing))["facts"]["begin"]["item"].text_or("name") ==
          "Nile cruise");
    const auto booking = site.base.given_booking(trip);
    const std::string path = "/book/confirmation/" + booking.reference,
                      cookie = "svc_booked=" + std::to_string(booking.id) + "." + booking.token;
    const Visitor refusing = Visitor{}.with("Cookie", cookie + "; svc_consent=1.00.facebook_pixel.1790000000");
    const Visitor guest = Visitor{}.with("Cookie", cookie + "; svc_consent=1.01.facebook_pixel.1790000000");
    const auto told = [&](const Visitor& visitor, const char* method = "GET") {
        const auto page = site.page(method, path, {}, visitor);
        REQUIRE(page.status == 200);
        return read_by_tag(page)["facts"]["purchase"];
    };
    CHECK(told(guest).is_null());  // nothing was allowed with the booking
    site.base.run(
        "INSERT INTO svc_booking_consents (booking_id, analytics, marketing, decided_at)"
        " SELECT id, 0, 1, 1 FROM svc_bookings");
    CHECK(told(guest).is_null());  // it is neither confirmed nor paid
    site.base.run("UPDATE svc_bookings SET status = 'confirmed'");
    CHECK(told(refusing).is_null());
    CHECK(told(guest, "HEAD").is_null());
    const Value purchase = told(guest);
    CHECK(purchase.text_or("reference") == booking.reference);
    CHECK(purchase["value"].is_number());
    CHECK(purchase.text_or("currency").size() == 3);
    CHECK(purchase["item"].text_or("id") == std::to_string(trip));
    CHECK(told(guest).is_null());
    site.base.leaves_what_holds = false;  // the status was set by hand
}

TEST_CASE("tags that cannot be refuse the plugin; on a base without them the plugin goes on") {
    for (const auto& change : std::vector<std::function<void(pages::OfferedTag&)>>{
             [](auto& tag) { tag.id = "Two words"; }, [](auto& tag) { tag.name.clear(); },
             [](auto& tag) { tag.purpose = "fun"; }, [](auto& tag) { tag.asset = "other.js"; },
             [](auto& tag) { tag.module = "unknown"; }, [](auto& tag) { tag.cookies = {"svc_session"}; },
             [](auto& tag) { tag.cookies = {"*"}; }, [](auto& tag) { tag.origins.script = {"https://a b"}; }}) {
        auto tag = counter();
        change(tag);
        PartnerSite site([&](Host& host) {
            auto& pages = host.need<plugin::Pages>();
            pages.add(pages::OfferedAsset{.name = "count.js", .text = "//"});
            pages.add(tag);
        });
        CHECK(!site.base.assembly->plugins.is_pro());
        CHECK(!has(site.page("GET", "/trip").text, "privacy-choices"));
    }
    svc_pages_1 older{};
    older.size = offsetof(svc_pages_1, add_tag);
    older.declare_origins = [](void*, svc_text, svc_text) -> svc_status { return SVC_OK; };
    CHECK(!plugin::Pages(&older).add(counter()));
}

TEST_CASE("a partner finds no pages on a base that withholds them, or whose table is older than its wrapper") {
    Stand withheld;
    bool found = true;
    REQUIRE(withheld.attach([&](Host& host) { found = host.find<plugin::Pages>() != nullptr; }));
    CHECK(!found);
    svc_pages_1 shorter{};
    shorter.size = offsetof(svc_pages_1, declare_origins);
    CHECK(!plugin::Pages::usable(&shorter));
    CHECK(!plugin::Pages::usable(nullptr));
}

TEST_CASE("an old partner, which knows no pages, attaches and the site is as it was") {
    script([](Host&) {});
    PartnerSite site([](Host&) {});
    CHECK(site.base.assembly->plugins.is_pro());
    CHECK(site.page("GET", "/trip").status == 200);
}

}  // namespace svc::tests
