// Reviews as visitors have them: who may write one, what is shown, and who is asked for one.
#include "base/platform/store/migrate.hpp"
#include "base/sales/booking/record/service.hpp"
#include "tests/base/people/reviews/reviews_desk.hpp"

namespace svc::tests {
namespace {

using json::Value;

std::string reason(ReviewDesk& desk, const Visitor& who = {}, const std::string& query = {}) {
    const auto asked = desk.get(desk.of_trip("can-review") + query, who);
    REQUIRE(asked.status == 200);
    CHECK(asked.data()["can_review"].boolean() == asked.data()["reason"].is_null());
    return asked.data()["reason"].is_null() ? "" : asked.data()["reason"].text();
}

std::string token_of(ReviewDesk& desk, const GivenBooking& booking) {
    const auto found = desk.assembly->bookings.records.find(booking.id);
    REQUIRE(found);
    return reviews::review_token(*desk.assembly->keyring, found->id, found->email);
}

TEST_CASE("who may write a review: signed in, after the journey, once, while reviews are taken") {
    at_each_review_desk([](ReviewDesk& desk) {
        const auto write = [&](const Visitor& who = {}) { return desk.post(desk.of_trip(), ReviewDesk::help(5), who); };
        CHECK(write().status == 401);
        CHECK(reason(desk) == "login_required");
        CHECK(write(desk.holder).code() == "booking_required");
        CHECK(reason(desk, desk.holder) == "booking_required");
        const auto booking = desk.given_booking(desk.trip);
        desk.execute("UPDATE svc_bookings SET user_id = :holder WHERE id = :id", booking.id);
        CHECK(write(desk.holder).code() == "booking_required");  // it lies ahead
        desk.journey();
        desk.set("enable_reviews", false);
        CHECK(write(desk.holder).code() == "reviews_disabled");
        desk.set("enable_reviews", true);
        CHECK(reason(desk, desk.holder).empty());
        const auto written = write(desk.holder);
        CAPTURE(written.text);
        REQUIRE(written.status == 201);
        CHECK(written.data()["status"].text() == "pending");
        CHECK(written.data()["is_verified"].boolean());
        CHECK(written.data()["can_edit"].boolean());
        CHECK(written.data().find("author_email") == nullptr);
        CHECK(write(desk.holder).code() == "duplicate_review");
        CHECK(write(desk.holder).status == 409);
        CHECK(reason(desk, desk.holder) == "duplicate_review");
        CHECK(desk.get(desk.of_trip("can-review"), desk.holder).data()["existing_review_id"] == written.data()["id"]);
        // It waits for approval, whoever asks.
        CHECK(desk.get(desk.of_trip()).data()["reviews"].size() == 0);
        CHECK(desk.get("/my-reviews", desk.holder).data().size() == 1);
        CHECK(desk.get("/my-reviews", desk.user("svc_customer")).data().size() == 1);
        CHECK(desk.post("/trips/4711/reviews", ReviewDesk::help(5), desk.holder).code() == "trip_not_found");
    });
}

TEST_CASE("a review is shown at once with auto_approve_reviews, or without moderation") {
    at_each_review_desk([](ReviewDesk& desk) {
        desk.set("require_booking", false);
        desk.set("review_moderation", false);
        const auto written = desk.post(desk.of_trip(), ReviewDesk::help(4), desk.holder);
        REQUIRE(written.status == 201);
        CHECK(written.data()["status"].text() == "approved");
        CHECK(!written.data()["is_verified"].boolean());
        CHECK(desk.shown()["avg_rating"].number_text() == "4.00");
        desk.set("review_moderation", true);
        desk.set("auto_approve_reviews", true);
        CHECK(desk.post(desk.of_trip(), ReviewDesk::help(4), desk.staff).data()["status"].text() == "approved");
        const auto seen = desk.get(desk.of_trip("reviews?limit=1")).data();
        CHECK(seen["reviews"].size() == 1);
        CHECK(seen["summary"]["review_count"].integer() == 2);
        CHECK(seen["summary"]["average_rating"].number_text() == "4.00");
        CHECK(seen["summary"]["distribution"]["4"].integer() == 2);
        CHECK(desk.get(desk.of_trip("reviews?rating=5")).data()["reviews"].size() == 0);
        CHECK(desk.get(desk.of_trip("reviews?limit=1&offset=1")).data()["reviews"].size() == 1);
        CHECK(desk.get("/trips/4711/reviews").status == 404);
    });
}

TEST_CASE("visitors write without signing in where the site lets them, once per address") {
    at_each_review_desk([](ReviewDesk& desk) {
        desk.set("allow_anonymous_reviews", true);
        desk.set("require_booking", false);
        Value body = ReviewDesk::help(3);
        const auto nameless = desk.post(desk.of_trip(), body);
        CHECK(nameless.status == 400);
        CHECK(nameless.body["data"]["errors"].find("author_name") != nullptr);
        CHECK(nameless.body["data"]["errors"].find("author_email") != nullptr);
        body.set("author_name", "Ada");
        body.set("author_email", "Ada@example.org");
        CHECK(desk.post(desk.of_trip(), body).status == 201);
        body.set("author_email", "ada@EXAMPLE.org");
        CHECK(desk.post(desk.of_trip(), body).code() == "duplicate_review");
        body.set("author_name", "see http://spam.example");
        body.set("author_email", "eve@example.org");
        CHECK(desk.post(desk.of_trip(), body).field() == "author_name");
        CHECK(desk.post(desk.of_trip(), body.set("rating", 0), {}).field() == "rating");
    });
}

TEST_CASE("one mailbox writes one review of a trip, however its address is spelled") {
    at_each_review_desk([](ReviewDesk& desk) {
        desk.set("allow_anonymous_reviews", true);
        desk.set("require_booking", false);
        Value body = ReviewDesk::help(3);
        body.set("author_name", "Ada");
        const auto write = [&](const char* email) {
            body.set("author_email", email);
            return desk.post(desk.of_trip(), body);
        };
        REQUIRE(write("ada.day@gmail.com").status == 201);
        for (const char* same : {"ada.day+1@gmail.com", "A.d.a.Day@GoogleMail.com", "adaday+x+y@googlemail.com"}) {
            CAPTURE(same);
            CHECK(write(same).code() == "duplicate_review");
        }
        CHECK(write("adaday@example.org").status == 201);  // the same name elsewhere is another mailbox
        // Also that of an account, which wrote signed in.
        REQUIRE(desk.post(desk.of_trip(), ReviewDesk::help(5), desk.holder).status == 201);
        CHECK(write("a_svc_customer+2@example.org").code() == "duplicate_review");
        CHECK(desk.number("SELECT COUNT(*) FROM svc_reviews") == 3);
    });
}

TEST_CASE("reviews of an earlier release count by their mailbox; of several spellings the oldest") {
    at_each_review_desk([](ReviewDesk& desk) {
        desk.set("allow_anonymous_reviews", true);
        desk.set("require_booking", false);
        struct Stored {
            const char *spelled, *key;  // as stored before the step, and the key after it
        };
        const Stored stored[] = {
            {"ada+1@example.org", "m:ada@example.org"},    {"ada+2@example.org", "m:ada+2@example.org"},
            {"bob@example.org", "m:bob@example.org"},      {"bob+a+b@example.org", "m:bob+a+b@example.org"},
            {"e.v.e+9@googlemail.com", "m:eve@gmail.com"}, {"+nobody@example.org", "m:+nobody@example.org"}};
        Value body = ReviewDesk::help(3);
        body.set("author_name", "Ada");
        for (std::size_t i = 0; i < std::size(stored); ++i) {
            body.set("author_email", "writer" + std::to_string(i) + "@example.org");
            REQUIRE(desk.post(desk.of_trip(), body).status == 201);
            const std::string was = stored[i].spelled;
            desk.run(("UPDATE svc_reviews SET mailbox = '', author_email = '" + was + "', email_lower = '" + was +
                      "', author_key = 'm:" + was + "' WHERE author_email LIKE 'writer%'")
                         .c_str());
        }
        const auto steps = embedded::base_steps();
        const auto step =
            std::find_if(steps.begin(), steps.end(), [](const auto& one) { return one.name.starts_with("0240_"); });
        REQUIRE(step != steps.end());
        for (const std::string& statement : store::statements_of(*step, desk.assembly->store->dialect()))
            if (!statement.starts_with("ALTER"))
                desk.run(statement.c_str());
        const auto keys = desk.assembly->store->reading<std::vector<std::string>>([](store::Session& session) {
            return session.all<std::string>("SELECT author_key FROM svc_reviews ORDER BY id", "t", {},
                                            [](const store::Row& row) { return row.text(0); });
        });
        REQUIRE(keys.size() == std::size(stored));
        for (std::size_t i = 0; i < std::size(stored); ++i) {
            CAPTURE(stored[i].spelled);
            CHECK(keys[i] == stored[i].key);
            body.set("author_email", stored[i].spelled);
            CHECK(desk.post(desk.of_trip(), body).code() == "duplicate_review");
        }
        body.set("author_email", "ada+3@example.org");
        CHECK(desk.post(desk.of_trip(), body).code() == "duplicate_review");
    });
}

TEST_CASE("the link of a review request proves the booking of who has no account, and nothing else") {
    at_each_review_desk([](ReviewDesk& desk) {
        const auto booking = desk.journey(false);
        const auto token = token_of(desk, booking);
        CHECK(reason(desk, {}, "?review_token=" + token).empty());
        CHECK(reason(desk, {}, "?review_token=" + token + "0") == "invalid_token");
        CHECK(reason(desk, {}, "?review_token=r1.99999." + token.substr(token.rfind('.') + 1)) == "invalid_token");
        CHECK(reason(desk, {}, "?review_token=r1..") == "invalid_token");
        Value body = ReviewDesk::help(5);
        body.set("review_token", token);
        const auto other_trip = desk.given_trip("Alps");
        CHECK(desk.post("/trips/" + std::to_string(other_trip) + "/reviews", body).code() == "invalid_token");
        const auto written = desk.post(desk.of_trip(), body);
        CAPTURE(written.text);
        REQUIRE(written.status == 201);
        CHECK(written.data()["is_verified"].boolean());
        CHECK(written.data()["author_name"].text() == "Ada Lovelace");
        CHECK(desk.post(desk.of_trip(), body).code() == "duplicate_review");
    });
}

TEST_CASE("the link of a review request opens a form, which writes the review without an account") {
    at_each_review_desk([](ReviewDesk& desk) {
        const auto token = token_of(desk, desk.journey(false));
        const auto page = desk.get("/reviews/write?token=" + token);
        CHECK(page.status == 200);
        CHECK(page.text.find("How was Nile cruise?") != std::string::npos);
        CHECK(page.text.find("action=\"write\"") != std::string::npos);
        CHECK(desk.get("/reviews/write?token=r1.1.0").text.find("<form") == std::string::npos);
        const Visitor browser = Visitor().with("Content-Type", "application/x-www-form-urlencoded");
        const std::string form = "rating=4&title=&content=Good+boat&token=" + token;
        const auto starless = desk.call("POST", "/reviews/write", "content=Good&token=" + token, browser);
        CHECK(starless.status == 400);
        CHECK(starless.text.find("stars") != std::string::npos);
        const auto sent = desk.call("POST", "/reviews/write", form, browser);
        CAPTURE(sent.text);
        CHECK(sent.status == 201);
        CHECK(sent.text.find("Thank you") != std::string::npos);
        CHECK(desk.call("POST", "/reviews/write", form, browser).status == 409);
        CHECK(desk.post("/reviews/write", Value::object({{"token", "r1.1.0"}})).code() == "invalid_token");
        CHECK(desk.get("/reviews/write?token=" + token).text.find("<form") == std::string::npos);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_reviews WHERE rating = 4") == 1);
    });
}

TEST_CASE("an author changes a review for a day while it is pending; others never") {
    at_each_review_desk([](ReviewDesk& desk) {
        desk.journey();
        const auto id = desk.post(desk.of_trip(), ReviewDesk::help(5), desk.holder).data()["id"].integer();
        const std::string path = "/my-reviews/" + std::to_string(id);
        const auto changed = desk.put(path, Value::object({{"rating", 2}, {"status", "approved"}}), desk.holder);
        CHECK(changed.status == 200);
        CHECK(changed.data()["rating"].integer() == 2);
        CHECK(changed.data()["status"].text() == "pending");
        CHECK(desk.put(path, Value::object({{"rating", 0}}), desk.holder).field() == "rating");
        CHECK(desk.put(path, Value::object({{"rating", 1}}), desk.staff).status == 403);
        CHECK(desk.put(path, Value::object({{"rating", 1}}), {}).status == 401);
        CHECK(desk.put("/my-reviews/4711", Value::object({{"rating", 1}}), desk.holder).status == 404);
        desk.run("UPDATE svc_reviews SET created_at = created_at - 86400000000");
        CHECK(desk.put(path, Value::object({{"rating", 1}}), desk.holder).status == 403);
        desk.run("UPDATE svc_reviews SET created_at = created_at + 86400000000");
        desk.put("/reviews/" + std::to_string(id) + "/status", Value::object({{"status", "approved"}}), desk.staff);
        CHECK(desk.put(path, Value::object({{"rating", 1}}), desk.holder).status == 403);
        CHECK(desk.shown()["avg_rating"].number_text() == "2.00");
    });
}

TEST_CASE("a customer is asked for a review once, some days after the trip, unless there is one") {
    at_each_review_desk([](ReviewDesk& desk) {
        const auto& reviews = desk.assembly->reviews;
        const auto later = [&](int days) { return desk.assembly->clock.now().plus(std::chrono::hours(24 * days)); };
        const auto asked = [&](Instant now) {
            const auto done = reviews.ask_for_reviews(now);
            REQUIRE(done);
            return (*done)["asked"].integer();
        };
        const auto mails = [&] {
            REQUIRE(desk.assembly->hooks.drain());
            return desk.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'review_request'");
        };
        const auto guest = desk.journey(false);
        CHECK(asked(later(6)) == 0);
        CHECK(asked(later(60)) == 0);  // too long ago
        CHECK(asked(later(8)) == 1);
        CHECK(asked(later(8)) == 0);
        CHECK(asked(later(9)) == 0);
        CHECK(mails() == 1);
        desk.journey();
        REQUIRE(desk.post(desk.of_trip(), ReviewDesk::help(5), desk.holder).status == 201);
        CHECK(asked(later(8)) == 0);
        desk.set("review_reminder_days", 0);
        desk.run("DELETE FROM svc_review_requests");
        CHECK(asked(later(8)) == 0);
        CHECK(mails() == 1);
    });
}

TEST_CASE("what an erased person wrote is gone, and the trip counts anew; the export shows it") {
    at_each_review_desk([](ReviewDesk& desk) {
        desk.set("require_booking", false);
        desk.set("auto_approve_reviews", true);
        REQUIRE(desk.post(desk.of_trip(), ReviewDesk::help(1), desk.holder).status == 201);
        desk.entered(5);
        CHECK(desk.shown()["avg_rating"].number_text() == "3.00");
        const std::string address = "a_svc_customer@example.org";
        const auto exported = desk.assembly->privacy.exported(address);
        REQUIRE(exported);
        CHECK((*exported)["reviews"].size() == 1);
        REQUIRE(desk.assembly->privacy.erase(address));
        CHECK(desk.number("SELECT COUNT(*) FROM svc_reviews") == 1);
        CHECK(desk.shown()["avg_rating"].number_text() == "5.00");
    });
}

}  // namespace
}  // namespace svc::tests
