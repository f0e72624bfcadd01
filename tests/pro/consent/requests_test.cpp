// Who is asked, by the clock and by hand; reminders; what ends a request.
#include <algorithm>

#include "tests/pro/consent/signer.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

const char* const family = R"([{"first_name":"Ada","last_name":"Lovelace","date_of_birth":"1990-12-10"},
    {"first_name":"Eva","last_name":"Byron","date_of_birth":"1991-01-02","email":"Eva@example.org"},
    {"first_name":"Tim","last_name":"Lovelace","date_of_birth":"2020-03-04"}])";

}  // namespace

TEST_CASE("confirmed bookings that begin soon are asked once for each traveler, by their address or the contact's") {
    each_signer([](Signer& base) {
        base.form();
        base.booking(family, 3);
        base.booking("[]", 1, false);  // pending: nobody is asked
        CHECK(base.sent() == 3);
        CHECK(base.sent() == 0);
        auto to = base.mails("trip_consent_request");
        std::sort(to.begin(), to.end());
        CHECK(to == std::vector<std::string>{"Eva@example.org", "ada@example.org", "ada@example.org"});
        CHECK(base.mails("trip_consent_request", "body_html").back().find("Tim Lovelace") != std::string::npos);
        const Value requests = base.read("/consent/requests?order=asc&orderby=id");
        REQUIRE(requests.size() == 3);
        CHECK(requests[std::size_t{1}]["name"].text() == "Eva Byron");
        CHECK(requests[std::size_t{1}]["traveler_index"].integer() == 2);
        CHECK(requests[std::size_t{1}]["status"].text() == "pending");
        CHECK(requests[std::size_t{1}]["sent_at"].is_string());
        CHECK(base.read("/consent/requests?status=signed").size() == 0);
        CHECK(base.read("/consent/requests?search=byron").size() == 1);
    });
}

TEST_CASE("a form asks in its time, on its trips, the lead or the contact alone where it says so") {
    each_signer([](Signer& base) {
        const auto early = base.form(R"({"send_before_days":2})");
        base.booking(family, 3);
        CHECK(base.sent() == 0);
        REQUIRE(base.put(Signer::path("/consent/forms/", early), R"({"send_before_days":5,"send_to":"lead_traveler"})")
                    .status == 200);
        CHECK(base.sent() == 1);
        base.form(R"({"send_to":"primary_contact"})");
        CHECK(base.sent() == 1);
        CHECK(base.request(base.last_request())["traveler_index"].integer() == 0);
        const auto other = base.given_trip("Desert walk");
        base.form(R"({"applicable_to":"specific_trips","trip_ids":[)" + std::to_string(other) + "]}");
        base.form(R"({"status":"draft"})");
        CHECK(base.sent() == 0);
        const auto here = base.form(R"({"applicable_to":"specific_trips","trip_ids":[)" + std::to_string(base.trip) +
                                    R"(],"send_to":"lead_traveler"})");
        CHECK(base.sent() == 1);
        CHECK(base.read(Signer::path("/consent/requests?form_id=", here)).size() == 1);
    });
}

TEST_CASE("staff asks by hand, each traveler once; whom staff revoked is not asked again by the clock") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking(family, 3);
        const auto ask = [&](const std::string& more) {
            return base.make("/consent/requests", R"({"form_id":)" + std::to_string(form) + R"(,"booking_id":)" +
                                                      std::to_string(booked.id) + more + "}");
        };
        const auto first = ask(R"(,"traveler_indexes":[2])");
        REQUIRE(first.status == 201);
        CHECK(first.data()["requests"].size() == 1);
        const auto rest = ask("");
        REQUIRE(rest.status == 201);
        CHECK(rest.data()["requests"].size() == 2);
        CHECK(rest.data()["existing"] == Value::array({2}));
        CHECK(ask("").status == 409);
        CHECK(ask(R"(,"traveler_indexes":[9])").field() == "traveler_indexes");
        CHECK(ask(R"(,"traveler_indexes":[])").field() == "traveler_indexes");
        CHECK(base.make("/consent/requests", R"({"form_id":99,"booking_id":1})").field() == "form_id");
        CHECK(base.make("/consent/requests", R"({"form_id":)" + std::to_string(form) + R"(,"booking_id":99999})")
                  .field() == "booking_id");
        const auto id = base.last_request();
        const auto token = base.token();
        const auto revoked = base.call("DELETE", Signer::path("/consent/requests/", id), {}, base.admin());
        REQUIRE(revoked.status == 200);
        CHECK(revoked.data()["status"].text() == "revoked");
        CHECK(base.get("/consent/form/" + token).status == 410);
        CHECK(base.sign(token).status == 410);
        CHECK(base.sent() == 0);
        CHECK(base.make(Signer::path("/consent/requests/", id, "/resend"), "{}").status == 409);
        const auto draft = base.form(R"({"status":"draft"})");
        CHECK(base.make("/consent/requests", R"({"form_id":)" + std::to_string(draft) + R"(,"booking_id":)" +
                                                 std::to_string(booked.id) + "}")
                  .field() == "form_id");
    });
}

