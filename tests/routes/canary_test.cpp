// Who may read a booking: a booking full of canary words, and every route, page and preview as callers who may not read
// it.
#include <algorithm>
#include <set>

#include "base/messaging/templates/templates.hpp"
#include "shared/core/ascii.hpp"
#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// Words of the customer, which the customer's own record holds too, and words of the booking alone.
constexpr const char* of_person = "zqperson";
constexpr const char* of_booking = "zqbooking";

struct Canary {
    explicit Canary(Walk& walk) : walk_(walk), gate_(app::make_gate(*walk.assembly)) {
        pages().ask([this](const api::InnerRequest& request) { return gate_.ask(request); });
        walk.fill();
        departure = walk.given_departure(walk.trip, 52);
        const auto session =
            walk.post("/booking/session",
                      Value::object({{"trip_id", walk.trip}, {"travel_date", walk.day(52)}, {"travelers_count", 1}}));
        const auto made = walk.post(
            "/booking/create",
            filled_in(Value::object({{"session_id", session.data().text_or("session_id")},
                                     {"contact_first_name", "Zqperson"},
                                     {"contact_last_name", "Zqpersonson"},
                                     {"contact_email", "zqperson@example.org"},
                                     {"emergency_name", "Zqbookingmother"},
                                     {"special_requests", "Zqbooking: a quiet room."},
                                     {"travelers", Value::array({Value::object({{"first_name", "Zqbookingada"},
                                                                                {"last_name", "Zqbookingday"},
                                                                                {"date_of_birth", "1990-12-10"},
                                                                                {"gender", "female"},
                                                                                {"nationality", "British"}})})}})));
        REQUIRE(made.status == 201);
        booking = {made.data()["booking_id"].integer(), made.data()["reference"].text(),
                   made.data().text_or("booking_token")};
        const auto paid = walk.post("/payments",
                                    Value::object({{"booking_id", booking.id},
                                                   {"amount", 10},
                                                   {"gateway", "cash"},
                                                   {"transaction_id", "zqbooking-t"},
                                                   {"notes", "Zqbooking paid."},
                                                   {"status", "completed"}}),
                                    walk.admin());
        REQUIRE(paid.status == 201);
        REQUIRE(walk.call("PUT", "/bookings/" + std::to_string(booking.id),
                          R"({"internal_notes":"Zqbooking: the note."})", walk.admin().with("If-Match", "*"))
                    .status < 500);
        walk.run(
            ("INSERT INTO svc_scheduled_payments (booking_id, plan_no, sequence_no, kind, payment_type, amount_minor,"
             " currency, planned_total_minor, scheduled_date, status, max_attempts, created_at, updated_at) VALUES (" +
             std::to_string(booking.id) + ", 1, 1, 'charge', 'balance', 500, 'USD', 1000, '" + walk.day(20) +
             "', 'scheduled', 3, 0, 0)")
                .c_str());
        // Answers that are sealed: of the traveler, and of the contact.
        REQUIRE(walk.call("PUT", "/bookings/" + std::to_string(booking.id),
                          R"({"travelers":[{"first_name":"Zqbookingada","last_name":"Zqbookingday",
                              "date_of_birth":"1990-12-10","gender":"female","nationality":"British",
                              "passport_number":"Zqsealed-P1","medical_conditions":"Zqsealed asthma"}]})",
                          walk.admin().with("If-Match", "*"))
                    .status == 200);
        // A confirmed booking has all documents.
        REQUIRE(walk.call("PUT", "/bookings/" + std::to_string(booking.id) + "/status", R"({"status":"confirmed"})",
                          walk.admin())
                    .status == 200);
        REQUIRE(walk.assembly->hooks.drain());
        // The walk's paths name what is the canary's.
        walk.booking = booking;
        walk.payment = paid.data()["id"].integer();
        walk.customer =
            walk.number(("SELECT customer_id FROM svc_bookings WHERE id = " + std::to_string(booking.id)).c_str());
    }

    // The words of a text, or none. The reference is a word of the booking, and so is a document as PDF: it is
    // compressed, and every one that the walk asks for is about the booking.
    [[nodiscard]] std::set<std::string> words_in(std::string text) const {
        if (text.starts_with("%PDF-"))
            return {of_person, of_booking};
        std::transform(text.begin(), text.end(), text.begin(), ascii::lower);
        std::string reference = booking.reference;
        std::transform(reference.begin(), reference.end(), reference.begin(), ascii::lower);
        std::set<std::string> found;
        if (text.find(of_person) != std::string::npos)
            found.insert(of_person);
        if (text.find(of_booking) != std::string::npos || text.find(reference) != std::string::npos)
            found.insert(of_booking);
        return found;
    }

    // Every GET route with what finds the booking in it, every preview and every page; calls `answered` with each.
    void each(const Visitor& visitor, const Visitor& browser,
              const std::function<void(const std::string& what, const std::string& text)>& answered) {
        const std::string id = std::to_string(booking.id), span = "from=" + walk_.day(-300) + "&to=" + walk_.day(300);
        const auto ask = [&](const std::string& name, const std::string& target) {
            answered(name, walk_.get(target, visitor).text);
        };
        for (const auto& route : walk_.routes()) {
            // A document of another booking, by a secret link.
            if (Walk::writes(*route) || route->path == "/consent/form/{token}/pdf")
                continue;
            const std::string name = Walk::name_of(*route), path = walk_.existing(*route);
            const bool searches = route->is_list || route->query.find("search");
            ask(name, path);
            if (searches)
                ask(name, Walk::asked(path) + "search=zq&per_page=100");
            if (route->query.find("booking_id"))
                ask(name, Walk::asked(path) + "booking_id=" + id);
            if (route->query.find("format"))
                ask(name, Walk::asked(path) + "format=csv&" + span);
            if (route->path == "/reports")
                for (const char* type :
                     {"overview", "bookings", "revenue", "trips", "customers", "payments", "taxes", "departures"})
                    for (const char* basis : {"booking", "travel"})
                        ask(name, std::string("/reports?type=") + type + "&basis=" + basis + "&" + span);
            if (route->path == "/reports/rows")
                for (const char* figure :
                     {"bookings", "booked", "cancelled", "outstanding", "payments", "refunds", "taxes", "departures"})
                    ask(name, std::string("/reports/rows?per_page=100&figure=") + figure + "&" + span);
            if (route->path == "/reports/export")
                for (const char* type : {"revenue", "bookings", "customers", "departures", "payments"})
                    for (const char* format : {"csv", "json"})
                        ask(name, std::string("/reports/export?type=") + type + "&format=" + format + "&" + span);
        }
        for (const auto& mail : messaging::templates())
            answered("POST /email-template-preview",
                     walk_
                         .post("/email-template-preview",
                               Value::object({{"template_key", mail.key}, {"booking_id", booking.id}}), visitor)
                         .text);
        const std::string confirmation = "/book/confirmation/" + booking.reference;
        const std::string account_booking = "/account/bookings/" + id;
        std::vector<std::string> paths{"/",
                                       "/trip",
                                       "/trip/nile-cruise",
                                       "/trip/nile-cruise/enquiry",
                                       "/book/nile-cruise",
                                       "/book/nile-cruise/pay",
                                       confirmation,
                                       confirmation + "?booking_token=guess",
                                       "/account",
                                       account_booking,
                                       "/account/enquiries",
                                       "/account/reviews",
                                       "/account/profile",
                                       "/sitemap.xml"};
        for (const char* kind : {"invoice", "voucher", "itinerary", "calendar"})
            for (const std::string& of : {confirmation, account_booking})
                paths.push_back(of + "/documents/" + kind);
        for (const std::string& page : paths) {
            const HttpRequest request{
                .method = "GET", .target = page, .headers = browser.headers, .body = "", .peer = "192.0.2.7"};
            const HttpAnswer answer = pages().answer(request);
            if (answer.status == 200)
                answered_pages.insert(page);
            std::string text = answer.body ? *answer.body : std::string();
            // The reader wrote the reference into that address itself.
            for (auto at = page.find(booking.reference) == page.npos ? page.npos : text.find(booking.reference);
                 at != std::string::npos; at = text.find(booking.reference, at))
                text.erase(at, booking.reference.size());
            answered("page " + page, text);
        }
    }

    // Every route that writes, with the canary's ids in path and body; calls `answered` with each.
    void each_write(const Visitor& visitor,
                    const std::function<void(const std::string& what, const std::string& text)>& answered) {
        for (const auto& route : walk_.routes()) {
            // Signing out would leave the other routes to nobody.
            if (!Walk::writes(*route) || route->path == "/auth/logout")
                continue;
            for (const bool is_whole : {false, true}) {
                if (is_whole && (!Walk::takes_json(*route) || route->method == api::Method::del))
                    continue;
                const std::string body = !Walk::takes_json(*route) ? "" : is_whole ? about(*route).dump() : "{}";
                answered(Walk::name_of(*route),
                         walk_.call(api::name_of(route->method), walk_.existing(*route), body, visitor).text);
            }
        }
    }

    static bool has_sealed(std::string text) {
        std::transform(text.begin(), text.end(), text.begin(), ascii::lower);
        return text.find("zqsealed") != std::string::npos;
    }

    pages::Pages& pages() { return walk_.assembly->pages.pages; }

    GivenBooking booking;
    std::int64_t departure = 0;
    std::set<std::string> answered_pages;  // to anybody

  private:
    // A body of the route that names what is the canary's.
    [[nodiscard]] Value about(const api::RouteSpec& route) const {
        Value body = route.body.sample();
        const bool of_customers = route.path.starts_with("/customers"),
                   of_payments = route.path.starts_with("/payment");
        for (const api::Field& field : route.body.fields())
            if (field.name == "booking_id")
                body.set(field.name, booking.id);
            else if (field.name == "payment_id")
                body.set(field.name, walk_.payment);
            else if (field.name == "customer_id")
                body.set(field.name, walk_.customer);
            else if (field.name == "departure_id")
                body.set(field.name, departure);
            else if (field.name == "ids")
                body.set(field.name, Value::array({Value(of_customers  ? walk_.customer
                                                         : of_payments ? walk_.payment
                                                                       : booking.id)}));
        return body;
    }

    Walk& walk_;
    app::Gate gate_;
};

}  // namespace

