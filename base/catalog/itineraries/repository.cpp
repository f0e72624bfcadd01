// Statements on days and entries. An entry is read with its trip's currency and its classifications' names.
#include "base/catalog/itineraries/repository.hpp"

#include <algorithm>

#include "shared/core/log.hpp"
#include "shared/json/value.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::catalog::itineraries::rows {
namespace {

#define SVC_DAY_COLUMNS "id, trip_id, day_number, title, description, image_id, created_at, updated_at"
constexpr store::Columns day_columns = "iiittiii";

Day day_of_row(const store::Row& row) {
    return {.id = row.integer(0),
            .trip_id = row.integer(1),
            .number = row.integer(2),
            .title = row.text(3),
            .description = row.text(4),
            .image_id = row.maybe_integer(5),
            .created_at = row.instant(6),
            .updated_at = row.instant(7)};
}

#define SVC_ENTRIES                                                                                                   \
    "SELECT e.id, e.day_id, e.item_type_id, e.item_id, e.title, e.description, e.time_type, e.start_time,"            \
    " e.end_time, e.duration_minutes, e.location, e.latitude_e7, e.longitude_e7, e.cost_minor, e.cost_per_person,"    \
    " e.charge, e.notes, e.included_items, e.excluded_items, e.gallery, e.video_url, e.status, e.sort_order,"         \
    " e.created_at, e.updated_at, t.currency, type.name, item.name, type.icon"                                        \
    " FROM svc_itinerary_entries e JOIN svc_itinerary_days d ON d.id = e.day_id JOIN svc_trips t ON t.id = d.trip_id" \
    " LEFT JOIN svc_classifications type ON type.id = e.item_type_id"                                                 \
    " LEFT JOIN svc_classifications item ON item.id = e.item_id WHERE"
constexpr store::Columns entry_columns = "iiiitttttitiiiiittttttiiitttt";

json::Value list_of(const std::string& text, std::int64_t entry_id) {
    auto parsed = json::parse(text);
    if (parsed && parsed->is_array())
        return std::move(*parsed);
    log::warning("a list of an itinerary entry is no JSON; read as empty", {{"entry_id", entry_id}});
    return json::Value::array();
}

std::vector<std::string> texts_of(const std::string& text, std::int64_t entry_id) {
    std::vector<std::string> texts;
    for (const auto& item : list_of(text, entry_id).items())
        if (item.is_string())
            texts.push_back(item.text());
    return texts;
}

std::string text_of(const std::vector<std::string>& texts) {
    auto list = json::Value::array();
    for (const std::string& one : texts)
        list.push(one);
    return list.dump();
}

std::vector<Shown> gallery_of(const std::string& text, std::int64_t entry_id) {
    std::vector<Shown> gallery;
    for (const auto& item : list_of(text, entry_id).items())
        if (item.is_object())
            gallery.push_back({item.maybe_integer("attachment_id"), item.text_or("type"), item.text_or("url")});
    return gallery;
}

std::string text_of(const std::vector<Shown>& gallery) {
    auto list = json::Value::array();
    for (const Shown& one : gallery)
        list.push(json::Value::object({{"attachment_id", one.media_id}, {"type", one.type}, {"url", one.url}}));
    return list.dump();
}

std::optional<ClockTime> time_of(const store::Row& row, std::size_t column) {
    const auto text = row.maybe_text(column);
    return text ? ClockTime::parse(*text) : std::nullopt;
}

std::string icon_of(const std::optional<std::string>& json_text) {
    const auto icon = json_text && !json_text->empty() ? json::parse(*json_text) : Result<json::Value>(json::Value());
    return icon && icon->is_object() ? icon->text_or("value") : std::string();
}

Entry entry_of(const store::Row& row) {
    Entry entry{.id = row.integer(0), .day_id = row.integer(1)};
    entry.item_type_id = row.maybe_integer(2);
    entry.item_id = row.maybe_integer(3);
    entry.title = row.text(4);
    entry.description = row.text(5);
    entry.time_type = time_type(row.text(6)).value_or(TimeType::flexible);
    entry.start_time = time_of(row, 7);
    entry.end_time = time_of(row, 8);
    entry.duration_minutes = row.maybe_integer(9);
    entry.location = row.text(10);
    if (!row.is_null(11))
        entry.place = trips::Place{{row.integer(11)}, {row.integer(12)}};
    if (const auto minor = row.maybe_integer(13))
        entry.cost = Money{*minor, Currency::parse(row.text(25)).value()};
    entry.cost_per_person = row.flag(14);
    entry.charge = row.flag(15);
    entry.notes = row.text(16);
    entry.included_items = texts_of(row.text(17), entry.id);
    entry.excluded_items = texts_of(row.text(18), entry.id);
    entry.gallery = gallery_of(row.text(19), entry.id);
    entry.video_url = row.text(20);
    entry.is_published = row.text(21) == "publish";
    entry.order = row.integer(22);
    entry.created_at = row.instant(23);
    entry.updated_at = row.instant(24);
    entry.item_type_name = row.maybe_text(26).value_or("");
    entry.item_name = row.maybe_text(27).value_or("");
    entry.item_type_icon = icon_of(row.maybe_text(28));
    return entry;
}

store::Params values_of(const Entry& entry) {
    const auto angle = [&](bool latitude) -> std::optional<std::int64_t> {
        if (!entry.place)
            return {};
        return latitude ? entry.place->latitude.e7 : entry.place->longitude.e7;
    };
    return {{"id", entry.id},
            {"day_id", entry.day_id},
            {"item_type_id", entry.item_type_id},
            {"item_id", entry.item_id},
            {"title", entry.title},
            {"description", entry.description},
            {"time_type", name_of(entry.time_type)},
            {"start_time", entry.start_time},
            {"end_time", entry.end_time},
            {"duration_minutes", entry.duration_minutes},
            {"location", entry.location},
            {"latitude_e7", angle(true)},
            {"longitude_e7", angle(false)},
            {"cost_minor", entry.cost ? std::optional(entry.cost->minor()) : std::nullopt},
            {"cost_per_person", entry.cost_per_person},
            {"charge", entry.charge},
            {"notes", entry.notes},
            {"included_items", text_of(entry.included_items)},
            {"excluded_items", text_of(entry.excluded_items)},
            {"gallery", text_of(entry.gallery)},
            {"video_url", entry.video_url},
            {"status", entry.is_published ? "publish" : "draft"},
            {"sort_order", entry.order},
            {"created_at", entry.created_at},
            {"updated_at", entry.updated_at}};
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

std::optional<Day> find_day(store::Session& session, std::int64_t id) {
    return session.first<Day>("SELECT " SVC_DAY_COLUMNS " FROM svc_itinerary_days WHERE id = :id", day_columns,
                              {{"id", id}}, day_of_row);
}

std::optional<Day> day_of(store::Session& session, std::int64_t trip_id, std::int64_t number) {
    return session.first<Day>("SELECT " SVC_DAY_COLUMNS
                              " FROM svc_itinerary_days WHERE trip_id = :trip_id AND day_number = :number",
                              day_columns, {{"trip_id", trip_id}, {"number", number}}, day_of_row);
}

std::int64_t highest_day(store::Session& session, std::int64_t trip_id) {
    return session.number("SELECT MAX(day_number) FROM svc_itinerary_days WHERE trip_id = :trip_id",
                          {{"trip_id", trip_id}});
}

std::int64_t insert_day(store::Transaction& tx, const Day& day) {
    return tx.insert(
        "INSERT INTO svc_itinerary_days (trip_id, day_number, title, description, image_id, created_at, updated_at)"
        " VALUES (:trip_id, :number, :title, :description, :image_id, :created_at, :updated_at) RETURNING id",
        {{"trip_id", day.trip_id},
         {"number", day.number},
         {"title", day.title},
         {"description", day.description},
         {"image_id", day.image_id},
         {"created_at", day.created_at},
         {"updated_at", day.updated_at}});
}

bool update_day(store::Transaction& tx, const Day& day) {
    return tx.run(
               "UPDATE svc_itinerary_days SET day_number = :number, title = :title, description = :description,"
               " image_id = :image_id, updated_at = :updated_at WHERE id = :id",
               {{"id", day.id},
                {"number", day.number},
                {"title", day.title},
                {"description", day.description},
                {"image_id", day.image_id},
                {"updated_at", day.updated_at}}) > 0;
}

bool remove_day(store::Transaction& tx, std::int64_t id) {
    return tx.run("DELETE FROM svc_itinerary_days WHERE id = :id", {{"id", id}}) > 0;
}

void set_aside(store::Transaction& tx, std::int64_t trip_id) {
    tx.run("UPDATE svc_itinerary_days SET day_number = day_number + 1000000 WHERE trip_id = :trip_id",
           {{"trip_id", trip_id}});
}

std::optional<Found> find_entry(store::Session& session, std::int64_t id) {
    auto entry = session.first<Entry>(SVC_ENTRIES " e.id = :id", entry_columns, {{"id", id}}, entry_of);
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

std::int64_t insert_entry(store::Transaction& tx, const Entry& entry) {
    const auto id = tx.insert(
        "INSERT INTO svc_itinerary_entries (day_id, item_type_id, item_id, title, description, time_type, start_time,"
        " end_time, duration_minutes, location, latitude_e7, longitude_e7, cost_minor, cost_per_person, charge, notes,"
        " included_items, excluded_items, gallery, video_url, status, sort_order, created_at, updated_at)"
        " VALUES (:day_id, :item_type_id, :item_id, :title, :description, :time_type, :start_time, :end_time,"
        " :duration_minutes, :location, :latitude_e7, :longitude_e7, :cost_minor, :cost_per_person, :charge, :notes,"
        " :included_items, :excluded_items, :gallery, :video_url, :status, :sort_order, :created_at, :updated_at)"
        " RETURNING id",
        values_of(entry));
    write_media(tx, id, entry.gallery);
    return id;
}

bool update_entry(store::Transaction& tx, const Entry& entry) {
    const bool there =
        tx.run(
            "UPDATE svc_itinerary_entries SET day_id = :day_id, item_type_id = :item_type_id, item_id = :item_id,"
            " title = :title, description = :description, time_type = :time_type, start_time = :start_time,"
            " end_time = :end_time, duration_minutes = :duration_minutes, location = :location,"
            " latitude_e7 = :latitude_e7, longitude_e7 = :longitude_e7, cost_minor = :cost_minor,"
            " cost_per_person = :cost_per_person, charge = :charge, notes = :notes, included_items = :included_items,"
            " excluded_items = :excluded_items, gallery = :gallery, video_url = :video_url, status = :status,"
            " sort_order = :sort_order, updated_at = :updated_at WHERE id = :id",
            values_of(entry)) > 0;
    if (there)
        write_media(tx, entry.id, entry.gallery);
    return there;
}

bool remove_entry(store::Transaction& tx, std::int64_t id) {
    return tx.run("DELETE FROM svc_itinerary_entries WHERE id = :id", {{"id", id}}) > 0;
}

void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) {
    std::vector<DayPlan> days;
    store::each_of(session,
                   SVC_BY_IDS("SELECT " SVC_DAY_COLUMNS " FROM svc_itinerary_days WHERE", "trip_id",
                              "ORDER BY trip_id, day_number"),
                   day_columns, trip_ids, [&](const store::Row& row) {
                       days.push_back({day_of_row(row), {}});
                   });
    auto at = days.begin();
    store::each_of(
        session, SVC_BY_IDS(SVC_ENTRIES, "d.trip_id", "ORDER BY d.trip_id, d.day_number, e.sort_order, e.id"),
        entry_columns, trip_ids, [&](const store::Row& row) {
            Entry entry = entry_of(row);
            // A day that came between the two statements is not shown yet.
            const auto found =
                std::find_if(at, days.end(), [&](const DayPlan& plan) { return plan.day.id == entry.day_id; });
            if (found == days.end())
                return;
            at = found;
            at->entries.push_back(std::move(entry));
        });
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
    return session.first<Item>(
        "SELECT item_type_id, name, status FROM svc_classifications WHERE id = :id AND type = 'item'", "itt",
        {{"id", id}}, [](const store::Row& row) {
            return Item{row.integer(0), row.text(1), row.text(2) == "trash"};
        });
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