TEST_CASE("a request that is sent again has a new link to today's address and the newest version; older links end") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking();
        const auto old = base.asked(form, booked);
        const auto id = base.last_request();
        REQUIRE(base.put(Signer::path("/consent/forms/", form), R"({"description":"Read this."})").status == 200);
        CHECK(base.get("/consent/form/" + old).data()["form"]["version"].integer() == 1);  // frozen
        base.run("UPDATE svc_bookings SET contact_email = 'new@example.org'");
        const auto again = base.make(Signer::path("/consent/requests/", id, "/resend"), "{}");
        CAPTURE(again.text);
        REQUIRE(again.status == 200);
        CHECK(again.data()["form_version"].integer() == 2);
        CHECK(again.data()["email"].text() == "new@example.org");
        CHECK(base.mails("trip_consent_request").back() == "new@example.org");
        const auto token = base.token();
        CHECK(token != old);
        CHECK(base.get("/consent/form/" + old).status == 410);
        CHECK(base.get("/consent/form/" + token).data()["form"]["description"].text() == "Read this.");
        CHECK(base.sign(old).status == 410);
        base.signed_id(token);
        // The older link may be in a stranger's mailbox: it does not lead to the signed copy.
        CHECK(base.get("/consent/form/" + old).status == 410);
        CHECK(base.get("/consent/form/" + old + "/pdf").status == 404);
        CHECK(base.get("/consent/form/" + token + "/pdf").status == 200);
        CHECK(base.make(Signer::path("/consent/requests/", id, "/resend"), "{}").code() == "already_signed");
        CHECK(base.call("DELETE", Signer::path("/consent/requests/", id), {}, base.admin()).code() == "already_signed");
        CHECK(base.make("/consent/requests/999/resend", "{}").status == 404);
    });
}

TEST_CASE("only hashes of tokens are stored, and each token has 256 bits") {
    each_signer([](Signer& base) {
        const auto token = base.asked(base.form(), base.booking());
        CHECK(token.size() == 64);
        CHECK(token.find_first_not_of("0123456789abcdef") == std::string::npos);
        CHECK(base.texts("SELECT token_hash FROM svc_consent_links WHERE token_hash = '" + token + "'").empty());
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_links WHERE LENGTH(token_hash) = 64") == 1);
    });
}

TEST_CASE("reminders go on each of the form's days, once, with a working link, and none to whom has signed") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        base.asked(form, base.booking());
        const auto other = base.asked(form, base.booking());
        base.signed_id(other);
        const auto remind = [&] { return base.job("consent_reminders")["sent"].integer(); };
        CHECK(remind() == 0);  // five days are left
        base.pass(2);
        base.move_trips(3);
        CHECK(remind() == 1);
        CHECK(remind() == 0);
        const auto bodies = base.mails("trip_consent_reminder", "body_html");
        REQUIRE(bodies.size() == 1);
        const auto token = base.token("trip_consent_reminder");
        CHECK(base.get("/consent/form/" + token).status == 200);
        base.pass(1);
        base.move_trips(2);
        CHECK(remind() == 0);
        base.pass(1);
        base.move_trips(1);
        CHECK(remind() == 1);
        base.pass(1);
        base.move_trips(0);
        CHECK(remind() == 0);
        base.run("UPDATE svc_bookings SET status = 'pending'");
        CHECK(remind() == 0);
        CHECK(base.read("/consent/requests?status=pending")[std::size_t{0}]["reminders_sent"].integer() == 2);
    });
}

