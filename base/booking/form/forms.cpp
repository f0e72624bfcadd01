// What is asked of who books, and whether it was answered.
#include <algorithm>

#include "base/booking/form/ages.hpp"
#include "base/booking/form/form.hpp"
#include "base/booking/record/hooks.hpp"
#include "base/booking/record/seats.hpp"
#include "base/booking/record/service.hpp"
#include "base/catalog/trips/categories.hpp"

namespace svc::booking {
namespace {

// In whatever order they lie.
bool has_same_members(const json::Value& a, const json::Value& b) {
    return a.size() == b.size() && std::all_of(a.members().begin(), a.members().end(), [&](const auto& each) {
               const json::Value* other = b.find(each.first);
               return other && *other == each.second;
           });
}

}  // namespace

json::Value Service::form_config(std::optional<std::int64_t> trip_id) const {
    const json::Value stored = parts_.settings.get("booking_form_config");
    const json::Value& known = stored.is_object() && stored.size() > 0 ? stored : form::standard();
    json::Value config = parts_.hooks.apply(booking::form_config, known, {trip_id});
    return config == known ? config : form::completed(config, known);
}

Result<json::Value> Service::form(std::optional<std::int64_t> trip_id, bool asked) const {
    if (trip_id && !parts_.trips.published(*trip_id))
        return errc::trip_not_found;
    json::Value config = form_config(trip_id);
    if (!asked && !trip_id)
        return config;
    const auto trip = trip_id ? parts_.trips.shown().published(*trip_id) : nullptr;
    if (!trip)
        return form::resolved(std::move(config));
    std::vector<std::int64_t> categories;
    for (const catalog::trips::ClassKey& each : trip->facts.classes)
        if (each.kind == catalog::trips::Kind::trip_category)
            categories.push_back(each.id);
    return form_of(std::move(config), trip->trip, std::move(categories));
}

Result<json::Value> Service::form_for_staff(std::int64_t trip_id) const {
    if (parts_.trips.published(trip_id))
        return form(trip_id, true);
    const auto trip = parts_.trips.find(trip_id);
    if (!trip)
        return trip.error();
    return form_of(form_config(trip_id), *trip,
                   parts_.store.reading<std::vector<std::int64_t>>(
                       [&](store::Session& session) { return catalog::trips::categories_of(session, trip_id); }));
}

json::Value Service::form_of(json::Value config, const catalog::trips::Trip& trip,
                             std::vector<std::int64_t> categories) const {
    const bool module = parts_.module_enabled && parts_.module_enabled("dynamic_form_field");
    const form::Subject subject{.trip_id = trip.id,
                                .categories = std::move(categories),
                                .trip_type = std::string(catalog::trips::name_of(trip.type))};
    const bool conditions_count = parts_.hooks.apply(dynamic_form, module, {}).boolean();
    return form::asking_births(form::resolved(std::move(config), conditions_count ? &subject : nullptr),
                               form::ages_of(trip));
}

Result<std::vector<availability::Bookable>> Service::dates_of(std::int64_t trip_id) const {
    return parts_.availability.dates.available_dates(trip_id, {}, {parts_.clock.now(), parts_.settings.zone()});
}

Result<Service::AskedForm> Service::asked_form(std::optional<std::int64_t> trip_id) const {
    const bool module = parts_.module_enabled && parts_.module_enabled("dynamic_form_field");
    if (module || parts_.hooks.filtered(booking::form_config.name) || parts_.hooks.filtered(dynamic_form.name)) {
        auto own = form(trip_id, true);
        return own ? Result<AskedForm>(std::make_shared<const json::Value>(std::move(*own))) : own.error();
    }
    const auto trip = trip_id ? parts_.trips.published(*trip_id) : nullptr;
    if (trip_id && !trip)
        return errc::trip_not_found;
    auto plain = plain_form();
    if (!plain || !trip)
        return plain;
    json::Value asking = form::asking_births(**plain, form::ages_of(*trip));
    return asking == **plain ? plain : Result<AskedForm>(std::make_shared<const json::Value>(std::move(asking)));
}

Result<Service::AskedForm> Service::plain_form() const {
    json::Value stored = parts_.settings.get("booking_form_config");
    {
        const std::lock_guard lock(forms_mutex_);
        if (plain_form_.asked && plain_form_.stored == stored)
            return plain_form_.asked;
    }
    auto fresh = form(std::nullopt, true);
    if (!fresh)
        return fresh.error();
    auto asked = std::make_shared<const json::Value>(std::move(*fresh));
    const std::lock_guard lock(forms_mutex_);
    plain_form_ = {std::move(stored), asked};
    return asked;
}

Result<Service::AskedForm> Service::answered(const CheckoutSession& chosen, NewBooking& wanted) const {
    auto asked = asked_form(chosen.trip_id);
    if (!asked)
        return asked.error();
    const json::Value& config = **asked;
    std::optional<Error> faults;
    const auto note = [&](const Result<void>& good) {
        if (good)
            return;
        if (!faults)
            faults.emplace(good.error().code(), good.error().message());
        for (const FieldError& fault : good.error().fields())
            faults->at(fault.field, fault.sentence);
    };
    if (!wanted.by_staff && !wanted.terms_accepted && parts_.settings.integer("terms_page_id") > 0)
        note(invalid("terms_accepted", "Accept the terms to book."));
    auto taken = form::taken(config, {.contact = wanted.contact_data,
                                      .emergency = wanted.emergency,
                                      .travelers = wanted.travelers,
                                      .by_staff = wanted.by_staff});
    if (!taken) {
        note(taken.error());
        return std::move(*faults);
    }
    form::Answers& answers = *taken;
    wanted.contact_data = answers.contact;
    wanted.emergency = answers.emergency;
    wanted.travelers = answers.travelers;
    if (!answers.contact.is_object())
        answers.contact = json::Value::object();
    const customers::Contact& contact = wanted.contact;
    for (const auto& [name, value] : {std::pair("first_name", &contact.first_name),
                                      std::pair("last_name", &contact.last_name), std::pair("email", &contact.email),
                                      std::pair("phone", &contact.phone), std::pair("country", &contact.country)})
        answers.contact.set(name, *value);
    note(form::check(config, answers));
    note(form::check_births(wanted.travelers, parts_.settings.zone().date_at(parts_.clock.now())));
    const auto trip = chosen.trip_id ? parts_.trips.published(*chosen.trip_id) : nullptr;
    if (trip && chosen.travel_date)
        note(form::check_ages(wanted.travelers, *chosen.travel_date, trip->age_min, trip->age_max));
    if (trip && chosen.travel_date)
        note(form::check_category_ages(wanted.travelers, chosen.traveler_counts, form::ages_of(*trip),
                                       *chosen.travel_date, !wanted.by_staff));
    if (faults)
        return std::move(*faults);
    return asked;
}

Result<form::Answers> Service::answers_told(std::int64_t booking_id, const Edit& edit) const {
    form::Answers kept;
    const auto booking = parts_.store.reading<std::optional<Booking>>([&](store::Session& session) {
        auto found = Repository::find(session, booking_id);
        if (found) {
            Particulars known = Repository::particulars(session, booking_id, &sealing_);
            kept = {.contact = std::move(known.contact_data),
                    .emergency = std::move(known.emergency_contact),
                    .travelers = json::Value::array()};
            for (Traveler& each : Repository::travelers(session, booking_id, &sealing_))
                kept.travelers.push(std::move(each.fields));
        }
        return found;
    });
    if (!booking)
        return errc::booking_not_found;
    const std::int64_t trip = edit.choice.trip_id.value_or(booking->trip_id);
    const auto config = form(parts_.trips.published(trip) ? std::optional(trip) : std::nullopt, true);
    if (!config)
        return config.error();
    auto taken = form::taken(*config, {.contact = edit.contact_data,
                                       .emergency = edit.emergency,
                                       .travelers = edit.travelers.value_or(json::Value()),
                                       .by_staff = true});
    if (!taken)
        return taken;
    form::Answers answers = *taken;
    if (edit.phone && *edit.phone != booking->phone)
        answers.contact.set("phone", *edit.phone);
    if (auto good = form::check(*config, answers, kept); !good)
        return good.error();
    return taken;
}

Result<void> Service::ages_fit(std::int64_t booking_id, const Edit& edit) const {
    if (!edit.travelers && !edit.choice.trip_id && !edit.choice.travel_date && !edit.choice.travelers)
        return {};
    json::Value known = json::Value::array();
    const auto booking = parts_.store.reading<std::optional<Booking>>([&](store::Session& session) {
        for (Traveler& each : Repository::travelers(session, booking_id, &sealing_)) {
            if (each.category_id)
                each.fields.set("category_id", *each.category_id);
            known.push(std::move(each.fields));
        }
        return Repository::find(session, booking_id);
    });
    if (!booking)
        return errc::booking_not_found;
    const std::int64_t trip_id = edit.choice.trip_id.value_or(booking->trip_id);
    const Date day = edit.choice.travel_date.value_or(booking->travel_date);
    const bool moves = trip_id != booking->trip_id || day != booking->travel_date;
    const auto trip = parts_.trips.published(trip_id);
    if (!trip)
        return {};
    const json::Value& party = edit.travelers ? *edit.travelers : known;
    json::Value judged = json::Value::array();
    for (std::size_t at = 0; at < party.size(); ++at) {
        const json::Value& each = party.items()[at];
        const bool stays = !moves && at < known.size() &&
                           known.items()[at].text_or("date_of_birth") == each.text_or("date_of_birth") &&
                           known.items()[at].maybe_integer("category_id") == each.maybe_integer("category_id");
        // Who stays fills their place, and is not judged again.
        json::Value kept = json::Value::object();
        if (const auto category = each.maybe_integer("category_id"))
            kept.set("category_id", *category);
        judged.push(stays ? std::move(kept) : each);
    }
    if (auto fits = form::check_ages(judged, day, trip->age_min, trip->age_max); !fits)
        return fits;
    std::map<std::int64_t, std::int64_t> counts = edit.choice.traveler_counts;
    if (!edit.choice.travelers)
        counts = counts_of(*booking);
    return form::check_category_ages(judged, counts, form::ages_of(*trip), day, false);
}

// Over those that are there.
bool Service::lay_answers(store::Transaction& tx, std::int64_t id, const Edit& edit) const {
    Particulars known = Repository::particulars(tx, id, &sealing_);
    const json::Value contact_before = known.contact_data, emergency_before = known.emergency_contact;
    for (const auto& [name, answer] : edit.contact_data.members())
        known.contact_data.set(name, answer);
    for (const auto& [name, answer] : edit.emergency.members())
        known.emergency_contact.set(name, answer);
    if (known.contact_data == contact_before && known.emergency_contact == emergency_before)
        return false;
    Repository::set_answers(tx, id, known, sealing_);
    return true;
}

bool Service::write_travelers(store::Transaction& tx, std::int64_t id, const Edit& edit) const {
    const std::vector<Traveler> known = Repository::travelers(tx, id, &sealing_);
    const auto& wanted = edit.travelers->items();
    const bool same =
        known.size() == wanted.size() &&
        std::equal(known.begin(), known.end(), wanted.begin(), [](const Traveler& was, const json::Value& is) {
            json::Value fields = is;
            fields.erase("category_id");
            return was.category_id == is.maybe_integer("category_id") && has_same_members(was.fields, fields);
        });
    // Travelers who are alike but for their place are told apart by their ids alone.
    bool same_rows = true;
    for (std::size_t at = 0; same && at < edit.traveler_ids.size() && at < known.size(); ++at)
        same_rows = same_rows && (edit.traveler_ids[at] == 0 || edit.traveler_ids[at] == known[at].id);
    if (same && same_rows)
        return false;
    Repository::replace_travelers(tx, id, *edit.travelers, edit.traveler_ids, sealing_);
    return true;
}

std::vector<std::int64_t> Service::categories_of(std::int64_t trip_id) const {
    std::vector<std::int64_t> categories;
    if (const auto trip = parts_.trips.published(trip_id))
        for (const catalog::trips::PriceType& type : trip->price_types)
            categories.push_back(type.category_id);
    return categories;
}

std::int64_t Service::kept_form(store::Transaction& tx, const AskedForm& asked, Instant now) {
    const auto known = [&] {
        const std::lock_guard lock(forms_mutex_);
        return known_form_;
    }();
    if (known && (known->form == asked || *known->form == *asked))
        return known->id;
    const std::string text = asked->dump();
    const std::int64_t id = Repository::keep_form(tx, crypto::sha256_hex(text), text, now);
    tx.after_commit([this, fresh = std::make_shared<const KnownForm>(KnownForm{asked, id})] {
        const std::lock_guard lock(forms_mutex_);
        known_form_ = fresh;
    });
    return id;
}

}  // namespace svc::booking
