// The sizes of parties that a trip and its categories take.
#include "base/sales/pricing/party.hpp"

namespace svc::pricing {
namespace {

using catalog::trips::PriceType;

Error wrong_number(const PriceType& type, const Sentence& sentence) {
    const std::string id = std::to_string(type.category_id);
    Error error{errc::group_size,
                "{label}: {sentence}"_sentence.with("label", type.category.label).with("sentence", sentence)};
    error.at("traveler_counts." + id, sentence).with("category_id", id);
    return error;
}

}  // namespace

Result<void> party_fits(const catalog::trips::Trip& trip, std::int64_t travelers, const TravelerCounts& counts) {
    const std::string field = counts.empty() ? "travelers_count" : "traveler_counts";
    const auto wrong = [&](const char* limit, std::int64_t people, SentenceId which) {
        const Sentence sentence = which.with("people", people);
        Error error{errc::group_size, sentence};
        error.at(field, sentence).with(limit, std::to_string(people));
        return error;
    };
    if (travelers < 1)
        return invalid(field, "Enter at least one traveler."_sentence);
    if (travelers < trip.min_travelers)
        return wrong("min_travelers", trip.min_travelers, "This trip is for {people} people or more."_sentence);
    if (trip.max_travelers && travelers > *trip.max_travelers)
        return wrong("max_travelers", *trip.max_travelers, "This trip is for {people} people at most."_sentence);
    return {};
}

Result<void> number_fits(const PriceType& type, std::int64_t count) {
    if (type.min_quantity && count < *type.min_quantity)
        return wrong_number(type, "at least {least}."_sentence.with("least", *type.min_quantity));
    if (type.max_quantity && count > *type.max_quantity)
        return wrong_number(type, "at most {most}."_sentence.with("most", *type.max_quantity));
    if (!type.category.per_group)
        return {};
    if (type.category.min_pax && count < *type.category.min_pax)
        return wrong_number(type,
                            "a group has at least {least} people."_sentence.with("least", *type.category.min_pax));
    if (type.category.max_pax && count > *type.category.max_pax && !type.category.per_block)
        return wrong_number(type, "a group has at most {most} people."_sentence.with("most", *type.category.max_pax));
    return {};
}

Result<void> whole_party_fits(const catalog::trips::Trip& trip, std::int64_t travelers, const TravelerCounts& counts) {
    SVC_RETURN_IF_ERROR(party_fits(trip, travelers, counts));
    for (const PriceType& type : trip.price_types)
        if (const auto count = counts.find(type.category_id); count != counts.end() && count->second > 0)
            SVC_RETURN_IF_ERROR(number_fits(type, count->second));
    return {};
}

}  // namespace svc::pricing