TEST_CASE("a link ends with its hours or with the trip, and a moved trip moves it") {
    each_signer([](Signer& base) {
        const auto booked = base.booking();
        const auto by_trip = base.asked(base.form(), booked);
        const auto by_hours = base.asked(base.form(R"({"expiry_hours":2})"), booked);
        const auto hours_id = base.last_request();
        CHECK(base.get("/consent/form/" + by_hours).status == 200);
        base.run("UPDATE svc_consent_requests SET expires_at = 1");
        const auto gone = base.get("/consent/form/" + by_hours);
        CHECK(gone.status == 410);
        CHECK(gone.code() == "token_expired");
        CHECK(gone.body["data"]["reason"].text() == "expired");
        CHECK(base.get("/consent/form/" + by_trip).status == 200);  // the trip is still to come
        base.job("consent_send");
        CHECK(base.request(hours_id)["status"].text() == "expired");
        CHECK(base.read("/consent/requests?status=pending").size() == 1);
        CHECK(base.make(Signer::path("/consent/requests/", hours_id, "/resend"), "{}").data()["status"].text() ==
              "pending");
        CHECK(base.get("/consent/form/" + base.token()).status == 200);
        base.move_trips(-3);
        CHECK(base.get("/consent/form/" + by_trip).status == 410);
        CHECK(base.sign(by_trip).status == 410);
        CHECK(base.make(Signer::path("/consent/requests/", hours_id, "/resend"), "{}").status == 409);
    });
}

TEST_CASE("a cancelled booking revokes what is open, and one that comes back is asked anew") {
    each_signer([](Signer& base) {
        base.form();
        const auto booked = base.booking();
        CHECK(base.sent() == 1);
        const auto token = base.token();
        base.change(booked, "cancelled");
        CHECK(base.request(base.last_request())["status"].text() == "revoked");
        const auto gone = base.get("/consent/form/" + token);
        CHECK(gone.status == 410);
        CHECK(gone.body["data"]["reason"].text() == "booking");
        CHECK(base.sign(token).status == 410);
        CHECK(base.sent() == 0);
        base.change(booked, "confirmed");
        CHECK(base.sent() == 1);
        CHECK(base.get("/consent/form/" + base.token()).status == 200);
        // A status that no event tells of is found by the job. Its seats stay taken.
        base.leaves_what_holds = false;
        base.run("UPDATE svc_bookings SET status = 'refunded'");
        CHECK(base.get("/consent/form/" + base.token()).status == 410);
        CHECK(base.job("consent_send")["ended"].integer() == 1);
        CHECK(
            base.make("/consent/requests", R"({"form_id":1,"booking_id":)" + std::to_string(booked.id) + "}").status ==
            409);
    });
}

TEST_CASE("while the module is off nobody is asked or reminded, and what was asked stays") {
    each_signer([](Signer& base) {
        base.form();
        base.booking();
        base.turn(false);
        CHECK(base.sent() == 0);
        CHECK(base.job("consent_reminders")["sent"].integer() == 0);
        base.turn(true);
        CHECK(base.sent() == 1);
        base.turn(false);
        base.turn(true);
        CHECK(base.read("/consent/requests").size() == 1);
    });
}

namespace {

// The travelers of the booking, by name; those who are named stay with their answers.
void seat(Signer& base, const GivenBooking& booked, const std::string& travelers) {
    const auto done = base.call("PUT", Signer::path("/bookings/", booked.id, "/travellers"),
                                R"({"travelers":)" + travelers + "}", base.admin().with("If-Match", "*"));
    CAPTURE(done.text);
    REQUIRE(done.status == 200);
    base.settle();
}

}  // namespace

TEST_CASE("a seat that is given to another person revokes the signature of the one before, and asks the new one") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking(family, 3);
        base.asked(form, booked, "[1]");
        const auto token = base.asked(form, booked, "[2]");
        const auto copy = base.signed_id(token, R"({"signer_name":"Eva Byron"})");
        const auto request = base.last_request();
        const std::string status = Signer::path("/bookings/", booked.id, "/consent-status");
        CHECK(base.read(status)["signed"].integer() == 1);
        const auto mails = base.mails("trip_consent_request").size();
        // Another spelling, and another answer, is the same person.
        seat(base, booked, R"([{"first_name":"Ada","last_name":"Lovelace"},
            {"first_name":"EVA","last_name":"Byron ","email":"eva@example.org"},
            {"first_name":"Tim","last_name":"Lovelace"}])");
        CHECK(base.read(status)["signed"].integer() == 1);
        CHECK(base.mails("trip_consent_request").size() == mails);
        seat(base, booked, R"([{"first_name":"Ada","last_name":"Lovelace"},
            {"first_name":"Zoe","last_name":"Berg","email":"zoe@example.org"},
            {"first_name":"Tim","last_name":"Lovelace"}])");
        const Value signed_copy = base.read(Signer::path("/consent/signed/", copy));
        CHECK(signed_copy["status"].text() == "revoked");
        CHECK(signed_copy["signer_name"].text() == "Eva Byron");
        CHECK(signed_copy["is_intact"].boolean());
        CHECK(base.request(request)["status"].text() == "revoked");
        CHECK(base.request(request)["end_reason"].text() == "replaced");
        CHECK(base.mails("trip_consent_request").back() == "zoe@example.org");
        const Value now = base.read(status);
        CHECK(now["signed"].integer() == 0);
        CHECK(now["travelers"][std::size_t{1}]["name"].text() == "Zoe Berg");
        CHECK(now["travelers"][std::size_t{1}]["status"].text() == "pending");
        // Nobody is asked twice for it.
        const auto asked = base.mails("trip_consent_request").size();
        CHECK(base.sent() == 1);  // Tim, whom nobody had asked yet
        CHECK(base.mails("trip_consent_request").size() == asked + 1);
    });
}

