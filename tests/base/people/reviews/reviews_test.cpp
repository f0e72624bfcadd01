// Reviews as staff have them: the trip's mean, moderation, replies, lists, many at once, counts, testimonials.
#include "tests/base/people/reviews/reviews_desk.hpp"

namespace svc::tests {
namespace {

using json::Value;

TEST_CASE("a trip's mean and count are those of its approved reviews at once, in memory and in lists") {
    at_each_review_desk([](ReviewDesk& desk) {
        const auto mean = [&] { return desk.shown()["avg_rating"].number_text(); };
        const auto count = [&] { return desk.shown()["reviews_count"].integer(); };
        const auto found = [&](const char* least) {
            return desk.get(std::string("/trips/public?min_rating=") + least).body["meta"]["total"].integer();
        };
        CHECK(found("0.5") == 0);
        const auto first = desk.entered(5);
        CHECK(mean() == "5.00");
        const auto second = desk.entered(4), third = desk.entered(4, "pending");
        CHECK(mean() == "4.50");
        CHECK(count() == 2);
        CHECK(found("4.5") == 1);
        CHECK(found("4.51") == 0);
        const auto facet = [&] { return desk.get("/trips/public?facets=1").body["meta"]["facets"]["rating"].dump(); };
        CHECK(facet() == R"([{"min_rating":4,"count":1},{"min_rating":3,"count":1},{"min_rating":2,"count":1},)"
                         R"({"min_rating":1,"count":1}])");
        const std::string path = "/reviews/" + std::to_string(third);
        REQUIRE(desk.put(path + "/status", Value::object({{"status", "approved"}}), desk.staff).status == 200);
        CHECK(mean() == "4.33");
        CHECK(desk.get("/trips", desk.staff).data()[0]["avg_rating"].number_text() == "4.33");
        CHECK(desk.get("/trips/" + std::to_string(desk.trip), desk.staff).data()["reviews_count"].integer() == 3);
        REQUIRE(desk.put(path, Value::object({{"rating", 1}}), desk.staff).status == 200);
        CHECK(mean() == "3.33");
        CHECK(facet().find("\"min_rating\":4") == std::string::npos);
        REQUIRE(desk.call("DELETE", path, {}, desk.staff).status == 200);
        CHECK(mean() == "4.50");
        const auto ids = Value::array({first, second, 4711});
        const auto bulk = desk.put("/reviews/bulk", Value::object({{"action", "mark_spam"}, {"ids", ids}}), desk.staff);
        CHECK(bulk.data()["affected"].integer() == 2);
        CHECK(bulk.data()["failed"].integer() == 1);
        CHECK(mean() == "0.00");
        CHECK(count() == 0);
        CHECK(found("0") == 1);
        for (const char* action : {"approve", "mark_approved"})
            CHECK(desk.put("/reviews/bulk", Value::object({{"action", action}, {"ids", Value::array({first})}}),
                           desk.staff)
                      .data()["affected"]
                      .integer() == 1);
        CHECK(mean() == "5.00");
    });
}

TEST_CASE("a review takes whole stars alone: 0, 6 and 4.5 are refused, and what is below min_rating") {
    at_each_review_desk([](ReviewDesk& desk) {
        const auto refused = [&](const char* rating) {
            const auto answered = desk.call("POST", "/reviews",
                                            R"({"trip_id":)" + std::to_string(desk.trip) +
                                                R"(,"author_name":"Ada","content":"Fine","rating":)" + rating + "}",
                                            desk.staff);
            CHECK(answered.status == 400);
            return answered.field();
        };
        for (const char* rating : {"0", "6", "-1", "4.5", "null", "\"x\""}) {
            CAPTURE(rating);
            CHECK(refused(rating) == "rating");
        }
        desk.set("min_rating", 3);
        CHECK(refused("2") == "rating");
        CHECK(desk.number("SELECT COUNT(*) FROM svc_reviews") == 0);
        const auto unknown =
            desk.post("/reviews", Value::object({{"trip_id", 4711}, {"rating", 5}, {"content", " "}}), desk.staff);
        CHECK(unknown.status == 400);
        for (const char* field : {"trip_id", "author_name", "content"})
            CHECK(unknown.body["data"]["errors"].find(field) != nullptr);
    });
}

TEST_CASE("staff moderate in any direction and reply; both are dated and signed") {
    at_each_review_desk([](ReviewDesk& desk) {
        const auto id = desk.entered(4, "pending");
        const std::string path = "/reviews/" + std::to_string(id);
        CHECK(desk.get(path, desk.staff).data()["moderated_at"].is_null());
        for (const char* status : {"approved", "rejected", "spam", "pending", "trash", "approved"}) {
            const auto set = desk.put(path + "/status", Value::object({{"status", status}}), desk.staff);
            REQUIRE(set.status == 200);
            CHECK(set.data()["status"].text() == status);
            CHECK(set.data()["moderated_by"] == Value(desk.staff.user_id));
        }
        CHECK(desk.put(path + "/status", Value::object({{"status", "great"}}), desk.staff).field() == "status");
        CHECK(desk.put(path, Value::object({{"status", "great"}}), desk.staff).field() == "status");
        const auto replied = desk.put(path, Value::object({{"reply", "Thank you.\nCome again."}}), desk.staff);
        CHECK(replied.data()["reply"].text() == "Thank you.\nCome again.");
        CHECK(replied.data()["replied_by"] == Value(desk.staff.user_id));
        const auto seen = desk.get(desk.of_trip()).data()["reviews"][0];
        CHECK(seen["reply"].text() == "Thank you.\nCome again.");
        CHECK(seen["replied_at"].is_string());
        for (const char* member : {"author_email", "user_id", "replied_by", "moderated_by", "ip_hash"})
            CHECK(seen.find(member) == nullptr);
        const auto none = desk.put(path, Value::object({{"reply", " "}}), desk.staff);
        CHECK(none.data()["reply"].is_null());
        CHECK(none.data()["replied_at"].is_null());
        // A role that may only see reviews changes none of them.
        const auto& auditor = desk.user("auditor");
        CHECK(desk.get(path, auditor).status == 200);
        CHECK(desk.put(path + "/status", Value::object({{"status", "spam"}}), auditor).status == 403);
        CHECK(desk.put("/reviews/bulk", Value::object({{"action", "delete"}, {"ids", Value::array({id})}}),
                       desk.user("marketing"))
                  .status == 403);
    });
}

TEST_CASE("staff list reviews by trip, rating, status and words; the trash is hidden, stats count all") {
    at_each_review_desk([](ReviewDesk& desk) {
        desk.entered(5);
        desk.entered(2, "pending");
        desk.entered(1, "trash");
        const auto total = [&](const char* query) {
            return desk.get(std::string("/reviews") + query, desk.staff).body["meta"]["total"].integer();
        };
        CHECK(total("") == 2);
        CHECK(total("?status=trash") == 1);
        CHECK(total("?status=approved&rating=5") == 1);
        CHECK(total("?rating=4") == 0);
        CHECK(total("?search=HOPP") == 2);
        CHECK(total("?search=river") == 2);
        CHECK(total("?trip_id=4711") == 0);
        CHECK(desk.get("/reviews?orderby=rating&order=asc", desk.staff).data()[0]["rating"].integer() == 2);
        const auto stats = desk.get("/reviews/stats", desk.staff).data();
        CHECK(stats["total"].integer() == 2);
        CHECK(stats["pending"].integer() == 1);
        CHECK(stats["this_month"].integer() == 2);
        CHECK(stats["by_status"]["trash"].integer() == 1);
        CHECK(stats["average_rating"].number_text() == "5.00");
    });
}

TEST_CASE("testimonials are approved reviews; one that a trip shows already stays") {
    at_each_review_desk([](ReviewDesk& desk) {
        const auto good = desk.entered(5), waiting = desk.entered(5, "pending");
        const std::string path = "/trips/" + std::to_string(desk.trip);
        const auto shows = [&](Value ids) {
            return desk.put(path, Value::object({{"testimonial_review_ids", std::move(ids)}}),
                            desk.user("administrator"));
        };
        CHECK(shows(Value::array({good, waiting})).field() == "testimonial_review_ids.1");
        CHECK(shows(Value::array({4711})).field() == "testimonial_review_ids.0");
        CHECK(shows(Value::array({good})).status == 200);
        desk.put("/reviews/" + std::to_string(good) + "/status", Value::object({{"status", "spam"}}), desk.staff);
        CHECK(shows(Value::array({good})).status == 200);
    });
}

}  // namespace
}  // namespace svc::tests
