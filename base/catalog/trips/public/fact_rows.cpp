// Rows in pieces that a changed copy shares.
#include "base/catalog/trips/public/fact_rows.hpp"

#include <algorithm>

namespace svc::catalog::trips {

FactRows FactRows::fork() const {
    FactRows next = *this;
    ++next.edition_;
    next.own_numbers_ = false;
    return next;
}

// Ours alone when it was made since the fork.
FactRows::Chunk& FactRows::own(std::size_t at) {
    if (chunks_[at]->edition != edition_) {
        chunks_[at] = std::make_shared<Chunk>(*chunks_[at]);
        chunks_[at]->edition = edition_;
    }
    return *chunks_[at];
}

std::optional<std::uint32_t> FactRows::number_of(const ClassKey& key) const {
    const auto known = numbers_->find(key);
    return known == numbers_->end() ? std::nullopt : std::optional(known->second);
}

std::uint32_t FactRows::numbered(const ClassKey& key) {
    if (const auto known = number_of(key))
        return *known;
    if (!own_numbers_)
        numbers_ = std::make_shared<std::map<ClassKey, std::uint32_t>>(*numbers_);
    own_numbers_ = true;
    return numbers_->emplace(key, static_cast<std::uint32_t>(numbers_->size())).first->second;
}

void FactRows::set_classes(Chunk& chunk, FactRow& row, const std::vector<ClassKey>& keys) {
    if (keys.size() > row.classes) {
        std::size_t used = 0;
        for (const FactRow& each : chunk.rows)
            used += each.classes;
        if (chunk.classes.size() > 2 * used + chunk_size) {
            std::vector<std::uint32_t> tidy;
            tidy.reserve(used + keys.size());
            for (FactRow& each : chunk.rows) {
                const auto from = chunk.classes.begin() + each.first_class;
                each.first_class = static_cast<std::uint32_t>(tidy.size());
                tidy.insert(tidy.end(), from, from + each.classes);
            }
            chunk.classes = std::move(tidy);
        }
        row.first_class = static_cast<std::uint32_t>(chunk.classes.size());
        chunk.classes.resize(chunk.classes.size() + keys.size());
    }
    row.classes = static_cast<std::uint32_t>(keys.size());
    std::transform(keys.begin(), keys.end(), chunk.classes.begin() + row.first_class,
                   [this](const ClassKey& key) { return numbered(key); });
}

void FactRows::set(std::size_t slot, const ShownTrip* shown) {
    for (; slots_ <= slot; ++slots_)
        if (slots_ % chunk_size == 0) {
            chunks_.push_back(std::make_shared<Chunk>());
            chunks_.back()->edition = edition_;
        }
    Chunk& chunk = own(slot / chunk_size);
    FactRow& row = chunk.rows[slot % chunk_size];
    row.shown = shown;
    if (!shown)
        return set_classes(chunk, row, {});
    const Facts& facts = shown->facts;
    row.id = shown->trip.id;
    row.created_at = shown->trip.created_at.micros();
    row.least = facts.prices.front();
    row.most = facts.prices.back();
    row.between = facts.prices.size() > 2;
    row.help = !facts.of_parts.empty();
    row.duration_days = shown->trip.duration_days;
    row.rating = static_cast<std::int32_t>(facts.rating);
    row.currency = shown->trip.currency;
    row.type = shown->trip.type;
    const Trip& trip = shown->trip;
    row.windows =
        trip.traveler_based && std::any_of(trip.price_types.begin(), trip.price_types.end(),
                                           [](const PriceType& type) { return type.valid_from || type.valid_to; });
    row.seasons = !trip.seasons.empty();
    const FactRow always;
    row.first_day = trip.available_from ? trip.available_from->days() : always.first_day;
    row.last_day = trip.available_to ? trip.available_to->days() : always.last_day;
    // Before the day begins anywhere on earth, and that many hours earlier.
    row.sure_days = trip.has_default_time_slots ? always.sure_days : 2 + trip.booking_deadline_hours / 24;
    set_classes(chunk, row, facts.classes);
}

}  // namespace svc::catalog::trips