TEST_CASE("travelers who change places take their requests and signatures along") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking(family, 3);
        base.asked(form, booked, "[1]");
        base.asked(form, booked, "[3]");
        base.signed_id(base.asked(form, booked, "[2]"), R"({"signer_name":"Eva Byron"})");
        const auto requests = base.number("SELECT COUNT(*) FROM svc_consent_requests");
        // Ada leaves, the others move up.
        seat(base, booked, R"([{"first_name":"Eva","last_name":"Byron"},{"first_name":"Tim","last_name":"Lovelace"}])");
        const Value now = base.read(Signer::path("/bookings/", booked.id, "/consent-status"));
        CHECK(now["travelers"][std::size_t{0}]["name"].text() == "Eva Byron");
        CHECK(now["travelers"][std::size_t{0}]["status"].text() == "signed");
        CHECK(now["travelers"][std::size_t{1}]["status"].text() == "pending");
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_requests") == requests);
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_requests WHERE status = 'revoked'") == 1);
    });
}

TEST_CASE("a seat that was asked while nobody was named there keeps its request, whoever moves to it") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking(R"([{"first_name":"Ada","last_name":"Lovelace"}])", 2);
        base.asked(form, booked, "[1]");
        base.asked(form, booked, "[2]");
        seat(base, booked, R"([{"first_name":"Zoe","last_name":"Berg"},{"first_name":"Ada","last_name":"Lovelace"}])");
        const auto pending = [&](const std::string& where) {
            return base.number(
                ("SELECT COUNT(*) FROM svc_consent_requests WHERE status = 'pending' AND " + where).c_str());
        };
        CHECK(pending("traveler_index = 1 AND name = 'Zoe Berg'") == 1);
        CHECK(pending("traveler_index = 2 AND name = ''") == 1);
        CHECK(pending("1 = 1") == 2);
    });
}

TEST_CASE("a signature goes along from a seat that is gone, and nobody is asked again") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking(family, 3);
        seat(base, booked, R"([{"first_name":"Ada","last_name":"Lovelace"},{"first_name":"Tim","last_name":"Lovelace"},
            {"first_name":"Eva","last_name":"Byron"}])");
        base.asked(form, booked, "[2]");
        base.signed_id(base.asked(form, booked, "[3]"), R"({"signer_name":"Eva Byron"})");
        const auto requests = base.number("SELECT COUNT(*) FROM svc_consent_requests");
        // Tim leaves, the party is two, and Eva moves up before anybody was told.
        base.run("UPDATE svc_bookings SET travelers_count = 2");
        seat(base, booked, R"([{"first_name":"Ada","last_name":"Lovelace"},{"first_name":"Eva","last_name":"Byron"}])");
        const Value now = base.read(Signer::path("/bookings/", booked.id, "/consent-status"));
        CHECK(now["travelers"][std::size_t{1}]["name"].text() == "Eva Byron");
        CHECK(now["travelers"][std::size_t{1}]["status"].text() == "signed");
        CHECK(base.number("SELECT COUNT(*) FROM svc_consent_requests") == requests);
        base.run("UPDATE svc_bookings SET travelers_count = 3");  // as the ledger of seats has it
    });
}

TEST_CASE("at check-in the signature of whoever had the seat before does not count, however late its event is") {
    each_signer([](Signer& base) {
        base.set(R"({"consent_blocks_check_in":true})");
        const auto form = base.form();
        const auto booked = base.booking(R"([{"first_name":"Ada","last_name":"Lovelace"}])");
        base.signed_id(base.asked(form, booked, "[1]"));
        static const hooks::Filter filter{"svc_check_in_allowed", {}, json::Kind::object, {}};
        const auto is_allowed = [&] {
            return base.assembly->hooks
                .apply(filter, Value::object({{"allowed", true}, {"reason", ""}}),
                       {booked.id, Value::array({1})})["allowed"]
                .boolean();
        };
        CHECK(is_allowed());
        base.run(R"(UPDATE svc_booking_travelers SET fields = '{"first_name":"Zoe","last_name":"Berg"}')");
        CHECK_FALSE(is_allowed());
    });
}
