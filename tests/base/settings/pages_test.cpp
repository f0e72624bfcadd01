// The pages of the operator's site: kept, named by settings, and linked where customers book.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/form.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct PagesSite {
    explicit PagesSite(Database& database) : base(database), admin(base.user("administrator")) {}

    Answered put(const std::string& pages) {
        return base.call("PUT", "/settings/pages", R"({"pages":)" + pages + "}", admin);
    }
    Answered set(const char* json) { return base.call("PUT", "/settings", json, admin); }
    std::string listed() { return base.get("/settings/pages", admin).data().dump(); }

    TestBase base;
    const Visitor& admin;
};

const auto each_site = each_on<PagesSite>;

}  // namespace

TEST_CASE("the list of pages becomes what is sent, and what is left out of a page is made") {
    each_site([](PagesSite& site) {
        const std::string home = site.base.assembly->options.site_url;
        CHECK(site.listed() == "[]");
        const auto put =
            site.put(R"([{"id":9,"title":"terms of sale","url":"https://other.example/agb?x=1"},)"
                     R"({"title":"Datenschutz & Über uns"},{"title":"Book","slug":"buchen","url":"/de/b"},)"
                     R"({"title":"Book"},{"title":"book","slug":"","url":null,"id":null},{"title":"…"}])");
        REQUIRE(put.status == 200);
        const auto page = [&](int id, const std::string& title, const std::string& slug, const std::string& url) {
            return Value::object({{"id", id}, {"title", title}, {"slug", slug}, {"url", url}, {"content", ""}});
        };
        CHECK(put.data() ==
              Value::array(
                  {page(11, "Book", "buchen", home + "/de/b"), page(12, "Book", "book", home + "/book"),
                   page(13, "book", "book-2", home + "/book-2"),
                   page(10, "Datenschutz & Über uns", "datenschutz-über-uns", home + "/datenschutz-%C3%BCber-uns"),
                   page(9, "terms of sale", "terms-of-sale", "https://other.example/agb?x=1"),
                   page(14, "…", "page-14", home + "/page-14")}));
        CHECK(site.listed() == put.data().dump());
        // The number of one that goes is not at once another's.
        REQUIRE(site.put(R"([{"title":"New"}])").status == 200);
        CHECK(site.listed() == Value::array({page(15, "New", "new", home + "/new")}).dump());
        REQUIRE(site.put("[]").status == 200);
        CHECK(site.listed() == "[]");
    });
}

TEST_CASE("a page that cannot be is refused by its place, and the list stays") {
    each_site([](PagesSite& site) {
        REQUIRE(site.put(R"([{"title":"Terms"}])").status == 200);
        const auto before = site.listed();
        for (const auto& [page, field] :
             std::vector<std::pair<std::string, std::string>>{{R"x({"title":"A","url":"javascript:alert(1)"})x", "url"},
                                                              {R"({"title":"A","url":"//evil.example"})", "url"},
                                                              {R"({"title":"A","url":"https://a b"})", "url"},
                                                              {R"({"title":"A","slug":"a b"})", "slug"},
                                                              {R"({"title":"A","slug":"first"})", "slug"},
                                                              {R"({"title":"A","id":1})", "id"},
                                                              {R"({"title":"A","id":0})", "id"},
                                                              {R"({"title":""})", "title"},
                                                              {R"({"slug":"a"})", "title"},
                                                              {R"({"title":[]})", "title"}}) {
            CAPTURE(page);
            const auto refused = site.put(R"([{"id":1,"title":"First","slug":"first"},)" + page + "]");
            CHECK(refused.status == 400);
            CHECK(refused.field() == "pages.1." + field);
            CHECK(site.listed() == before);
        }
        CHECK(site.base.call("PUT", "/settings/pages", "{}", site.admin).field() == "pages");
        // By its own route alone.
        CHECK(site.set(R"({"site_pages":[]})").data()["rejected_keys"].dump() == R"(["site_pages"])");
        CHECK(site.listed() == before);
    });
}

TEST_CASE("settings name listed pages alone, and a page that one names stays") {
    each_site([](PagesSite& site) {
        for (const char* key : {"terms_page_id", "privacy_policy_page_id", "booking_page_id"}) {
            CAPTURE(key);
            const std::string names = R"({")" + std::string(key) + R"(":)";
            REQUIRE(site.put(R"([{"id":1,"title":"One"},{"id":2,"title":"Two"}])").status == 200);
            const auto refused = site.set((names + "3}").c_str());
            CHECK(refused.status == 400);
            CHECK(refused.field() == key);
            REQUIRE(site.set((names + "1}").c_str()).status == 200);
            const auto kept = site.put(R"([{"id":2,"title":"Two"}])");
            CHECK(kept.status == 409);
            CHECK(kept.code() == "svc_conflict");
            CHECK(json::parse(site.listed()).value().size() == 2);
            CHECK(site.put(R"([{"id":1,"title":"Renamed"}])").status == 200);
            REQUIRE(site.set((names + "0}").c_str()).status == 200);
            CHECK(site.put("[]").status == 200);
        }
    });
}

TEST_CASE("a trip's booking page links the terms and the privacy policy") {
    each_site([](PagesSite& site) {
        const auto at = "/booking/trip/" + std::to_string(site.base.given_trip());
        const auto bare = site.base.get(at).data();
        CHECK(bare["terms_page"].is_null());
        CHECK(bare["privacy_policy_page"].is_null());
        REQUIRE(site.put(R"([{"id":4,"title":"Terms","url":"https://other.example/agb"},{"id":5,"title":"Privacy"}])")
                    .status == 200);
        REQUIRE(site.set(R"({"terms_page_id":4,"privacy_policy_page_id":5})").status == 200);
        const auto told = site.base.get(at).data();
        CHECK(told["terms_page_id"].integer() == 4);
        CHECK(told["terms_page"].dump() ==
              R"({"id":4,"title":"Terms","slug":"terms","url":"https://other.example/agb"})");
        CHECK(told["privacy_policy_page"].text_or("url") == site.base.assembly->options.site_url + "/privacy");
    });
}

TEST_CASE("customers are led to the page that the operator chose for booking, while it is to be used") {
    each_site([](PagesSite& site) {
        const auto trip = site.base.given_trip();
        site.base.given_departure(trip);
        const auto led = [&] {
            return site.base
                .post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", site.base.day(30)}}))
                .data()
                .text_or("redirect_url");
        };
        const auto returned = [&] { return site.base.get("/payment/callback/paypal?token=none").header("Location"); };
        const std::string own = site.base.assembly->options.site_url + "/book";
        REQUIRE(site.put(R"([{"id":4,"title":"Buchen","url":"https://other.example/?page=4"}])").status == 200);
        REQUIRE(site.set(R"({"booking_page_id":4})").status == 200);
        CHECK(led() == own);
        CHECK(returned() == own + "?payment=failed");
        REQUIRE(site.set(R"({"use_booking_page":true})").status == 200);
        CHECK(led() == "https://other.example/?page=4");
        CHECK(returned() == "https://other.example/?page=4&payment=failed");
        REQUIRE(site.set(R"({"booking_page_id":0})").status == 200);
        CHECK(led() == own);
    });
}
