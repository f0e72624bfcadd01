// Compares two states of a booking field by field.
#include "base/sales/booking/record/changes.hpp"

#include <algorithm>
#include <array>

#include "base/sales/booking/record/masking.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

using json::Value;

// The party by the names of its categories, as they are now: a history is read when the ids mean nothing any more.
Value party_of(store::Session& session, const Booking& booking) {
    Value party = Value::object();
    if (booking.traveler_counts.is_object())
        for (const auto& [category, count] : booking.traveler_counts.members()) {
            if (category == "0" || !count.is_number())
                continue;
            const auto name = store::first_row(session, "SELECT name FROM svc_classifications WHERE id = :id",
                                               {{"id", static_cast<std::int64_t>(std::stoll(category))}},
                                               [](const std::string& found) { return found; });
            party.set(name.value_or("#" + category), count);
        }
    return party;
}

// The fields of the booking's own row by the kind of change.
Value kinds_of(store::Session& session, const Booking& is) {
    return Value::object(
        {{"date",
          Value::object(
              {{"trip_title", is.trip_title}, {"travel_date", is.travel_date}, {"departure_time", is.departure_time}})},
         {"party", Value::object({{"travelers_count", is.travelers_count}, {"party", party_of(session, is)}})},
         {"price", Value::object({{"total", is.total},
                                  {"discount_amount", is.discount},
                                  {"tax_amount", is.tax},
                                  {"discount_code", is.coupon_code}})},
         {"contact", Value::object({{"first_name", is.first_name},
                                    {"last_name", is.last_name},
                                    {"email", is.email},
                                    {"phone", is.phone},
                                    {"country", is.country},
                                    {"special_requests", is.special_requests}})},
         {"note", Value::object({{"internal_notes", is.internal_notes}})},
         {"other", Value::object({{"customer_id", is.customer_id},
                                  {"user_id", is.user_id},
                                  {"payment_method", is.payment_method},
                                  {"payment_gateway", is.payment_gateway}})}});
}

bool is_nothing(const Value& value) {
    return value.is_null() || (value.is_string() && value.text().empty()) || (value.is_object() && value.size() == 0);
}

// Appends the fields of two objects that differ; `traveler` empty: they are the booking's.
void compare(const Value& before, const Value& after, bool has_answers, std::optional<std::int64_t> traveler,
             Value& into) {
    std::vector<std::string> names;
    for (const Value* each : {&before, &after})
        for (const auto& [name, value] : each->members())
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
    for (const std::string& name : names) {
        const Value &was = before[name], &is = after[name];
        if (was == is || (is_nothing(was) && is_nothing(is)))
            continue;
        const bool is_secret = has_answers && (is_masked_for_staff(name, was) || is_masked_for_staff(name, is));
        Value change = Value::object({{"field", name},
                                      {"before", is_secret ? Value() : was},
                                      {"after", is_secret ? Value() : is},
                                      {"withheld", is_secret}});
        if (traveler)
            change.set("traveler", *traveler);
        into.push(std::move(change));
    }
}

void insert(store::Transaction& tx, std::int64_t booking_id, const std::string& kind, const Value& fields,
            const Actor& actor, Instant now) {
    if (fields.size() == 0)
        return;
    store::run_later(tx,
                     "INSERT INTO svc_booking_changes (booking_id, kind, fields, actor_kind, actor_id, through, at)"
                     " VALUES (:booking_id, :kind, :fields, :actor_kind, :actor_id, :through, :at)",
                     {{"booking_id", booking_id},
                      {"kind", kind},
                      {"fields", fields.dump()},
                      {"actor_kind", actor.kind},
                      {"actor_id", actor.id},
                      {"through", actor.through},
                      {"at", now}});
}

void log_kinds(store::Transaction& tx, std::int64_t booking_id, const Value& before, const Value& after,
               const Actor& actor, Instant now) {
    for (const auto& [kind, was] : before.members()) {
        Value fields = Value::array();
        compare(was, after[kind], kind == "contact", std::nullopt, fields);
        insert(tx, booking_id, kind, fields, actor, now);
    }
}

}  // namespace

Snapshot::Snapshot(store::Session& session, const Booking& booking, const Sealing& sealing)
    : booking_id_(booking.id), kinds_(kinds_of(session, booking)) {
    // The contact's own fields are the booking's already.
    constexpr std::array own{"first_name", "last_name", "email", "phone", "country"};
    Value contact = kinds_["contact"];
    const Particulars known = Repository::particulars(session, booking.id, &sealing);
    for (const auto& [answers, prefix] : {std::pair{&known.contact_data, ""}, {&known.emergency_contact, "emergency_"}})
        if (answers->is_object())
            for (const auto& [name, answer] : answers->members())
                if (*prefix != '\0' || std::find(own.begin(), own.end(), name) == own.end())
                    contact.set(prefix + name, answer);
    kinds_.set("contact", std::move(contact));
    for (Traveler& each : Repository::travelers(session, booking.id, &sealing))
        travelers_.push(std::move(each.fields));
}

void log_changes(store::Transaction& tx, const Snapshot& before, const Snapshot& after, const Actor& actor,
                 Instant now) {
    log_kinds(tx, before.booking_id(), before.kinds(), after.kinds(), actor, now);
    Value fields = Value::array();
    const Value nobody = Value::object();
    const std::size_t most = std::max(before.travelers().size(), after.travelers().size());
    for (std::size_t at = 0; at < most; ++at)
        compare(at < before.travelers().size() ? before.travelers()[at] : nobody,
                at < after.travelers().size() ? after.travelers()[at] : nobody, true, static_cast<std::int64_t>(at) + 1,
                fields);
    insert(tx, before.booking_id(), "travelers", fields, actor, now);
}

void log_changes(store::Transaction& tx, const Booking& before, const Booking& after, const Actor& actor, Instant now) {
    log_kinds(tx, before.id, kinds_of(tx, before), kinds_of(tx, after), actor, now);
}

Value changes_of(store::Session& session, std::int64_t booking_id) {
    Value all = Value::array();
    store::each_row(session,
                    "SELECT c.kind, c.fields, c.actor_kind, u.login, c.at FROM svc_booking_changes c"
                    " LEFT JOIN svc_users u ON u.id = c.actor_id WHERE c.booking_id = :id ORDER BY c.id",
                    {{"id", booking_id}},
                    [&](const std::string& kind, const std::string& fields, const std::string& actor,
                        const std::optional<std::string>& name, Instant at) {
                        auto read = json::parse(fields);
                        all.push(Value::object({{"kind", kind},
                                                {"fields", read ? std::move(*read) : Value::array()},
                                                {"actor", actor},
                                                {"actor_name", name},
                                                {"at", at}}));
                    });
    return all;
}

}  // namespace svc::booking
