// Reads and writes days and entries. An entry is read with its trip's currency and its classifications' names.
#include "base/catalog/itineraries/repository.hpp"

#include <algorithm>

#include "shared/record/rows.hpp"

namespace svc::catalog::itineraries::rows {
namespace {

using MaybeNumber = std::optional<std::int64_t>;

const record::Rows<Day>& day_record() {
    using namespace record;
    static const record::Rows<Day> day{
        {.table = "svc_itinerary_days"},
        {id(&Day::id), column("trip_id", &Day::trip_id, api::id(), by_server_on_create),
         column("day_number", &Day::number, api::integer(1)), column("title", &Day::title, api::text(255)),
         column("description", &Day::description, api::raw_text(20'000)), column("image_id", &Day::image_id, api::id()),
         timestamps<Day>()}};
    return day;
}

json::Value gallery_of(const Entry& entry) {
    return json::array_of(entry.gallery, [&](const Shown& one) {
        return json::Value::object({{"attachment_id", one.media_id}, {"type", one.type}, {"url", one.url}});
    });
}

void set_gallery(Entry& entry, json::Value list) {
    for (const auto& item : list.items())
        if (item.is_object())
            entry.gallery.push_back({item.maybe_integer("attachment_id"), item.text_or("type"), item.text_or("url")});
}

MaybeNumber latitude_of(const Entry& entry) {
    return entry.place ? MaybeNumber(entry.place->latitude.e7) : std::nullopt;
}
MaybeNumber longitude_of(const Entry& entry) {
    return entry.place ? MaybeNumber(entry.place->longitude.e7) : std::nullopt;
}
// Both are null or none is.
void set_latitude(Entry& entry, MaybeNumber e7) {
    if (e7)
        entry.place = trips::Place{{*e7}, {}};
}
void set_longitude(Entry& entry, MaybeNumber e7) {
    if (e7 && entry.place)
        entry.place->longitude = {*e7};
}

std::string status_of(const Entry& entry) { return entry.is_published ? "publish" : "draft"; }
void set_status(Entry& entry, std::string status) { entry.is_published = status == "publish"; }

std::string icon_of(const Entry& entry) { return entry.item_type_icon; }
void set_icon(Entry& entry, std::string text) {
    const auto icon = text.empty() ? Result<json::Value>(json::Value()) : json::parse(text);
    entry.item_type_icon = icon && icon->is_object() ? icon->text_or("value") : std::string();
}

const record::Rows<Entry>& entry_record() {
    using namespace record;
    using E = Entry;
    const auto text = api::raw_text(20'000);
    static const record::Rows<E> entry{
        {.table = "svc_itinerary_entries",
         .joins = "JOIN svc_itinerary_days d ON d.id = r.day_id JOIN svc_trips t ON t.id = d.trip_id"
                  " LEFT JOIN svc_classifications type ON type.id = r.item_type_id"
                  " LEFT JOIN svc_classifications item ON item.id = r.item_id"},
        {id(&E::id),
         column("day_id", &E::day_id, api::id()),
         column("item_type_id", &E::item_type_id, api::id()),
         column("item_id", &E::item_id, api::id()),
         column("title", &E::title, text),
         column("description", &E::description, text),
         choice("time_type", &E::time_type, time_types),
         column("start_time", &E::start_time, api::time()),
         column("end_time", &E::end_time, api::time()),
         column("duration_minutes", &E::duration_minutes, api::integer(1)),
         column("location", &E::location, text),
         converted("latitude_e7", latitude_of, set_latitude, api::integer()),
         converted("longitude_e7", longitude_of, set_longitude, api::integer()),
         derived("currency", &E::currency, "t.currency", api::text(3)),
         money("cost", &E::cost, &E::currency, api::money(), stored_as("cost_minor")),
         column("cost_per_person", &E::cost_per_person, api::boolean()),
         column("charge", &E::charge, api::boolean()),
         column("notes", &E::notes, text),
         column("included_items", &E::included_items, api::list(text)),
         column("excluded_items", &E::excluded_items, api::list(text)),
         converted("gallery", gallery_of, set_gallery, api::list(api::anything())),
         column("video_url", &E::video_url, text),
         converted("status", status_of, set_status, text),
         column("sort_order", &E::order, api::integer(0)),
         timestamps<E>(),
         derived("item_type_name", &E::item_type_name, "type.name", text, {}, null_if_empty),
         derived("item_name", &E::item_name, "item.name", text, {}, null_if_empty),
         from("type.icon", converted("item_type_icon", icon_of, set_icon, text, null_if_empty))}};
    return entry;
}

const record::Rows<Item>& item_record() {
    using namespace record;
    static const record::Rows<Item> item{
        {.table = "svc_classifications"},
        {id(&Item::id), derived("item_type_id", &Item::item_type_id, "COALESCE(r.item_type_id, 0)", api::id()),
         column("name", &Item::name, api::text(255)),
         derived("in_trash", &Item::in_trash, "CASE r.status WHEN 'trash' THEN 1 ELSE 0 END", api::boolean())}};
    return item;
}

void write_media(store::Transaction& tx, std::int64_t entry_id, const std::vector<Shown>& gallery) {
    tx.run("DELETE FROM svc_itinerary_media WHERE entry_id = :id", {{"id", entry_id}});
    for (const Shown& one : gallery)
        if (one.media_id)
            tx.run(
                "INSERT INTO svc_itinerary_media (entry_id, media_id) VALUES (:id, :media_id)"
                " ON CONFLICT (entry_id, media_id) DO NOTHING",
                {{"id", entry_id}, {"media_id", one.media_id}});
}

}  // namespace

std::optional<Day> find_day(store::Session& session, std::int64_t id) { return day_record().find(session, id); }

std::optional<Day> day_of(store::Session& session, std::int64_t trip_id, std::int64_t number) {
    static const std::string statement = day_record().select("WHERE r.trip_id = :trip_id AND r.day_number = :number");
    return day_record().first(session, statement, {{"trip_id", trip_id}, {"number", number}});
}

std::int64_t highest_day(store::Session& session, std::int64_t trip_id) {
    return session.number("SELECT MAX(day_number) FROM svc_itinerary_days WHERE trip_id = :trip_id",
                          {{"trip_id", trip_id}});
}

std::int64_t insert_day(store::Transaction& tx, Day day) {
    day_record().insert(tx, day, {.now = day.created_at});
    return day.id;
}

bool update_day(store::Transaction& tx, Day day) { return day_record().update(tx, day, {.now = day.updated_at}); }

bool remove_day(store::Transaction& tx, std::int64_t id) { return day_record().remove(tx, id); }

void set_aside(store::Transaction& tx, std::int64_t trip_id) {
    tx.run("UPDATE svc_itinerary_days SET day_number = day_number + 1000000 WHERE trip_id = :trip_id",
           {{"trip_id", trip_id}});
}

std::optional<Found> find_entry(store::Session& session, std::int64_t id) {
    auto entry = entry_record().find(session, id);
    if (!entry)
        return std::nullopt;
    auto day = find_day(session, entry->day_id);
    return day ? std::optional(Found{std::move(*entry), std::move(*day)}) : std::nullopt;
}

std::int64_t count_entries(store::Session& session, std::int64_t day_id) {
    return session.number("SELECT COUNT(*) FROM svc_itinerary_entries WHERE day_id = :day_id", {{"day_id", day_id}});
}

std::int64_t next_order(store::Session& session, std::int64_t day_id) {
    return session.number("SELECT MAX(sort_order) + 1 FROM svc_itinerary_entries WHERE day_id = :day_id",
                          {{"day_id", day_id}});
}

std::int64_t insert_entry(store::Transaction& tx, Entry entry) {
    entry_record().insert(tx, entry, {.now = entry.created_at});
    write_media(tx, entry.id, entry.gallery);
    return entry.id;
}

bool update_entry(store::Transaction& tx, Entry entry) {
    const bool there = entry_record().update(tx, entry, {.now = entry.updated_at});
    if (there)
        write_media(tx, entry.id, entry.gallery);
    return there;
}

bool remove_entry(store::Transaction& tx, std::int64_t id) { return entry_record().remove(tx, id); }

void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) {
    static const auto days_of = day_record().select_of("r.trip_id", "ORDER BY r.trip_id, r.day_number");
    static const auto entries_of =
        entry_record().select_of("d.trip_id", "ORDER BY d.trip_id, d.day_number, r.sort_order, r.id");
    std::vector<DayPlan> days;
    for (Day& day : day_record().all_of(session, days_of, trip_ids))
        days.push_back({std::move(day), {}});
    auto at = days.begin();
    for (Entry& entry : entry_record().all_of(session, entries_of, trip_ids)) {
        // Skips a day that was added between the two statements.
        const auto found =
            std::find_if(at, days.end(), [&](const DayPlan& plan) { return plan.day.id == entry.day_id; });
        if (found == days.end())
            continue;
        at = found;
        at->entries.push_back(std::move(entry));
    }
    for (auto first = days.begin(); first != days.end();) {
        auto last = first;
        while (last != days.end() && last->day.trip_id == first->day.trip_id)
            ++last;
        const std::int64_t trip_id = first->day.trip_id;
        take(trip_id, {std::make_move_iterator(first), std::make_move_iterator(last)});
        first = last;
    }
}

std::optional<Item> find_item(store::Session& session, std::int64_t id) {
    static const std::string statement = item_record().select("WHERE r.id = :id AND r.type = 'item'");
    return item_record().first(session, statement, {{"id", id}});
}

bool has_item_type(store::Session& session, std::int64_t id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_classifications WHERE id = :id AND type = 'item_type' AND status <> 'trash'",
               {{"id", id}}) > 0;
}

bool has_media(store::Session& session, std::int64_t id) {
    return session.number("SELECT COUNT(*) FROM svc_media WHERE id = :id AND is_private = 0", {{"id", id}}) > 0;
}

}  // namespace svc::catalog::itineraries::rows
