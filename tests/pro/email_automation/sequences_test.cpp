// Sequences of e-mails through the whole base: who gets which step when, what ends it, what an edit does, and the log.
#include "tests/pro/email_automation/automated.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

constexpr const char* greeting =
    R"({"trigger_type":"booking.confirmed","steps":[{"custom_subject":"Hello {{ customer_first_name }}",
    "custom_body":"<p>{{ trip_name }}</p>"},{"delay_value":2,"delay_unit":"days","custom_subject":"Second",
    "custom_body":"B"}]})";

std::string path_of(std::int64_t id) { return "/email-sequences/" + std::to_string(id); }

// A sequence of these members; of an event, unless they say otherwise.
std::string with_type(const std::string& fields) {
    const std::string type =
        fields.find("trigger_type") == std::string::npos ? R"("trigger_type":"booking.created",)" : std::string();
    return R"({"name":"A",)" + type + fields + "}";
}

// As if that much time had passed.
void pass(Automated& base, std::int64_t days) {
    base.run(("UPDATE svc_email_enrolments SET since = since - " + std::to_string(days * 86'400'000'000) +
              ", next_run_at = next_run_at - " + std::to_string(days * 86'400'000'000))
                 .c_str());
}

}  // namespace

TEST_CASE("six sequences are ready, and begin nothing until they are activated") {
    each_automated([](Automated& base) {
        const Value all = base.read("/email-sequences");
        CHECK(all.size() == 6);
        for (const Value& each : all.items()) {
            CHECK(each["status"].text() == "draft");
            CHECK(each["steps_count"].integer() == 1);
        }
        base.confirm(base.given_booking(base.trip));
        CHECK(base.work()["queued"].integer() == 0);
        base.turn(false);
        base.turn(true);
        CHECK(base.read("/email-sequences").size() == 6);
        // Their texts are in the language of whoever receives them.
        const Value welcome = base.read("/email-sequences?search=Welcome")[std::size_t{0}];
        REQUIRE(base.put(path_of(welcome["id"].integer()), R"({"status":"active"})").status == 200);
        const auto booking = base.given_booking(base.trip, 30, "Byron");
        base.run("UPDATE svc_bookings SET locale = 'de'");
        base.confirm(booking);
        base.work();
        CHECK(base.of_module("subject") == std::vector<std::string>{"Willkommen, Ada"});
    });
}

TEST_CASE("a booking is in a sequence once, its steps follow each other, and the log tells of each") {
    each_automated([](Automated& base) {
        const auto id = base.sequence(greeting);
        const auto booking = base.given_booking(base.trip);
        base.confirm(booking);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_enrolments") == 1);
        CHECK(base.work()["queued"].integer() == 1);
        CHECK(base.work()["queued"].integer() == 0);
        CHECK(base.of_module("subject") == std::vector<std::string>{"Hello Ada"});
        const std::string body = base.of_module("body_html").front();
        CHECK(body.find("<p>Nile cruise</p>") != std::string::npos);
        CHECK(body.find("booking_token=") != std::string::npos);  // the link that every e-mail to the contact has
        CHECK(body.find("Unsubscribe") == std::string::npos);
        // Confirmed again, it is not enrolled again.
        base.run("UPDATE svc_bookings SET status = 'pending'");
        base.confirm(booking);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_enrolments") == 1);
        pass(base, 2);
        CHECK(base.work()["queued"].integer() == 1);
        pass(base, 30);
        CHECK(base.work()["queued"].integer() == 0);
        CHECK(base.read(path_of(id))["enrolled_finished"].integer() == 1);
        CHECK(base.read(path_of(id))["sent"].integer() == 2);

        const Value log = base.read("/email-logs?sequence_id=" + std::to_string(id));
        REQUIRE(log.size() == 2);
        CHECK(log[std::size_t{0}]["subject"].text() == "Second");
        CHECK(log[std::size_t{0}]["status"].text() == "queued");
        CHECK(log[std::size_t{0}]["context_id"].integer() == booking.id);
        const Value entry = base.read("/email-logs/" + std::to_string(log[std::size_t{1}]["id"].integer()));
        CHECK(entry["body"].text() == "<p>{{ trip_name }}</p>");
        CHECK(entry["recipient_name"].text().starts_with("Ada"));
        // E-mails of the site are in it, too.
        const std::int64_t of_site = base.id_of("booking_confirmed");
        const Value site = base.read("/email-logs?template_key=booking_confirmed");
        REQUIRE(site.size() >= 1);
        CHECK(site[std::size_t{0}]["template_id"].integer() == of_site);
        CHECK(base.read("/email-logs?status=opened").size() == 0);
        CHECK(base.get("/email-logs?status=eaten", base.admin()).field() == "status");
        CHECK(base.get("/email-logs/999998", base.admin()).status == 404);
        CHECK(base.read("/email-logs?search=HELLO").size() == 1);
        base.run("UPDATE svc_email_outbox SET status = 'failed', error = 'No such mailbox.' WHERE subject = 'Second'");
        CHECK(base.read("/email-logs?status=failed")[std::size_t{0}]["error_message"].text() == "No such mailbox.");
    });
}

TEST_CASE("what a booking is by now decides when a step is due") {
    each_automated([](Automated& base) {
        const auto id = base.sequence(
            R"({"trigger_type":"booking.confirmed","stop_on":["payment.received","enquiry.created"],"steps":[
            {"delay_value":1,"custom_subject":"Due","custom_body":"B"}]})");
        const auto next = [&](const char* name) {
            const auto booking = base.given_booking(base.trip, 30, name);
            base.confirm(booking);
            return booking;
        };
        const auto cancelled = next("Cancelled");
        REQUIRE(base.put("/bookings/" + std::to_string(cancelled.id) + "/status", R"({"status":"cancelled"})").status ==
                200);
        base.settle();
        CHECK(base.texts("SELECT stop_reason FROM svc_email_enrolments") ==
              std::vector<std::string>{"Ended by booking.cancelled."});
        // Their events came while nobody listened, and the sums are made up.
        base.leaves_what_holds = false;
        const auto paid = next("Paid"), refunded = next("Refunded");
        base.run(
            ("UPDATE svc_bookings SET amount_paid_minor = total_minor WHERE id = " + std::to_string(paid.id)).c_str());
        base.run(
            ("UPDATE svc_bookings SET payment_status = 'refunded' WHERE id = " + std::to_string(refunded.id)).c_str());
        pass(base, 1);
        CHECK(base.work()["ended"].integer() == 2);
        CHECK(base.of_module("subject").empty());
        next("Writes");
        const auto sent = base.post("/enquiries", Value::object({{"customer_name", "Ada"},
                                                                 {"customer_email", "ada@example.org"},
                                                                 {"message", "When do we meet?"}}));
        CAPTURE(sent.text);
        REQUIRE(sent.status == 201);
        base.settle();
        CHECK(base.read(path_of(id))["enrolled_active"].integer() == 0);

        // Conditions are asked then, too.
        const auto picky = base.sequence(
            R"({"trigger_type":"booking.confirmed","steps":[{"custom_subject":"Large","custom_body":"B","conditions":[
            {"field":"travelers_count","op":"gt","value":50}]},{"custom_subject":"Fits","custom_body":"B","conditions":[
            {"field":"booking_status","op":"in","value":["confirmed"]},{"field":"amount_due","op":"gt","value":0.5},
            {"field":"days_until_trip","op":"lt","value":60}]}]})");
        next("Fits");
        base.work();
        CHECK(base.of_module("subject") == std::vector<std::string>{"Fits"});
        const Value skipped = base.read("/email-logs?status=skipped&sequence_id=" + std::to_string(picky));
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[std::size_t{0}]["error_message"].text() == "A condition of the step does not hold.");
        CHECK(base.read("/email-logs/" + std::to_string(skipped[std::size_t{0}]["id"].integer()))["subject"].text() ==
              "Large");
    });
}