TEST_CASE("nobody reads a booking by any route, page or preview who may not, and whoever may finds it there") {
    each_walk([](Walk& walk) {
        Canary canary(walk);
        const auto other = walk.given_booking(walk.trip, 37, "Hopper");
        walk.run(("UPDATE svc_departures SET guide_user_id = " + std::to_string(walk.user("guide").user_id) +
                  " WHERE trip_id = " + std::to_string(walk.trip) + " AND id <> " + std::to_string(canary.departure))
                     .c_str());
        struct Caller {
            std::string name;
            Visitor visitor, browser;
            std::set<std::string> may_know = {};
        };
        // Marketing reads customers, and no booking.
        const std::vector<Caller> callers{
            {"nobody", {}, {}},
            {"the guest of another booking", Visitor{}.with("X-Svc-Booking-Token", other.token),
             Visitor{}.with("Cookie", "svc_booked=" + std::to_string(other.id) + "." + other.token)},
            {"a customer", walk.user("svc_customer"), walk.cookie("svc_customer", true)},
            {"a guide of another departure", walk.user("guide"), walk.cookie("guide", true)},
            {"marketing", walk.user("marketing"), walk.cookie("marketing", true), {of_person}}};
        const std::string of_canary = " FROM svc_bookings WHERE id = " + std::to_string(canary.booking.id);
        const auto version = walk.number(("SELECT row_version" + of_canary).c_str());
        for (const Caller& caller : callers) {
            CAPTURE(caller.name);
            const auto knows_nothing = [&](const std::string& what, const std::string& text) {
                for (const std::string& word : canary.words_in(text)) {
                    CAPTURE(what);
                    CAPTURE(word);
                    CHECK(caller.may_know.contains(word));
                }
            };
            canary.each(caller.visitor, caller.browser, knows_nothing);
            canary.each_write(caller.visitor, knows_nothing);
            CHECK(walk.number(("SELECT row_version" + of_canary).c_str()) == version);
        }
        const auto written = walk.call("PUT", "/bookings/" + std::to_string(canary.booking.id),
                                       R"({"internal_notes":"Zqbooking: still."})", walk.admin());
        CAPTURE(written.text);
        CHECK(canary.words_in(written.text).size() == 2);  // as whoever may, so that the walk does not pass on nothing
        // The same walk finds it where it may be read: it does not pass on empty answers.
        std::map<std::string, std::set<std::string>> found;
        canary.each(
            walk.admin(), walk.cookie("administrator", true),
            [&](const std::string& what, const std::string& text) { found[what].merge(canary.words_in(text)); });
        for (const char* what :
             {"GET /bookings", "GET /bookings/{id}", "GET /bookings/{id}/history", "GET /bookings/{id}/travellers",
              "GET /reports", "GET /reports/rows", "GET /reports/export", "GET /travelers", "GET /payments/{id}",
              "GET /customers/{id}", "GET /scheduled-payments", "GET /booking/{booking_id}/invoice",
              "GET /payment/{payment_id}/invoice", "POST /email-template-preview"}) {
            CAPTURE(what);
            CHECK_FALSE(found[what].empty());
        }
        const auto on_pages = [&](const Visitor& browser) {
            std::map<std::string, std::set<std::string>> seen;
            canary.each({}, browser, [&](const std::string& what, const std::string& text) {
                if (what.starts_with("page "))
                    seen[what.substr(5)].merge(canary.words_in(text));
            });
            return seen;
        };
        // Its guest's page names the address that was written to, and has its documents.
        const std::string confirmation = "/book/confirmation/" + canary.booking.reference;
        auto guests = on_pages(
            Visitor{}.with("Cookie", "svc_booked=" + std::to_string(canary.booking.id) + "." + canary.booking.token));
        for (const char* page : {"", "/documents/invoice", "/documents/voucher", "/documents/itinerary"}) {
            CAPTURE(std::string(page));
            CHECK(guests[confirmation + page].contains(of_person));
        }
        CHECK(canary.answered_pages.contains(confirmation + "/documents/calendar"));
        // So does the account that owns it, by the interface, too.
        const auto owner = walk.user("svc_customer");
        walk.run(("UPDATE svc_users SET email = 'zqperson@example.org', email_verified_at = 1 WHERE id = " +
                  std::to_string(owner.user_id))
                     .c_str());
        walk.run(("UPDATE svc_bookings SET user_id = " + std::to_string(owner.user_id) +
                  " WHERE id = " + std::to_string(canary.booking.id))
                     .c_str());
        auto owners = on_pages(walk.cookie("svc_customer", true));
        const std::string of_account = "/account/bookings/" + std::to_string(canary.booking.id);
        for (const std::string& page : {std::string("/account"), of_account, of_account + "/documents/invoice",
                                        of_account + "/documents/voucher", of_account + "/documents/itinerary"}) {
            CAPTURE(page);
            CHECK_FALSE(owners[page].empty());
        }
        found.clear();
        canary.each(owner, {}, [&](const std::string& what, const std::string& text) {
            found[what].merge(canary.words_in(text));
        });
        for (const char* what :
             {"GET /customers/my-bookings", "GET /customers/my-bookings/{id}", "GET /customers/my-payments",
              "GET /customers/my-documents", "GET /booking/{booking_id}/invoice"}) {
            CAPTURE(what);
            CHECK_FALSE(found[what].empty());
        }
        // No page of the walk is one that nobody can open.
        for (const auto& [page, words] : owners) {
            CAPTURE(page);
            CHECK((canary.answered_pages.contains(page) || page == "/book/nile-cruise/pay" ||
                   page == confirmation + "?booking_token=guess"));
        }
        // The departure's own guide reads it too, and the rows of reports that are about it.
        walk.run(("UPDATE svc_departures SET guide_user_id = " + std::to_string(walk.user("guide").user_id) +
                  " WHERE id = " + std::to_string(canary.departure))
                     .c_str());
        found.clear();
        canary.each(walk.user("guide"), {}, [&](const std::string& what, const std::string& text) {
            found[what].merge(canary.words_in(text));
        });
        for (const char* what :
             {"GET /bookings/{id}", "GET /bookings/{id}/history", "GET /reports/rows", "GET /reports/export"}) {
            CAPTURE(what);
            CHECK_FALSE(found[what].empty());
        }
        CHECK(found["GET /customers/{id}"].empty());
        const auto stats = walk.get("/bookings/stats", walk.user("guide"));
        CHECK(stats.status == 200);
        CHECK(stats.data()["total_revenue"].is_null());
        CHECK(walk.get("/bookings/stats", walk.admin()).data()["total_revenue"].is_number());
    });
}

