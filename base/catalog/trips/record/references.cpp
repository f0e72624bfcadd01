// Looks up what trips refer to in their own columns and price types.
#include "base/catalog/trips/record/references.hpp"

#include <algorithm>

#include "base/catalog/trips/record/children.hpp"

namespace svc::catalog::trips {
namespace {

using Categories = std::vector<std::pair<std::int64_t, CategoryRules>>;

// A number that must name a row; `what` is the noun of the sentence.
void look_up(Sent<std::int64_t>& sent, const char* field, SentenceId what,
             const std::function<bool(std::int64_t)>& exists, const Part::Writing& writing,
             std::optional<Error>& faults) {
    if (!sent || !*sent || exists(**sent))
        return;
    if (!writing.lenient) {
        add_faults(faults, invalid(field, "This {noun} does not exist."_sentence.with("noun", what)));
        return;
    }
    if (writing.left_out)
        writing.left_out->push_back(std::string(field) + "." + std::to_string(**sent));
    sent->reset();
}

// Of categories that the trip has no price for.
void leave_out_prices(std::vector<SeasonChange>& seasons, const std::vector<PriceTypeChange>& types) {
    for (SeasonChange& season : seasons)
        std::erase_if(season.price_types, [&](const CategoryPriceChange& price) {
            return std::none_of(types.begin(), types.end(),
                                [&](const PriceTypeChange& type) { return type.category_id == price.category_id; });
        });
}

// `own` has prices already: those of categories in the trash too.
Categories look_up_categories(store::Session& session, const Trip& own, TripChange& change,
                              const Part::Writing& writing, std::optional<Error>& faults) {
    if (!change.price_types)
        return {};
    std::vector<std::int64_t> ids;
    for (const PriceTypeChange& type : *change.price_types)
        ids.push_back(type.category_id);
    auto known = rows::categories(session, ids);
    for (const PriceType& type : own.price_types)
        known.emplace_back(type.category_id, type.category);
    std::size_t number = 0;
    std::erase_if(*change.price_types, [&](const PriceTypeChange& type) {
        ++number;
        if (std::any_of(known.begin(), known.end(), [&](const auto& each) { return each.first == type.category_id; }))
            return false;
        if (!writing.lenient)
            add_faults(faults, invalid("price_types." + std::to_string(number) + ".category_id",
                                       "Unknown traveler category."_sentence));
        else if (writing.left_out)
            writing.left_out->push_back("price_types." + std::to_string(type.category_id));
        return writing.lenient;
    });
    if (writing.lenient && change.seasons)
        leave_out_prices(*change.seasons, *change.price_types);
    return known;
}

// Reviews that the trip shows already stay valid.
std::vector<FieldError> look_up_testimonials(store::Session& session, const Trip& own, TripChange& change,
                                             const Part::Writing& writing) {
    std::vector<FieldError> faults;
    if (!change.testimonial_review_ids || !change.testimonial_review_ids->is_array())
        return faults;
    const auto is_own = [&](const json::Value& id) {
        for (const json::Value& each : own.testimonial_review_ids.items())
            if (each == id)
                return true;
        return false;
    };
    auto items = json::Value::array();
    std::size_t number = 0;
    for (const json::Value& id : change.testimonial_review_ids->items()) {
        ++number;
        if (is_own(id) || rows::has_approved_review(session, id.integer()))
            items.push(id);
        else if (!writing.lenient)
            faults.push_back({"testimonial_review_ids." + std::to_string(number),
                              "This review does not exist or is not approved."_sentence});
        else if (writing.left_out)
            writing.left_out->push_back("testimonial_review_ids." + id.dump());
    }
    if (writing.lenient)
        change.testimonial_review_ids = std::move(items);
    return faults;
}

}  // namespace

void add_faults(std::optional<Error>& all, const Error& error) {
    if (!all) {
        all = error;
        return;
    }
    for (const FieldError& each : error.fields())
        all->at(each.field, each.sentence);
}

Result<Trip> checked(store::Session& session, Trip before, TripChange change, bool fresh,
                     const Part::Writing& writing) {
    const Trip& own = writing.own(before);
    std::optional<Error> faults;
    look_up(
        change.difficulty_level, "difficulty_level", "difficulty level"_sentence,
        [&](std::int64_t id) { return own.difficulty_level_id == id || rows::has_difficulty(session, id); }, writing,
        faults);
    look_up(
        change.featured_image, "featured_image", "picture"_sentence,
        [&](std::int64_t id) { return rows::has_picture(session, id); }, writing, faults);
    const auto of_testimonials = look_up_testimonials(session, own, change, writing);
    const Categories known = look_up_categories(session, own, change, writing, faults);
    auto trip = changed(std::move(before), change, fresh);
    if (!trip)
        add_faults(faults, trip.error());
    for (const FieldError& each : of_testimonials)
        add_faults(faults, invalid(each.field, each.sentence));
    if (faults)
        return std::move(*faults);
    for (PriceType& type : trip->price_types)
        for (const auto& [id, rules] : known)
            if (id == type.category_id)
                type.category = rules;
    return trip;
}

}  // namespace svc::catalog::trips
