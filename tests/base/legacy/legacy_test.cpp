// A former installation's export: each published shape is read, taken once, and told of row by row.
#include <doctest/doctest.h>

#include "tests/support/form.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

std::string meta(const std::string& key, const std::string& value) {
    return "<wp:postmeta><wp:meta_key><![CDATA[" + key + "]]></wp:meta_key><wp:meta_value><![CDATA[" + value +
           "]]></wp:meta_value></wp:postmeta>";
}

std::string item(const std::string& type, const std::string& title, const std::string& slug,
                 const std::string& inside) {
    return "<item><title>" + title +
           "</title><content:encoded><![CDATA[<p>Down the river &amp; up.</p>]]></content:encoded>"
           "<excerpt:encoded><![CDATA[Seven days.]]></excerpt:encoded><wp:post_id>7</wp:post_id><wp:post_name>" +
           slug + "</wp:post_name><wp:status>publish</wp:status><wp:post_type>" + type + "</wp:post_type>" + inside +
           "</item>";
}

std::string term(const std::string& taxonomy, const std::string& slug, const std::string& name) {
    return "<wp:term><wp:term_id>3</wp:term_id><wp:term_taxonomy>" + taxonomy + "</wp:term_taxonomy><wp:term_slug>" +
           slug + "</wp:term_slug><wp:term_name><![CDATA[" + name + "]]></wp:term_name></wp:term>";
}

std::string wxr(const std::string& inside) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\""
           " xmlns:content=\"http://purl.org/rss/1.0/modules/content/\""
           " xmlns:excerpt=\"http://wordpress.org/export/1.2/excerpt/\" xmlns:wp=\"http://wordpress.org/export/1.2/\">"
           "<channel><title>Old site</title>" +
           inside + "</channel></rss>";
}

Answered stage(TestBase& base, const std::string& bytes, const std::string& kind = "") {
    Form form;
    form.file("export.xml", bytes);
    if (!kind.empty())
        form.field("data_type", kind);
    return base.call("POST", "/migration/upload", form.whole(),
                     base.user("administrator").with("Content-Type", "multipart/form-data; boundary=edge"));
}

Value migrate_all(TestBase& base, const char* body = "{}") {
    const auto started = base.call("POST", "/migration/migrate-all", body, base.user("administrator"));
    CAPTURE(started.text);
    REQUIRE(started.status == 202);
    base.assembly->jobs.prepare();
    base.assembly->jobs.run_due();
    return base.get("/migration/progress", base.user("administrator")).data()["progress"];
}

const std::string price_metas[] = {
    meta("yatra_tour_meta_regular_price", "1299.00") + meta("yatra_tour_meta_tour_duration_days", "7"),
    meta("wp_travel_price", "1299") + meta("wp_travel_trip_duration", "7"),
    meta("wp_travel_engine_setting_trip_actual_price", "1299") + meta("wp_travel_engine_setting_trip_duration", "7")};
const char* const trip_types[] = {"tour", "itineraries", "trip"};
const char* const places[] = {"destination", "travel_locations", "destination"};

}  // namespace

TEST_CASE("trips, places, customers, coupons and enquiries of each former plugin are migrated once") {
    for (std::size_t i = 0; i < std::size(trip_types); ++i)
        each_database([i](Database& database) {
            CAPTURE(database.name());
            CAPTURE(trip_types[i]);
            TestBase base(database);
            const auto export_of = wxr(
                term(places[i], "egypt", "Egypt") + term("activity", "sailing", "Sailing") +
                item(trip_types[i], "Nile cruise", "nile-cruise",
                     "<category domain=\"" + std::string(places[i]) +
                         "\" nicename=\"egypt\"><![CDATA[Egypt]]></category>" + price_metas[i]) +
                item("page", "About us", "about", "") +
                item("customer", "ada@example.org", "ada", meta("first_name", "Ada") + meta("last_name", "Lovelace")) +
                item("yatra-coupons", "SUMMER", "summer",
                     meta("yatra_coupon_type", "percentage") + meta("yatra_coupon_value", "10")) +
                item("enquiry", "Question", "q",
                     meta("enquiry_name", "Zoe Miller") + meta("enquiry_email", "zoe@example.org")));
            const auto staged = stage(base, export_of);
            CAPTURE(staged.text);
            REQUIRE(staged.status == 200);
            CHECK(staged.data()["staged"]["trips"].integer() == 1);
            const auto status = base.get("/migration/status", base.user("administrator")).data();
            CHECK(status["has_legacy_data"].boolean());
            CHECK(status["data_types"]["trips"]["status"].text() == "staged");
            CHECK(status["data_types"]["bookings"]["status"].text() == "absent");

            const Value rehearsed = migrate_all(base, R"({"dry_run":true})");
            CAPTURE(rehearsed.dump());
            CHECK(base.number("SELECT COUNT(*) FROM svc_trips") == 0);
            const Value done = migrate_all(base);
            CAPTURE(done.dump());
            for (const char* kind : {"destinations", "activities", "customers", "coupons", "enquiries", "trips"}) {
                CAPTURE(kind);
                CHECK(done[kind]["migrated"].integer() == 1);
                CHECK(done[kind]["failed"].integer() == 0);
            }
            const auto trip = base.get("/trips/public/nile-cruise").data();
            CHECK(trip["regular_price"].number_text() == "1299");
            CHECK(trip["duration"].integer() == 7);
            CHECK(trip["destinations"][std::size_t{0}]["slug"].text() == "egypt");
            CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox") == 0);

            const Value again = migrate_all(base);
            CHECK(again["trips"]["skipped"].integer() == 1);
            CHECK(base.number("SELECT COUNT(*) FROM svc_trips") == 1);
            // What the export lacks comes as a table.
            REQUIRE(stage(base,
                          "trip_slug;start_date;seats\nnile-cruise;" + base.day(30) + ";12\nno-such;2031-01-01;3\n",
                          "tour_dates")
                        .status == 200);
            const Value dates = migrate_all(base);
            CHECK(dates["tour_dates"]["migrated"].integer() == 1);
            CHECK(dates["tour_dates"]["failed"].integer() == 1);
            CHECK(base.call("POST", "/migration/clear", {}, base.user("administrator")).data()["cleared"].boolean());
            CHECK_FALSE(base.get("/migration/status", base.user("administrator")).data()["has_legacy_data"].boolean());
        });
}

TEST_CASE("what is no export, declares entities or names an unknown kind is rejected") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    CHECK(stage(base, "<rss><channel><item>").field() == "file");
    CHECK(stage(base, "<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY a \"aaaa\">]><rss>&a;</rss>").field() == "file");
    CHECK(stage(base, "a,b\n1,2\n").field() == "data_type");
    CHECK(stage(base, "a,b\n1,2\n", "planets").field() == "data_type");
    const auto& admin = base.user("administrator");
    CHECK(base.call("POST", "/migration/migrate", R"({"data_type":"planets"})", admin).field() == "data_type");
    CHECK(base.call("POST", "/migration/migrate", R"({"data_type":"bookings"})", admin).field() == "data_type");
    CHECK(base.call("POST", "/migration/cancel", {}, admin).data()["cancelled"].boolean() == false);
    CHECK(base.get("/migration/status", base.user("owner")).status == 403);
}
