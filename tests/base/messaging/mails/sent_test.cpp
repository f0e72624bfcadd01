// Which e-mail goes for which event, and to whom: every template of the base.
#include <set>

#include <doctest/doctest.h>

#include "base/messaging/templates/templates.hpp"
#include "base/people/enquiries/hooks.hpp"
#include "base/people/identity/hooks.hpp"
#include "base/people/privacy/hooks.hpp"
#include "base/people/reviews/hooks.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

constexpr const char *guest = "ada@example.org", *office = "office@example.org", *holder = "eva@example.org";

// An installation with one booking, whose events are made by hand.
struct Mailing {
    explicit Mailing(Database& database) : base(database), admin(base.user("administrator")), trip(base.given_trip()) {
        departure = base.given_departure(trip);
        for (const char* each : {R"({"admin_email":"office@example.org"})", R"({"unproven_mails_per_hour":0})",
                                 R"({"email_template_partial_payment":true})"})
            REQUIRE(base.call("PUT", "/settings", each, admin).status == 200);
        base.leaves_what_holds = false;  // events without what they tell of
        made = base.given_booking(trip);
        REQUIRE(base.assembly->hooks.drain());
        base.run("DELETE FROM svc_email_outbox");
    }
    Value booking(const char* status) {
        Value told = base.get("/bookings/" + std::to_string(made.id), admin).data();
        told.set("status", status);
        return told;
    }
    void happen(const hooks::Action& action, json::Array arguments) {
        REQUIRE(base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
            base.assembly->hooks.emit(tx, action, std::move(arguments));
            return {};
        }));
    }
    // Exactly these mails were sent since the last call; "template event recipient" each.
    void mailed(std::set<std::string> expected) {
        for (int deep = 0; deep < 3; ++deep)
            REQUIRE(base.assembly->hooks.drain());
        std::set<std::string> sent;
        base.assembly->store->read([&](store::Session& session) {
            sent.clear();
            session.each("SELECT template_key, event_key, to_email FROM svc_email_outbox WHERE status <> 'suppressed'",
                         "ttt", {}, [&](const store::Row& row) {
                             sent.insert(row.text(0) + " " + row.text(1) + " " + row.text(2));
                             seen.insert(row.text(0));
                         });
        });
        CHECK(sent == expected);
        base.run("DELETE FROM svc_email_outbox");
    }

    TestBase base;
    Visitor admin;
    std::int64_t trip, departure = 0;
    GivenBooking made;
    std::set<std::string> seen;
};

std::string mail(const char* key, const char* event, const char* to) {
    return std::string(key) + " " + event + " " + to;
}

void bookings(Mailing& site) {
    const std::int64_t id = site.made.id;
    site.happen(booking::booking_created, {id, site.booking("pending")});
    site.mailed(
        {mail("booking_confirmation", "booking.created", guest), mail("admin_new_booking", "booking.created", office)});
    site.happen(booking::booking_created, {id, site.booking("waitlist")});
    site.mailed({mail("waitlist_joined", "booking.created", guest)});
    site.happen(booking::booking_created, {id, site.booking("pending_verification")});
    site.mailed({mail("guest_email_verification", "account.email_verification", guest)});
    site.happen(booking::waitlist_promoted, {id, site.trip, site.departure, "pending", site.booking("pending")});
    site.mailed({mail("waitlist_offer", "booking.waitlist_promoted", guest)});
    site.happen(booking::booking_confirmed, {id, site.booking("confirmed")});
    site.mailed({mail("booking_confirmed", "booking.confirmed", guest)});
    site.happen(booking::link_wanted, {id, false});
    site.mailed({mail("booking_link", "booking.link_wanted", guest)});
    site.happen(booking::link_wanted, {0, false});  // reference and address that do not belong together
    site.mailed({});
    site.happen(booking::booking_rescheduled, {id, site.booking("confirmed"), "2026-01-02"});
    site.mailed({mail("booking_rescheduled", "booking.rescheduled", guest)});
    site.happen(booking::booking_cancelled, {id, site.booking("cancelled")});
    site.mailed({mail("booking_cancelled", "booking.cancelled", guest),
                 mail("admin_booking_cancelled", "booking.cancelled", office)});
    Value expired = site.booking("cancelled");
    expired.set("cancelled_via", "expiry");
    site.happen(booking::booking_expired, {id, expired});
    site.happen(booking::booking_cancelled, {id, expired});
    site.mailed({mail("booking_expired_customer", "booking.expired", guest),
                 mail("admin_booking_expired", "booking.expired", office)});
    site.happen(booking::booking_completed, {id, site.booking("completed")});
    site.mailed({mail("booking_completed", "booking.completed", guest)});
    site.happen(booking::reminder_due, {id, site.booking("confirmed"), 3});
    site.mailed({mail("trip_reminder", "reminder.trip", guest)});
    site.happen(booking::payment_due, {id, site.booking("pending"), 2, "2026-12-24"});
    site.mailed({mail("payment_reminder", "payment.reminder", guest)});
    site.happen(reviews::review_request_due, {id, site.booking("completed")});
    site.mailed({mail("review_request", "marketing.review_request", guest)});
    site.happen(availability::seats_low,
                {site.departure, 2,
                 Value::object({{"id", site.departure},
                                {"start_date", "2026-12-24"},
                                {"trip", Value::object({{"id", site.trip}, {"title", "Nile cruise"}})}})});
    site.mailed({mail("admin_seats_low", "departure.seats_low", office)});
}