TEST_CASE("staff without the right to sealed answers read none by any route, page or preview; whoever has it does") {
    each_walk([](Walk& walk) {
        Canary canary(walk);
        for (const char* role : {"front_desk", "auditor", "sales_agent"}) {
            CAPTURE(std::string(role));
            bool reads_bookings = false;
            const auto sees_none = [&](const std::string& what, const std::string& text) {
                CAPTURE(what);
                CHECK_FALSE(Canary::has_sealed(text));
                reads_bookings |= what == "GET /bookings/{id}" && canary.words_in(text).contains(of_booking);
            };
            canary.each(walk.user(role), walk.cookie(role, true), sees_none);
            CHECK(reads_bookings);
        }
        std::set<std::string> found;
        const auto note = [&](const std::string& what, const std::string& text) {
            if (Canary::has_sealed(text))
                found.insert(what);
        };
        canary.each(walk.user("manager"), walk.cookie("manager", true), note);
        // The lists, the record and the file of the manifest: nowhere else do they go at all.
        CHECK(found == std::set<std::string>{"GET /bookings/{id}", "GET /bookings/{id}/travellers", "GET /travelers"});
        // What staff change is answered as they read it.
        canary.each_write(walk.user("sales_agent"), [](const std::string& what, const std::string& text) {
            CAPTURE(what);
            CHECK_FALSE(Canary::has_sealed(text));
        });
    });
}
