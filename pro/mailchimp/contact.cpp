// Reads customers and their bookings by the views of the base, and decides.
#include "pro/mailchimp/contact.hpp"

#include <algorithm>
#include <set>

#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::mailchimp {
namespace {

using json::Value;

constexpr std::size_t longest_value = 255;

struct Booking {
    std::string reference, status, trip;
    Date travel_date;
};

// Those that are on: neither called off nor waiting for a proof or a seat.
std::vector<Booking> bookings_of(store::Session& session, std::int64_t customer_id) {
    return store::structs<Booking, std::string, std::string, std::string, Date>(
        session,
        "SELECT b.reference, b.status, COALESCE(t.title, ''), b.travel_date FROM svc_booking_travel_v1 o"
        " JOIN svc_booking_v2 b ON b.id = o.booking_id LEFT JOIN svc_trip_v1 t ON t.id = o.trip_id"
        " WHERE o.customer_id = :customer_id AND b.status IN ('pending', 'processing', 'on-hold', 'confirmed',"
        " 'completed') ORDER BY b.id DESC LIMIT 100",
        {{"customer_id", customer_id}});
}

std::string cut(std::string text, std::size_t most) {
    if (text.size() <= most)
        return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;
    return text.substr(0, most);
}

std::vector<std::string> tags_of(const std::vector<Booking>& bookings, const Configuration& now) {
    std::set<std::string> tags(now.default_tags.begin(), now.default_tags.end());
    if (now.adds_tags)
        for (const Booking& booking : bookings) {
            if (!booking.trip.empty())
                tags.insert(cut(booking.trip, longest_tag));
            tags.insert("Booking " + booking.status);
        }
    return {tags.begin(), tags.end()};
}

struct Person {
    std::string email, first_name, last_name, phone, country, language;
    bool newsletter_optin = false;
    std::optional<Instant> newsletter_optin_at, erased_at;
};

std::string source_value(const std::string& source, const Person& person, const std::vector<Booking>& bookings,
                         Date today) {
    if (source == "first_name")
        return person.first_name;
    if (source == "last_name")
        return person.last_name;
    if (source == "full_name")
        return text::clean(person.first_name + " " + person.last_name);
    if (source == "phone")
        return person.phone;
    if (source == "country")
        return person.country;
    if (source == "language")
        return person.language;
    if (source == "bookings")
        return std::to_string(bookings.size());
    if (source == "next_travel_date") {
        std::optional<Date> next;
        for (const Booking& booking : bookings)
            if (booking.travel_date >= today && (!next || booking.travel_date < *next))
                next = booking.travel_date;
        return next ? next->text() : std::string();
    }
    if (bookings.empty())
        return {};
    return source == "latest_trip" ? bookings.front().trip : bookings.front().reference;
}

std::string wanted_status(const Configuration& now) {
    return std::string(now.double_optin ? status::pending : status::subscribed);
}

}  // namespace

Contact contact_of(store::Session& session, const Configuration& now, std::int64_t customer_id, Date today) {
    Contact contact{.customer_id = customer_id};
    const auto person = store::first_struct<Person, std::string, std::string, std::string, std::string, std::string,
                                            std::string, bool, std::optional<Instant>, std::optional<Instant>>(
        session,
        "SELECT email, first_name, last_name, phone, country, preferred_language, newsletter_optin,"
        " newsletter_optin_at, erased_at FROM svc_customer_v1 WHERE id = :id",
        {{"id", customer_id}});
    if (!person || person->erased_at)
        return contact;
    contact.email = text::folded(person->email);
    if (person->newsletter_optin)
        contact.opted_in_at = person->newsletter_optin_at;
    const auto bookings = bookings_of(session, customer_id);
    contact.has_booking = !bookings.empty();
    contact.tags = tags_of(bookings, now);
    for (const auto& [tag, source] : now.fields)
        contact.merge_fields.set(tag, cut(source_value(source, *person, bookings, today), longest_value));
    return contact;
}

Decision decided(const Contact& contact, const std::optional<Member>& member, const Configuration& now) {
    using Does = Decision::Does;
    if (contact.email.empty())
        return {.why = "gone"};
    const auto is = [&](std::string_view wanted) { return member && member->status == wanted; };
    if (is(status::cleaned) || is(status::compliance))
        return {.why = member->status};
    Decision upsert{.does = Does::upsert, .status_if_new = wanted_status(now), .is_opt_in = true};
    if ((is(status::unsubscribed) || is(status::archived)) && member->is_theirs) {
        if (!contact.opted_in_at || *contact.opted_in_at <= member->status_at)
            return {.why = is(status::archived) ? "archived_there" : "unsubscribed_there"};
        upsert.status = upsert.status_if_new = status::pending;  // whoever left is asked by Mailchimp
        return upsert;
    }
    if (contact.opted_in_at) {
        if (is(status::unsubscribed))  // by us: they agree anew, and confirm it there
            upsert.status = status::pending;
        else if (is(status::transactional) || is(status::archived))
            upsert.status = upsert.status_if_new;
        return upsert;
    }
    if (member && member->is_ours && (is(status::subscribed) || is(status::pending)))
        return {.does = Does::unsubscribe};
    if (now.transactional && contact.has_booking && !is(status::unsubscribed))
        return {.does = Does::upsert, .status_if_new = std::string(status::transactional)};
    return {.why = "no_opt_in"};
}

Value body_of(const Contact& contact, const Decision& decision) {
    Value body = Value::object({{"email_address", contact.email}, {"status_if_new", decision.status_if_new}});
    if (!decision.status.empty())
        body.set("status", decision.status);
    if (contact.merge_fields.size() > 0)
        body.set("merge_fields", contact.merge_fields);
    return body;
}

Value tag_changes(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    Value changes = Value::array();
    const auto add = [&](const std::vector<std::string>& all, const std::vector<std::string>& others,
                         const char* state) {
        for (const std::string& tag : all)
            if (std::find(others.begin(), others.end(), tag) == others.end())
                changes.push(Value::object({{"name", tag}, {"status", state}}));
    };
    add(after, before, "active");
    add(before, after, "inactive");
    return changes;
}

}  // namespace svc::pro::mailchimp