TEST_CASE("marketing needs consent, and ends with one click") {
    each_automated([](Automated& base) {
        const auto text = base.given(
            "/email-templates", R"({"name":"News","category":"marketing","subject":"News","body":"<p>New trips</p>"})");
        base.sequence(R"({"trigger_type":"booking.confirmed","steps":[{"template_id":)" +
                      std::to_string(text["id"].integer()) + "}]}");
        const auto reason = [&] {
            base.work();
            const Value log = base.read("/email-logs?status=skipped");
            return log.size() > 0 ? log[std::size_t{0}]["error_message"].text() : std::string();
        };
        base.confirm(base.given_booking(base.trip));
        CHECK(reason() == "The recipient has not agreed to marketing.");
        base.run("UPDATE svc_customers SET marketing_optin = 1");
        base.confirm(base.given_booking(base.trip, 30, "Byron"));
        base.work();
        const auto bodies = base.of_module("body_html");
        REQUIRE(bodies.size() == 1);
        const std::string mark = "<link rel=\"unsubscribe\" href=\"https://example.org/svc/v1/email-unsubscribe/";
        const auto at = bodies.front().find(mark);
        REQUIRE(at != std::string::npos);
        const auto begin = at + mark.size();
        const std::string token = bodies.front().substr(begin, bodies.front().find('"', begin) - begin);
        CHECK(bodies.front().find("https://example.org/unsubscribe/" + token) != std::string::npos);

        CHECK(base.get("/email-unsubscribe/" + token).status == 302);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_suppressions") == 0);
        const Visitor program = Visitor{}.with("Content-Type", "application/x-www-form-urlencoded");
        CHECK(base.call("POST", "/email-unsubscribe/" + token + "x", "List-Unsubscribe=One-Click", program).status ==
              404);
        CHECK(base.call("POST", "/email-unsubscribe/" + token, "List-Unsubscribe=One-Click", program).status == 200);
        CHECK(base.call("POST", "/email-unsubscribe/" + token, "List-Unsubscribe=One-Click", program).status == 200);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_suppressions") == 1);
        base.confirm(base.given_booking(base.trip, 30, "Babbage"));
        CHECK(reason() == "The recipient has unsubscribed.");
        CHECK(base.of_module("subject").size() == 1);
    });
}

