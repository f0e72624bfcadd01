// An installation with both editions and a record of each kind, to walk over its route table.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/inner_calls.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {

class Walk : public TestBase {
  public:
    // The Pro edition attached and its module on.
    explicit Walk(const Database& database);

    // As TestBase::call, and no answer may tell what the inside is made of (S16).
    Answered call(std::string_view method, const std::string& target, const std::string& body = {},
                  const Visitor& visitor = {});
    Answered get(const std::string& target, const Visitor& visitor = {}) { return call("GET", target, {}, visitor); }
    const Visitor& admin() { return user("administrator"); }
    // The administrator, by a new credential where the route counts the uses of each.
    Visitor admin_of(const api::RouteSpec& route);

    // Trips, departures, bookings, payments and services; afterwards `existing` names them.
    void fill();
    void fill_consent();
    void fill_form_file();
    // The route's path with parameters of nothing that exists, and with those of fill().
    static std::string missing(const api::RouteSpec& route);
    // The query's required parameters follow it.
    [[nodiscard]] std::string existing(const api::RouteSpec& route) const;
    // A body for a route whose rule is about the booking it names: that one, and something in what else must be there.
    static std::string naming(const api::RouteSpec& route, std::int64_t booking_id);
    // The path, ready for a parameter more.
    static std::string asked(const std::string& path) { return path + (path.find('?') == path.npos ? '?' : '&'); }

    [[nodiscard]] static std::string name_of(const api::RouteSpec& route);
    [[nodiscard]] static bool writes(const api::RouteSpec& route) { return route.method != api::Method::get; }
    [[nodiscard]] static bool takes_json(const api::RouteSpec& route) { return writes(route) && !route.raw_body_only; }

    std::string calendar;  // the token of one
    InnerCalls inner_calls;
    std::string reporting;      // the token of the receiver of Mailchimp
    std::string unsubscribing;  // the token of a mailbox
    std::string moving;         // the token of the link to another address for an account
    std::string form_file = "file-0123456789ab.pdf";
    std::string job;         // an export that is over
    std::string failed_job;  // an import that is over, with a file of what failed
    std::int64_t trip = 0, departure = 0, rule = 0, payment = 0, service = 0, discount = 0, password = 0, media = 0,
                 itinerary_day = 0, revised = 0, revision = 0, itinerary_entry = 0, download = 0, enquiry = 0,
                 review = 0, own_review = 0, customer = 0, other_customer = 0, session = 0, mail_template = 0,
                 mail_sequence = 0, consent_form = 0, consent_request = 0, consent_signed = 0, traveler = 0;
    // Of links to an open request and to a signed one.
    const std::string consent_token = std::string(64, 'c'), signed_token = std::string(64, 'd');
    GivenBooking booking;
    std::map<std::string, std::int64_t> classes;  // one of each kind, by its path
};

void each_walk(const std::function<void(Walk&)>& body);  // on each database
void on_sqlite(const std::function<void(Walk&)>& body);

// For a query: all but letters, digits, hyphen and dot as %XX.
std::string encoded(std::string_view text);

}  // namespace svc::tests
