// Files of a trip: who gets a link, and what a link opens.
#include <doctest/doctest.h>

#include "base/platform/images/images.hpp"
#include "tests/support/form.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

const std::string pdf_file = "%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";

// A trip with a booking and a download of each visibility.
struct Desk {
    explicit Desk(TestBase& test_base) : base(test_base), boss(base.user("administrator")) {
        trip = base.given_trip();
        base.given_departure(trip, 30);
        booking = base.given_booking(trip, 30);
        file = upload(base, Form{}.field("is_private", "1").file("Packing list.pdf", pdf_file), boss)
                   .data()["id"]
                   .integer();
        auto items = json::Value::array();
        for (const char* visibility : {"public", "logged_in", "paid_only"})
            items.push(
                json::Value::object({{"attachment_id", file}, {"title", visibility}, {"visibility", visibility}}));
        const auto set = base.post(trips(), json::Value::object({{"items", items}}), boss);
        REQUIRE(set.status == 200);
        REQUIRE(set.data().size() == 3);
        for_all = set.data()[0]["id"].integer();
        for_users = set.data()[1]["id"].integer();
        for_booked = set.data()[2]["id"].integer();
    }
    [[nodiscard]] std::string trips() const { return "/trips/" + std::to_string(trip) + "/downloads"; }
    Answered link(std::int64_t id, const std::string& query = "", const Visitor& visitor = {}) {
        return base.get("/downloads/" + std::to_string(id) + "/download-url" + query, visitor);
    }
    // The link's path within the namespace.
    std::string path(const Answered& issued) const {
        const std::string url = issued.data()["download_url"].text();
        return url.substr(url.find("/downloads/"));
    }
    [[nodiscard]] std::string of_booking() const {
        return "?booking_id=" + std::to_string(booking.id) + "&booking_token=" + booking.token;
    }
    void set_status(const char* status) {
        base.run(("UPDATE svc_bookings SET status = '" + std::string(status) + "'").c_str());
    }

    TestBase& base;
    const Visitor& boss;
    std::int64_t trip = 0, file = 0, for_all = 0, for_users = 0, for_booked = 0;
    GivenBooking booking;
};

void each_desk(const std::function<void(Desk&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        Desk desk(base);
        body(desk);
    });
}

}  // namespace

TEST_CASE("a link opens its file for its holder, under a name with the trip's title") {
    each_desk([](Desk& desk) {
        const auto issued = desk.link(desk.for_all);
        CAPTURE(issued.text);
        REQUIRE(issued.status == 200);
        CHECK(issued.data()["filename"].text() == "Nile cruise - Download - 1.pdf");
        CHECK(issued.data()["visibility"].text() == "public");
        const auto file = desk.base.get(desk.path(issued));
        CHECK(file.status == 200);
        CHECK(file.text == pdf_file);
        CHECK(file.header("Content-Disposition") == "attachment; filename=\"Nile cruise - Download - 1.pdf\"");
        CHECK(file.header("Cache-Control") == "private, no-store");
        const auto preview = desk.base.get(desk.path(desk.link(desk.for_all, "?action=preview")));
        CHECK(preview.header("Content-Disposition").starts_with("inline"));
        CHECK(desk.base.get(desk.trips(), desk.boss).data()[0]["download_count"].integer() == 1);
        // A fetch that goes on where it broke off is the same fetch.
        const auto rest =
            desk.base.get(desk.path(issued), Visitor{}.with("Range", "bytes=4-").with("If-Range", file.header("ETag")));
        CHECK(rest.status == 206);
        CHECK(pdf_file.substr(0, 4) + rest.text == pdf_file);
        CHECK(desk.base.get(desk.trips(), desk.boss).data()[0]["download_count"].integer() == 1);
        // The file itself is private: its number opens nothing.
        CHECK(desk.base.get("/media/" + std::to_string(desk.file) + "/file").status == 404);
    });
}

TEST_CASE("an altered link and one that has ended open nothing; half a link is no request") {
    each_desk([](Desk& desk) {
        const std::string path = desk.path(desk.link(desk.for_all));
        const auto code = [&](const std::string& from, const std::string& to) {
            std::string altered = path;
            altered.replace(altered.find(from), from.size(), to);
            return desk.base.get(altered).code();
        };
        CHECK(code("exp=1", "exp=2") == "svc_link_expired");
        CHECK(code("action=download", "action=preview") == "svc_link_expired");
        CHECK(code("&action", "&booking_id=1&action") == "svc_link_expired");
        CHECK(code("/downloads/" + std::to_string(desk.for_all), "/downloads/" + std::to_string(desk.for_booked)) ==
              "svc_link_expired");
        CHECK(code("sig=", "sig=0") == "svc_link_expired");
        CHECK(code(path.substr(path.find("&sig=")), "") == "invalid_request");
        CHECK(code(path.substr(path.find("exp="), path.find("&sig=") - path.find("exp=")), "x=1") == "invalid_request");
    });
}