TEST_CASE("staff put addresses on the list of those that get no marketing, and take them off") {
    each_automated([](Automated& base) {
        const auto add = [&](const std::string& email) {
            return base.call("POST", "/email-suppressions", R"({"email":")" + email + R"("})",
                             base.user("administrator"));
        };
        const auto listed = [&](const std::string& query) {
            std::string all;
            for (const Value& each : base.read("/email-suppressions" + query).items())
                all += each["mailbox"].text() + " " + each["reason"].text() + ";";
            return all;
        };
        CHECK(add("nobody").status == 400);
        const auto added = add("Ada.B+news@Example.org");
        CAPTURE(added.text);
        REQUIRE(added.status == 201);
        CHECK(added.data()["mailbox"].text() == "ada.b@example.org");
        const auto again = add("ada.b@example.org");
        CHECK(again.status == 409);
        CHECK(again.code() == "svc_conflict");
        REQUIRE(add("zoe@example.org").status == 201);
        base.run(
            "INSERT INTO svc_email_suppressions (mailbox, reason, created_at) VALUES ('mia@example.org',"
            " 'unsubscribed', 1767225600000000)");  // by the link of an e-mail, before this release
        CHECK(listed("?orderby=mailbox&order=asc") ==
              "ada.b@example.org staff;mia@example.org unsubscribed;zoe@example.org staff;");
        CHECK(listed("").ends_with("mia@example.org unsubscribed;"));
        CHECK(listed("?reason=unsubscribed") == "mia@example.org unsubscribed;");
        CHECK(listed("?search=ADA.B%2Bother@example.org") == "ada.b@example.org staff;");
        CHECK(listed("?search=A_a").empty());
        CHECK(listed("?to=2026-01-02") == "mia@example.org unsubscribed;");

        // Marketing skips it, whoever put it there; off the list it is sent again.
        const auto text = base.call("POST", "/email-templates",
                                    R"({"name":"News","category":"marketing","subject":"News","body":"<p>N</p>"})",
                                    base.user("administrator"));
        REQUIRE(text.status == 201);
        base.sequence(R"({"trigger_type":"booking.confirmed","steps":[{"template_id":)" +
                      std::to_string(text.data()["id"].integer()) + "}]}");
        std::string contact;
        const auto confirm = [&](const char* name) {
            const auto booking = base.given_booking(base.trip, 30, name);
            contact = base.texts("SELECT contact_email FROM svc_bookings ORDER BY id DESC").front();
            base.run("UPDATE svc_customers SET marketing_optin = 1");
            base.confirm(booking);
            base.work();
        };
        confirm("Byron");
        CHECK(base.of_module("subject").size() == 1);
        const auto own = add(contact);
        CAPTURE(own.text);
        REQUIRE(own.status == 201);
        confirm("Babbage");
        CHECK(base.of_module("subject").size() == 1);
        CHECK(base.read("/email-logs?status=skipped")[std::size_t{0}]["error_message"].text() ==
              "The recipient has unsubscribed.");
        const std::string path = "/email-suppressions/" + std::to_string(own.data()["id"].integer());
        CHECK(base.call("DELETE", path, {}, base.user("administrator")).status == 200);
        CHECK(base.call("DELETE", path, {}, base.user("administrator")).status == 404);
        confirm("Lovelace");
        CHECK(base.of_module("subject").size() == 2);
    });
}

