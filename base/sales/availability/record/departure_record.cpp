// One row per column.
#include "base/sales/availability/record/departure_record.hpp"

#include "base/catalog/trips/record/place_columns.hpp"
#include "shared/core/words.hpp"

namespace svc::availability {
namespace {

using catalog::trips::place_columns;
using record::derived;
using record::Entry;
using record::stored;

template <class T>
Entry<T> choice_of(std::string name, auto Slot::*member, std::span<const std::string_view> names) {
    return record::choice(std::move(name), static_cast<std::decay_t<decltype(std::declval<T>().*member)> T::*>(member),
                          names, record::hidden);
}

// The columns that selling needs.
template <class T>
Entry<T> slot_columns() {
    Entry<T> all;
    const auto add = [&all](Entry<T> entry) {
        for (record::Column& column : entry.columns)
            all.columns.push_back(std::move(column));
    };
    const auto plain = [&add]<class M>(const char* name, M Slot::*member) {
        add(stored(name, static_cast<M T::*>(member)));
    };
    plain("id", &Slot::id);
    plain("trip_id", &Slot::trip_id);
    plain("revision", &Slot::revision);
    add(choice_of<T>("origin", &Slot::origin, origin_names()));
    add(choice_of<T>("sale_state", &Slot::sale_state, sale_state_names()));
    add(choice_of<T>("status", &Slot::status, status_names()));
    plain("start_date", &Slot::start_date);
    plain("end_date", &Slot::end_date);
    plain("start_time", &Slot::time);
    plain("capacity", &Slot::capacity);
    plain("booked_count", &Slot::booked);
    add(stored("waiting_seats", static_cast<int T::*>(&Slot::waiting), record::by_other));
    plain("currency", &Slot::currency);
    for (const auto& [name, price] :
         {std::pair{"regular_price", &Slot::regular_price}, {"sale_price", &Slot::sale_price}})
        add(record::money(name, static_cast<std::optional<Money> T::*>(price),
                          static_cast<Currency T::*>(&Slot::currency), api::money(), record::hidden));
    plain("cutoff_date", &Slot::cutoff_date);
    plain("cutoff_hours", &Slot::cutoff_hours);
    // Beyond its capacity by staff, unless that was opened for one booking that was forced.
    add(record::converted<T, bool>(
        "capacity_override", [](const T& slot) { return slot.may_be_overbooked; },
        [](T& slot, bool may) { slot.may_be_overbooked = may; }, api::boolean(), record::hidden));
    add(record::converted<T, bool>(
        "overbooked_by_force", [](const T&) { return false; },
        [](T& slot, bool forced) { slot.may_be_overbooked = slot.may_be_overbooked && !forced; }, api::boolean(),
        record::hidden));
    plain("rule_id", &Slot::rule_id);
    add(record::converted<T, std::optional<std::string>>(
        "pricing_type", [](const T& slot) { return pricing_type_of(slot.traveler_based); },
        [](T& slot, std::optional<std::string> type) { slot.traveler_based = traveler_based_of(type); }, api::text(20),
        record::hidden));
    return all;
}

template <class M>
Entry<Departure> computed(const char* name, M Departure::*member, const char* expression) {
    return derived(name, member, expression, api::anything(), {}, record::hidden);
}

}  // namespace

const record::Rows<Slot>& slot_record() {
    static const record::Rows<Slot> record{{.table = "svc_departures"}, {slot_columns<Slot>()}};
    return record;
}

const record::Rows<TakenSlot>& taken_slot_record() {
    static const record::Rows<TakenSlot> record{
        {.table = "svc_departures"},
        {slot_columns<TakenSlot>(), derived("is_low", &TakenSlot::is_low, "CASE WHEN alert_state = 1 THEN 1 ELSE 0 END",
                                            api::boolean(), {}, record::hidden)}};
    return record;
}

const record::Rows<ChangedSlot>& changed_record() {
    static const record::Rows<ChangedSlot> record{
        {.table = "svc_departures"}, {slot_columns<ChangedSlot>(), stored("updated_at", &ChangedSlot::changed_at)}};
    return record;
}

const record::Rows<Departure>& departure_record() {
    static const record::Rows<Departure> record{
        {.table = "svc_departures", .joins = "JOIN svc_trips t ON t.id = r.trip_id"},
        {slot_columns<Departure>(), stored("notes", &Departure::notes),
         record::stored_text<Departure>("notes_folded",
                                        [](const Departure& one) { return text::search_key(one.notes); }),
         record::stored_text<Departure>(
             "places_folded",
             [](const Departure& one) { return text::search_key(one.from_location + "\n" + one.to_location); }),
         record::row_version<Departure>(), record::timestamps<Departure>(),
         stored("created_by", &Departure::created_by, record::by_server_on_create),
         stored("updated_by", &Departure::updated_by), stored("arrival_time", &Departure::arrival_time),
         stored("return_date", &Departure::return_date), stored("block_reason", &Departure::block_reason),
         stored("alert_threshold", &Departure::alert_threshold), stored("from_location", &Departure::from_location),
         stored("to_location", &Departure::to_location), stored("pickup_location", &Departure::pickup_location),
         stored("dropoff_location", &Departure::dropoff_location),
         place_columns<Departure, &Departure::from_place>("from"), place_columns<Departure, &Departure::to_place>("to"),
         stored("guide_user_id", &Departure::guide_user_id),
         stored("equipment_included", &Departure::equipment_included),
         stored("special_notes", &Departure::special_notes),
         // One that was made since began in step.
         computed("synced_at", &Departure::synced_at,
                  "(SELECT CASE WHEN j.last_finished_at < r.created_at THEN r.created_at ELSE j.last_finished_at END"
                  " FROM svc_jobs j WHERE j.name = 'seat_audit' AND j.last_status <> 'failed')"),
         computed("trip_title", &Departure::trip_title, "t.title"),
         computed("trip_slug", &Departure::trip_slug, "t.slug"),
         computed("trip_start", &Departure::trip_start, "t.starting_location"),
         computed("trip_in_trash", &Departure::trip_in_trash, "CASE WHEN t.status = 'trash' THEN 1 ELSE 0 END"),
         computed("trip_unpublished", &Departure::trip_unpublished,
                  "CASE WHEN t.status IN ('draft', 'review', 'approved') THEN 1 ELSE 0 END"),
         computed("trip_version", &Departure::trip_version, "t.row_version"),
         computed("trip_changed_at", &Departure::trip_changed_at, "t.updated_at")}};
    return record;
}

}  // namespace svc::availability