TEST_CASE("each visibility admits its own callers") {
    each_desk([](Desk& desk) {
        desk.set_status("confirmed");
        const auto& customer = desk.base.user("svc_customer");
        CHECK(desk.link(desk.for_users).code() == "login_required");
        CHECK(desk.link(desk.for_users).status == 401);
        CHECK(desk.link(desk.for_users, "", customer).status == 200);
        CHECK(desk.link(desk.for_booked).code() == "svc_forbidden");
        CHECK(desk.link(desk.for_booked, "", customer).code() == "svc_forbidden");
        CHECK(desk.link(desk.for_booked, "?booking_id=" + std::to_string(desk.booking.id), customer).status == 403);
        CHECK(
            desk.link(desk.for_booked, "?booking_id=" + std::to_string(desk.booking.id) + "&booking_token=x").status ==
            403);
        CHECK(desk.link(desk.for_booked, "?booking_id=" + std::to_string(desk.booking.id)).status == 401);
        const auto guest = desk.link(desk.for_booked, desk.of_booking());
        CHECK(guest.status == 200);
        CHECK(desk.base.get(desk.path(guest)).text == pdf_file);
        CHECK(
            desk.base.get("/downloads/" + std::to_string(desk.for_booked) + desk.of_booking()).data()["title"].text() ==
            "paid_only");
        CHECK(desk.base.get("/downloads/" + std::to_string(desk.for_booked)).status == 403);
        CHECK(desk.link(desk.for_booked, "", desk.boss).status == 200);
        CHECK(desk.base.get(desk.path(desk.link(desk.for_booked, "", desk.boss))).text == pdf_file);
        CHECK(desk.link(999'999).code() == "svc_not_found");
    });
}

TEST_CASE("only a booking of this trip that is confirmed or completed opens what is for those who booked") {
    each_desk([](Desk& desk) {
        CHECK(desk.link(desk.for_booked, desk.of_booking()).code() == "svc_forbidden");
        desk.set_status("confirmed");
        const auto issued = desk.link(desk.for_booked, desk.of_booking());
        desk.set_status("cancelled");  // within the link's time
        CHECK(desk.base.get(desk.path(issued)).code() == "svc_forbidden");
        desk.set_status("completed");
        CHECK(desk.base.get(desk.path(issued)).text == pdf_file);
        const auto other = desk.base.given_trip("Highlands by rail");
        const auto set = desk.base.post(
            "/trips/" + std::to_string(other) + "/downloads",
            json::Value::object({{"items", json::Value::array({json::Value::object({{"attachment_id", desk.file}})})}}),
            desk.boss);
        CHECK(desk.link(set.data()[0]["id"].integer(), desk.of_booking()).code() == "svc_forbidden");
    });
}

TEST_CASE("a file that is a download not for everyone is fetched by links alone, however it was uploaded") {
    each_desk([](Desk& desk) {
        const auto made = upload(desk.base, Form{}.file("Guide.pdf", pdf_file + "2"), desk.boss);
        const std::string at = "/media/" + std::to_string(made.data()["id"].integer());
        CHECK(desk.base.get(at + "/file").text == pdf_file + "2");
        const auto offered = [&](const char* visibility, bool enabled) {
            const auto item = json::Value::object(
                {{"attachment_id", made.data()["id"].integer()}, {"visibility", visibility}, {"enabled", enabled}});
            const auto set =
                desk.base.post(desk.trips(), json::Value::object({{"items", json::Value::array({item})}}), desk.boss);
            REQUIRE(set.status == 200);
            return set.data()[0]["id"].integer();
        };
        const auto shown = [&] { return desk.base.get("/trips/public/nile-cruise").data()["downloadable_items"]; };
        const auto id = offered("booked_only", true);
        CHECK(desk.base.get(at + "/file").status == 404);
        CHECK(desk.base.get(at + "/file?sig=0&exp=9999999999").status == 403);
        REQUIRE(shown().size() == 1);
        CHECK_FALSE(shown()[0].find("attachment_id"));
        desk.set_status("confirmed");
        CHECK(desk.base.get(desk.path(desk.link(id, desk.of_booking()))).text == pdf_file + "2");
        // Staff are told a link.
        const std::string url = desk.base.get(at, desk.boss).data()["url"].text();
        const auto fetched = desk.base.get(url.substr(url.find("/media/")));
        CHECK(fetched.text == pdf_file + "2");
        CHECK(fetched.header("Cache-Control") == "private, no-store");
        offered("logged_in", true);
        CHECK(desk.base.get(at + "/file").status == 404);
        offered("public", false);
        CHECK(desk.base.get(at + "/file").status == 404);
        offered("public", true);
        CHECK(desk.base.get(at + "/file").status == 200);
        CHECK(shown()[0]["attachment_id"].integer() == made.data()["id"].integer());
    });
}

TEST_CASE("a picture of the trip's page stays one where it is a download for those who booked too") {
    each_desk([](Desk& desk) {
        const auto made =
            upload(desk.base, Form{}.file("map.jpg", images::to_jpeg(images::Picture::blank(60, 40))), desk.boss);
        const auto id = made.data()["id"].integer();
        const std::string file = "/media/" + std::to_string(id) + "/file";
        const auto item = json::Value::object({{"attachment_id", id}, {"visibility", "booked_only"}});
        REQUIRE(desk.base.post(desk.trips(), json::Value::object({{"items", json::Value::array({item})}}), desk.boss)
                    .status == 200);
        CHECK(desk.base.get(file).status == 404);
        const std::string trip = "/trips/" + std::to_string(desk.trip);
        REQUIRE(desk.base.call("PUT", trip, json::Value::object({{"featured_image", id}}).dump(), desk.boss).status ==
                200);
        CHECK(desk.base.get(file).status == 200);
    });
}

TEST_CASE("a disabled download is nobody's, one of a hidden trip only those who booked") {
    each_desk([](Desk& desk) {
        desk.set_status("confirmed");
        const std::string open = desk.path(desk.link(desk.for_all));
        desk.base.run("UPDATE svc_trip_downloads SET is_active = 0");
        CHECK(desk.link(desk.for_all).code() == "svc_forbidden");
        CHECK(desk.base.get(open).code() == "svc_forbidden");
        desk.base.run("UPDATE svc_trip_downloads SET is_active = 1");
        desk.base.run("UPDATE svc_trips SET status = 'draft'");
        CHECK(desk.link(desk.for_all).code() == "svc_not_found");
        CHECK(desk.link(desk.for_booked, desk.of_booking()).status == 200);
    });
}

TEST_CASE("a set replaces the former one, those named by their id stay, and its file cannot be deleted") {
    each_desk([](Desk& desk) {
        const auto refused = desk.base.call("DELETE", "/media/" + std::to_string(desk.file), {}, desk.boss);
        CHECK(refused.code() == "svc_in_use");
        CHECK(refused.body["data"]["used_by"]["items"][0]["title"].text() == "Nile cruise");
        const auto items = json::Value::array(
            {json::Value::object({{"id", desk.for_users}, {"attachment_id", desk.file}}),
             json::Value::object({{"attachment_id", desk.file}, {"title", "New"}, {"enabled", "no"}})});
        const auto set = desk.base.post(desk.trips(), json::Value::object({{"items", items}}), desk.boss);
        CAPTURE(set.text);
        REQUIRE(set.data().size() == 2);
        CHECK(set.data()[0]["id"].integer() == desk.for_users);
        CHECK(set.data()[0]["title"].text() == "Packing list.pdf");
        CHECK(set.data()[0]["visibility"].text() == "booked_only");
        CHECK_FALSE(set.data()[1]["enabled"].boolean());
        const auto member =
            desk.base.get("/trips/" + std::to_string(desk.trip), desk.boss).data()["downloadable_items"];
        CHECK(member == set.data());
        CHECK(desk.base.get("/trips/public/nile-cruise").data()["downloadable_items"].size() == 1);
        CHECK(desk.base.post(desk.trips(), json::parse(R"({"items":[{"attachment_id":99999}]})").value(), desk.boss)
                  .field() == "items.0.attachment_id");
        CHECK(desk.base.post(desk.trips(), json::parse(R"({"items":[]})").value(), desk.boss).data().size() == 0);
        CHECK(desk.base.call("DELETE", "/media/" + std::to_string(desk.file), {}, desk.boss).status == 200);
    });
}

TEST_CASE("what is for those who booked is for staff who see bookings, not for who writes trips alone") {
    each_desk([](Desk& desk) {
        const auto& front_desk = desk.base.user("front_desk");  // sees bookings, writes no trips
        const auto& marketing = desk.base.user("marketing");    // writes trips, sees no bookings
        const auto issued = desk.link(desk.for_booked, "", front_desk);
        CAPTURE(issued.text);
        CHECK(issued.status == 200);
        CHECK(desk.base.get(desk.path(issued)).text == pdf_file);
        CHECK(desk.link(desk.for_booked, "", marketing).code() == "svc_forbidden");
        CHECK(desk.link(desk.for_users, "", marketing).status == 200);
        desk.base.run("UPDATE svc_trips SET status = 'draft'");
        CHECK(desk.link(desk.for_all, "", marketing).status == 200);
        CHECK(desk.link(desk.for_all, "", front_desk).code() == "svc_not_found");
    });
}