void money(Mailing& site) {
    const std::int64_t id = site.made.id;
    const auto paid = [&](bool fully, const char* reconciliation) {
        return Value::object({{"booking_id", id},
                              {"payment_id", 77},
                              {"amount", json::Number{"40.00"}},
                              {"amount_due", json::Number{fully ? "0" : "60.00"}},
                              {"currency", "USD"},
                              {"fully_paid", fully},
                              {"send_emails", true},
                              {"reconciliation", reconciliation}});
    };
    site.happen(payment::payment_completed, {paid(true, "matched")});
    site.mailed({mail("payment_received", "payment.received", guest),
                 mail("admin_payment_received", "payment.received", office)});
    site.happen(payment::payment_completed, {paid(false, "matched")});
    site.mailed({mail("partial_payment_received", "payment.partial_received", guest),
                 mail("admin_payment_received", "payment.partial_received", office)});
    site.happen(payment::payment_completed, {paid(true, "refund_due")});
    site.mailed(
        {mail("payment_received", "payment.received", guest), mail("admin_refund_due", "payment.received", office)});
    site.happen(payment::payment_in_review, {paid(true, "matched")});
    site.mailed({mail("admin_payment_review", "payment.in_review", office)});

    const auto recorded = site.base.post(
        "/payments", Value::object({{"booking_id", id}, {"amount", 40}, {"gateway", "cash"}, {"status", "completed"}}),
        site.admin);
    REQUIRE(recorded.status == 201);
    REQUIRE(site.base.assembly->hooks.drain());
    site.base.run("DELETE FROM svc_email_outbox");
    REQUIRE(site.base
                .post("/payments/" + std::to_string(recorded.data()["id"].integer()) + "/refunds",
                      Value::object({{"amount", 15}}), site.admin)
                .status == 201);
    site.mailed({mail("booking_refunded", "payment.refunded", guest)});
}

void people(Mailing& site) {
    const std::int64_t user = site.base.user("svc_customer").user_id;
    const auto account = [&](const char* wants) {
        return Value::object({{"name", "Eva Byte"},
                              {"email", holder},
                              {"new_email", "eva@example.net"},
                              {"sent_at", site.base.assembly->clock.now()},
                              {"wants", wants}});
    };
    for (const auto& [action, key, event] :
         {std::tuple{&identity::verification_due, "customer_email_verification", "account.email_verification"},
          {&identity::reset_due, "account_password_reset", "account.password_reset"},
          {&identity::registered_again, "account_registered_again", "account.registered_again"},
          {&identity::address_change_due, "account_email_change_request", "account.email_change_request"},
          {&identity::address_changed, "account_email_changed", "account.email_changed"},
          {&privacy::privacy_link_due, "account_privacy_link", "account.privacy_link"}}) {
        site.happen(*action, {user, account("export")});
        site.mailed({mail(key, event, holder)});
    }
    const Value enquiry = Value::object({{"id", 9},
                                         {"status", "new"},
                                         {"customer_name", "Ada Lovelace"},
                                         {"customer_email", guest},
                                         {"message", "How far is it?"},
                                         {"created_at", site.base.assembly->clock.now()}});
    site.happen(enquiries::enquiry_created, {enquiry});
    site.mailed({mail("enquiry_admin", "enquiry.created", office), mail("enquiry_received", "enquiry.created", guest)});
    site.happen(enquiries::enquiry_responded, {enquiry, "Ten miles."});
    site.mailed({mail("enquiry_response", "enquiry.responded", guest)});
}

}  // namespace

TEST_CASE("every e-mail goes for its event to its recipient, and no other one goes") {
    each_on<Mailing>([](Mailing& site) {
        bookings(site);
        money(site);
        people(site);
        std::set<std::string> silent;
        for (const messaging::Template& each : messaging::templates())
            if (!site.seen.contains(std::string(each.key)))
                silent.insert(std::string(each.key));
        // Events that only modules of Pro cause.
        CHECK(silent == std::set<std::string>{"abandoned_booking_recovery_final", "abandoned_booking_recovery_first",
                                              "abandoned_booking_recovery_second", "trip_consent_request",
                                              "admin_digest"});  // a job's: limits_test.cpp
    });
}
