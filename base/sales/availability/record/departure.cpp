// Names of a departure's states.
#include "base/sales/availability/record/departure.hpp"

#include <algorithm>
#include <array>

namespace svc::availability {
namespace {

using Names4 = std::array<std::string_view, 4>;
using Names5 = std::array<std::string_view, 5>;
constexpr Names4 origin_words{"fixed", "recurring", "open", "manual"};
constexpr Names4 source_words{"fixed", "recurring_rule", "booking_created", "manual"};
constexpr Names4 date_source_words{"fixed", "recurring", "trip_default", "fixed"};
constexpr Names5 sale_state_words{"open", "unavailable", "blocked", "closed", "cancelled"};
constexpr Names5 status_words{"upcoming", "full", "past", "cancelled", "trash"};

template <class Enum, class Names>
std::optional<Enum> found(const Names& names, std::string_view name) {
    const auto* at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
        return std::nullopt;
    return static_cast<Enum>(at - names.begin());
}

template <class Enum, class Names>
std::string_view named(const Names& names, Enum value) {
    return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::span<const std::string_view> origin_names() { return origin_words; }
std::span<const std::string_view> sale_state_names() { return sale_state_words; }
std::span<const std::string_view> status_names() { return status_words; }
std::string_view name_of(Origin origin) { return named(origin_words, origin); }
std::string_view name_of(SaleState state) { return named(sale_state_words, state); }
std::string_view name_of(Status status) { return named(status_words, status); }
std::optional<Origin> origin_of(std::string_view name) { return found<Origin>(origin_words, name); }
std::optional<SaleState> sale_state_of(std::string_view name) { return found<SaleState>(sale_state_words, name); }
std::optional<std::string> pricing_type_of(const std::optional<bool>& traveler_based) {
    if (!traveler_based)
        return std::nullopt;
    return *traveler_based ? "traveler_based" : "regular";
}
std::optional<bool> traveler_based_of(const std::optional<std::string>& pricing_type) {
    return pricing_type ? std::optional(*pricing_type == "traveler_based") : std::nullopt;
}
std::optional<Status> status_of(std::string_view name) { return found<Status>(status_words, name); }
std::string_view source_of(Origin origin) { return named(source_words, origin); }
std::optional<Origin> origin_of_source(std::string_view source) { return found<Origin>(source_words, source); }
std::string_view date_source_of(Origin origin) { return named(date_source_words, origin); }

std::string_view sale_status(const Slot& slot) {
    if (slot.status == Status::cancelled)
        return name_of(SaleState::cancelled);
    if (slot.sale_state != SaleState::open)
        return name_of(slot.sale_state);
    return seats_status(slot.capacity, slot.available());
}

std::string_view capacity_class(int capacity, int booked) {
    if (booked <= 0)
        return "available";
    return booked >= capacity ? "full" : "partial";
}

std::string_view seats_status(int capacity, int available) {
    if (available <= 0)
        return "sold_out";
    return available <= (capacity + 4) / 5 ? "limited" : "available";
}

}  // namespace svc::availability
