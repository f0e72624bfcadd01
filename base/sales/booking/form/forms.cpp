// The booking form as visitors of a trip and staff see it.
#include "base/sales/booking/form/forms.hpp"

#include <algorithm>

#include "base/catalog/trips/record/categories.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/sales/booking/form/ages.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/form/repository.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::booking {
namespace {

// Whether conditions, show_ifs and files count.
bool counts_module(const Parts& parts) {
    const bool module = parts.module_enabled && parts.module_enabled(plugin::slugs::dynamic_form_field);
    return parts.hooks.apply(dynamic_form, module, {}).boolean();
}

}  // namespace

json::Value Forms::form_config(std::optional<std::int64_t> trip_id) const {
    const json::Value stored = parts_.settings.get("booking_form_config");
    const json::Value& known = stored.is_object() && stored.size() > 0 ? stored : form::standard();
    json::Value config = parts_.hooks.apply(booking::form_config, known, {trip_id});
    return config == known ? config : form::completed(config, known);
}

Result<json::Value> Forms::form(std::optional<std::int64_t> trip_id, bool for_customers) const {
    if (trip_id && !parts_.trips.published(*trip_id))
        return errc::trip_not_found;
    json::Value config = form_config(trip_id);
    if (!for_customers && !trip_id)
        return config;
    const auto trip = trip_id ? parts_.trips.public_trips().published(*trip_id) : nullptr;
    if (!trip)
        return form::resolved(std::move(config), nullptr, counts_module(parts_));
    std::vector<std::int64_t> categories;
    for (const catalog::trips::ClassKey& each : trip->facts.classes)
        if (each.kind == catalog::trips::Kind::trip_category)
            categories.push_back(each.id);
    return form_of(std::move(config), trip->trip, std::move(categories));
}

Result<json::Value> Forms::form_for_staff(std::int64_t trip_id) const {
    if (parts_.trips.published(trip_id))
        return form(trip_id, true);
    SVC_ASSIGN_OR_RETURN(const auto trip, parts_.trips.find(trip_id));
    return form_of(form_config(trip_id), trip,
                   parts_.store.reading<std::vector<std::int64_t>>(
                       [&](store::Session& session) { return catalog::trips::categories_of(session, trip_id); }));
}

json::Value Forms::form_of(json::Value config, const catalog::trips::Trip& trip,
                           std::vector<std::int64_t> categories) const {
    const form::Subject subject{.trip_id = trip.id,
                                .categories = std::move(categories),
                                .trip_type = std::string(catalog::trips::name_of(trip.type))};
    const bool module = counts_module(parts_);
    return form::asking_births(form::resolved(std::move(config), module ? &subject : nullptr, module),
                               form::ages_of(trip));
}

Result<Forms::CustomerForm> Forms::customer_form(std::optional<std::int64_t> trip_id) const {
    const bool module = parts_.module_enabled && parts_.module_enabled(plugin::slugs::dynamic_form_field);
    if (module || parts_.hooks.filtered(booking::form_config.name) || parts_.hooks.filtered(dynamic_form.name)) {
        auto own = form(trip_id, true);
        return own ? Result<CustomerForm>(std::make_shared<const json::Value>(std::move(*own))) : own.error();
    }
    const auto trip = trip_id ? parts_.trips.published(*trip_id) : nullptr;
    if (trip_id && !trip)
        return errc::trip_not_found;
    auto plain = plain_form();
    if (!plain || !trip)
        return plain;
    const auto ages = form::ages_of(*trip);
    if (std::none_of(ages.begin(), ages.end(), [](const form::CategoryAges& each) { return each.any(); }))
        return plain;  // asking_births() would copy it
    json::Value asking = form::asking_births(**plain, ages);
    return asking == **plain ? plain : Result<CustomerForm>(std::make_shared<const json::Value>(std::move(asking)));
}

Result<Forms::CustomerForm> Forms::plain_form() const {
    json::Value stored = parts_.settings.get("booking_form_config");
    {
        const std::lock_guard lock(forms_mutex_);
        if (plain_form_.for_customers && plain_form_.stored == stored)
            return plain_form_.for_customers;
    }
    SVC_ASSIGN_OR_RETURN(auto fresh, form(std::nullopt, true));
    auto customer_form = std::make_shared<const json::Value>(std::move(fresh));
    const std::lock_guard lock(forms_mutex_);
    plain_form_ = {std::move(stored), customer_form};
    return customer_form;
}

std::vector<std::int64_t> Forms::categories_of(std::int64_t trip_id) const {
    std::vector<std::int64_t> categories;
    if (const auto trip = parts_.trips.published(trip_id))
        for (const catalog::trips::PriceType& type : trip->price_types)
            categories.push_back(type.category_id);
    return categories;
}

std::int64_t Forms::store_form(store::Transaction& tx, const CustomerForm& form, Instant now) {
    const auto known = [&] {
        const std::lock_guard lock(forms_mutex_);
        return known_form_;
    }();
    if (known && (known->form == form || *known->form == *form))
        return known->id;
    const std::string text = form->dump();
    const std::int64_t id = FormRepository::keep_form(tx, crypto::sha256_hex(text), text, now);
    tx.after_commit([this, fresh = std::make_shared<const KnownForm>(KnownForm{form, id})] {
        const std::lock_guard lock(forms_mutex_);
        known_form_ = fresh;
    });
    return id;
}

}  // namespace svc::booking
