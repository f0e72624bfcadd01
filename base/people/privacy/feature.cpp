// The rules of exports and erasures.
#include "base/people/privacy/feature.hpp"

#include "base/feature/facts.hpp"
#include "base/people/enquiries/feature.hpp"
#include "base/people/privacy/hooks.hpp"
#include "base/sales/booking/guest/guests.hpp"
#include "base/sales/payment/capture/service.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::privacy {
namespace {

using json::Value;

json::Array named(const Person& person) {
    auto booking_ids = Value::array();
    for (const std::int64_t id : person.booking_ids)
        booking_ids.push(id);
    return {Value(person.email), Value(person.user_id), Value(person.customer_id), std::move(booking_ids)};
}

Value enquiries_of(store::Session& session, const Person& person) {
    const auto& record = enquiries::enquiry_record();
    static const auto of_ids = record.select_of("r.id", "ORDER BY r.id");
    auto all = Value::array();
    for (const auto& each : record.all_of(session, of_ids, person.enquiry_ids)) {
        Value shown = record.to_json(each);
        shown.erase("responded_by");
        shown.set("messages", enquiries::thread_of(session, each));
        all.push(std::move(shown));
    }
    return all;
}

std::string comma_list(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts)
        all += (all.empty() ? "" : ", ") + part;
    return all;
}

}  // namespace

void Feature::declare() { declare_hooks(site_.hooks); }

Result<Value> Feature::exported(const std::string& email) const {
    Person person;
    Value all;
    site_.store.read([&](store::Session& session) {
        person = Repository::find(session, email);
        auto payments = Value::array();
        for (const std::int64_t booking_id : person.booking_ids)
            for (const auto& payment : payment::Service::of_booking(session, booking_id))
                payments.push(payment::to_own_json(payment));
        const auto& record = customers_.record();
        const auto customer = record.find(session, person.customer_id);  // none has the id 0
        all = Value::object({{"address", person.email},
                             {"made_at", site_.clock.now()},
                             {"account", Repository::account(session, person)},
                             {"customer", customer ? record.to_json(*customer) : Value()},
                             {"bookings", Value::array()},
                             {"payments", std::move(payments)},
                             {"enquiries", enquiries_of(session, person)},
                             {"reviews", reviews_.written_by(session, person.email, person.user_id)},
                             {"form_files", facts::of_base().exported(session, "form_files", person)},
                             {"emails", Repository::emails(session, person)},
                             {"tracking_consents", Repository::tracking_consents(session, person)}});
    });
    auto bookings = Value::array();
    for (const std::int64_t id : person.booking_ids)
        if (const auto booking = bookings_.records.find(id))
            bookings.push(bookings_.records.detail(*booking, false));
    all.set("bookings", std::move(bookings));
    Value more = site_.hooks.apply(person_export, Value::object(), named(person));
    if (!person.is_known() && all["reviews"].size() == 0 && more.size() == 0)
        return Error{errc::not_found, "No data is stored about this address."_sentence};
    all.set("more", std::move(more));
    return all;
}

Result<Value> Feature::erase(const std::string& email) {
    return site_.store.transact<Value>([&](store::Transaction& tx) -> Result<Value> {
        const Instant now = site_.clock.now();
        const Person person = Repository::find(tx, email);
        if (person.is_staff)
            return Error{errc::conflict,
                         "This address belongs to a staff account. Change its role to customer"
                         " first."_sentence};
        const auto ahead =
            booking::Guests::references_ahead(tx, person.booking_ids, site_.settings.zone().date_at(now));
        if (!ahead.empty())
            return Error{
                errc::conflict,
                "These bookings have not ended: {bookings}. Cancel them or wait until the trips have ended."_sentence
                    .with("bookings", comma_list(ahead))};
        const Value others = site_.hooks.apply(person_erasure, Value(0), named(person), &tx);
        const auto reviews = reviews_.forget(tx, person.email, person.user_id);
        if (!person.is_known() && reviews == 0 && others == Value(0))
            return Error{errc::not_found, "No data is stored about this address."_sentence};
        Value changed = Repository::erase(tx, person, site_.hooks.actions(), now);
        if (reviews > 0)
            changed.set("svc_reviews", reviews);
        if (!(others == Value(0)))
            changed.set("of_plugins", others);
        site_.hooks.emit(tx, person_erased, {person.user_id, person.customer_id});
        return changed;
    });
}

}  // namespace svc::privacy