TEST_CASE("days before and after a trip are counted from its day at nine o'clock of the site") {
    each_automated([](Automated& base) {
        const auto before = base.sequence(
            R"({"trigger_type":"schedule.days_before_trip","trigger_config":{"days":7},"steps":[
            {"custom_subject":"Soon","custom_body":"B"}]})");
        base.sequence(R"({"trigger_type":"schedule.days_after_trip","trigger_config":{"days":2},"steps":[
            {"custom_subject":"After","custom_body":"B"}]})");
        // Confirmed long ago, when the sequences were active already.
        const auto long_ago = "UPDATE svc_email_sequences SET active_since = 1";
        base.run(long_ago);
        const auto booked = [&](const char* name, const std::string& first, const std::string& last) {
            const auto booking = base.given_booking(base.trip, 30, name);
            base.confirm(booking);
            base.run(("UPDATE svc_bookings SET created_at = 1, travel_date = '" + first + "', end_date = '" + last +
                      "' WHERE id = " + std::to_string(booking.id))
                         .c_str());
            return booking;
        };
        booked("Far", base.day(20), base.day(22));
        booked("Near", base.day(6), base.day(9));    // its moment was yesterday
        booked("Gone", base.day(-5), base.day(-3));  // ended three days ago: due yesterday
        booked("Old", base.day(-40), base.day(-30));
        CHECK(base.work()["enrolled"].integer() == 2);
        CHECK(base.work()["enrolled"].integer() == 0);
        auto subjects = base.of_module("subject");
        std::sort(subjects.begin(), subjects.end());
        CHECK(subjects == std::vector<std::string>{"After", "Soon"});
        // The moment is local: nine o'clock in Honolulu is hours after that of Auckland.
        const auto moment = [&](const char* zone) {
            REQUIRE(base.put("/settings", std::string(R"({"timezone":")") + zone + "\"}").status == 200);
            base.run("DELETE FROM svc_email_enrolments");
            base.run("DELETE FROM svc_email_step_logs");
            base.work();
            return base.number(
                ("SELECT since FROM svc_email_enrolments WHERE sequence_id = " + std::to_string(before)).c_str());
        };
        CHECK(moment("Pacific/Honolulu") > moment("Pacific/Auckland"));
        // A sequence that begins now tells nobody of what is past.
        base.run("DELETE FROM svc_email_enrolments");
        REQUIRE(base.put(path_of(before), R"({"status":"draft"})").status == 200);
        REQUIRE(base.put(path_of(before), R"({"status":"active"})").status == 200);
        base.work();
        CHECK(base.read(path_of(before))["enrolled_active"].integer() +
                  base.read(path_of(before))["enrolled_finished"].integer() ==
              0);
    });
}

TEST_CASE("an edit says what becomes of those enrolled, and nobody gets a step twice") {
    each_automated([](Automated& base) {
        const auto id = base.sequence(greeting);
        for (const char* name : {"First", "Second", "Third"})
            base.confirm(base.given_booking(base.trip, 30, name));
        base.work();
        CHECK(base.of_module("subject").size() == 3);
        const Value before = base.read(path_of(id));
        const Value first = before["steps"][std::size_t{0}], second = before["steps"][std::size_t{1}];
        Value between = Value::object({{"custom_subject", "Between"}, {"custom_body", "B"}, {"delay_value", 0}});
        Value ahead = between;
        ahead.set("custom_subject", "Ahead");
        const auto change = [&](const Value& listed, bool dry) {
            Value steps = Value::array();
            for (Value step : listed.items())
                steps.push(step.set("step_order", static_cast<std::int64_t>(steps.size())));
            Value body = Value::object({{"steps", std::move(steps)}, {"dry_run", dry}});
            const auto done = base.put(path_of(id), body.dump());
            CAPTURE(done.text);
            REQUIRE(done.status == 200);
            return done.data()["edit_effect"];
        };
        // One that is new before their place is not for them; one that comes next is due by its own delay.
        const Value steps = Value::array({ahead, first, between, second});
        const Value would = change(steps, true);
        CHECK(would["active"].integer() == 3);
        CHECK(would["due_now"].integer() == 3);
        CHECK(base.read(path_of(id))["steps"] == before["steps"]);
        CHECK(base.read(path_of(id))["row_version"] == before["row_version"]);
        CHECK(change(steps, false) == would);
        CHECK(base.work()["queued"].integer() == 3);
        CHECK(base.mails("subject", "subject = 'Ahead'").empty());
        CHECK(base.mails("subject", "subject = 'Between'").size() == 3);
        // A taken step that moves to the end is not taken again.
        const Value now = base.read(path_of(id))["steps"];
        change(Value::array({now[std::size_t{0}], now[std::size_t{2}], now[std::size_t{3}], now[std::size_t{1}]}),
               false);
        pass(base, 3);
        base.work();
        pass(base, 3);
        base.work();
        CHECK(base.mails("subject", "subject LIKE 'Hello%'").size() == 3);
        CHECK(base.mails("subject", "subject = 'Second'").size() == 3);
        CHECK(base.read(path_of(id))["enrolled_finished"].integer() == 3);
        // Steps without ids are those that stood there.
        const auto kept =
            base.sequence(R"({"trigger_type":"booking.completed","steps":[{"custom_subject":"A","custom_body":"B"}]})");
        const Value was = base.read(path_of(kept))["steps"][std::size_t{0}]["id"];
        REQUIRE(base.put(path_of(kept), R"({"steps":[{"custom_subject":"Changed","custom_body":"B"}]})").status == 200);
        CHECK(base.read(path_of(kept))["steps"][std::size_t{0}]["id"] == was);
    });
}

TEST_CASE("a paused sequence waits, what is over a week late is skipped, and a module that is off sends nothing") {
    each_automated([](Automated& base) {
        const auto id = base.sequence(greeting);
        base.confirm(base.given_booking(base.trip));
        REQUIRE(base.put(path_of(id), R"({"status":"paused"})").status == 200);
        CHECK(base.work()["queued"].integer() == 0);
        base.confirm(base.given_booking(base.trip, 30, "Byron"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_enrolments") == 1);
        pass(base, 8);
        REQUIRE(base.put(path_of(id), R"({"status":"active"})").status == 200);
        CHECK(base.work()["skipped"].integer() == 1);
        CHECK(base.read("/email-logs?status=skipped")[std::size_t{0}]["error_message"].text() ==
              "The step was more than seven days late.");
        CHECK(base.of_module("subject").empty());
        pass(base, 2);
        base.turn(false);
        const auto idle = base.assembly->jobs.run_now("email_sequences");
        REQUIRE(idle);
        CHECK((*idle)["queued"].integer() == 0);
        base.confirm(base.given_booking(base.trip, 30, "Babbage"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_enrolments") == 1);
        base.turn(true);
        CHECK(base.work()["queued"].integer() == 1);
        REQUIRE(base.call("DELETE", path_of(id), {}, base.admin()).status == 200);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_enrolments") == 0);
        CHECK(base.read("/email-logs?sequence_id=" + std::to_string(id)).size() == 2);
    });
}

TEST_CASE("a sequence is checked before anything is stored") {
    each_automated([](Automated& base) {
        const auto before = base.row_counts();
        const auto refused = [&](const std::string& fields) {
            const auto answered = base.make("/email-sequences", with_type(fields));
            CAPTURE(answered.text);
            CHECK(answered.status == 400);
            return answered.field();
        };
        const std::string step = R"({"custom_subject":"S","custom_body":"B")";
        CHECK(refused(R"("trigger_type":"account.email_changed")").starts_with("trigger_type"));
        CHECK(refused(R"("status":"active")") == "steps");
        CHECK(refused(R"("applicable_to":"specific_trips")") == "trip_ids");
        CHECK(refused(R"("trip_ids":[424242],"applicable_to":"specific_trips")").starts_with("trip_ids"));
        CHECK(refused(R"("steps":[{}])") == "steps.0.template_id");
        CHECK(refused(R"("steps":[{"template_id":424242}])") == "steps.0.template_id");
        CHECK(refused(R"("steps":[)" + step + R"(,"delay_value":-1}])") == "steps.0.delay_value");
        CHECK(refused(R"("steps":[)" + step + R"(,"delay_value":3661,"delay_unit":"days"}])") == "steps.0.delay_value");
        CHECK(refused(R"("steps":[{"custom_subject":"{{ no_such }}","custom_body":"B"}])") == "steps.0.custom_subject");
        CHECK(refused(R"("steps":[)" + step + R"(,"conditions":[{"field":"shoe_size","op":"eq","value":1}]}])")
                  .starts_with("steps.0.conditions.0"));
        CHECK(refused(R"("steps":[)" + step + R"(,"conditions":[{"field":"total","op":"gt","value":"much"}]}])") ==
              "steps.0.conditions.0.value");
        CHECK(
            refused(R"("steps":[)" + step + R"(,"conditions":[{"field":"booking_status","op":"gt","value":"a"}]}])") ==
            "steps.0.conditions.0.op");
        CHECK(refused(R"("stop_on":["nothing.known"])").starts_with("stop_on"));
        CHECK(base.row_counts() == before);
    });
}
