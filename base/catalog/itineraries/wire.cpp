// Reading and writing the members of entries and days.
#include "base/catalog/itineraries/wire.hpp"

#include <algorithm>

#include "shared/core/ascii.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::itineraries {
namespace {

constexpr std::size_t longest_text = 20'000;
constexpr std::size_t most_html = 400'000;  // cleaned, which writes & and < longer

json::Value maybe(const std::string& text) { return text.empty() ? json::Value() : json::Value(text); }

json::Value texts(const std::vector<std::string>& list) { return json::array_of(list); }

std::string time_label(const Entry& entry) {
    if (!entry.start_time)
        return {};
    return entry.start_time->text() + (entry.end_time ? " - " + entry.end_time->text() : "");
}

json::Value gallery(const Entry& entry, const media::Service& media, json::Value& images) {
    auto list = json::Value::array();
    for (const Shown& one : entry.gallery) {
        const std::string url = one.media_id ? media.url_of(*one.media_id) : one.url;
        if (one.type == "image")
            images.push(url);
        list.push(json::Value::object(
            {{"attachment_id", one.media_id},
             {"type", one.type},
             {"url", url},
             {"thumbnail_url", one.media_id ? json::Value(media.thumbnail_url_of(*one.media_id)) : json::Value()}}));
    }
    return list;
}

// The values of a day that has no entry.
Entry of_day(const Day& day) {
    Entry entry{.id = day.id, .day_id = day.id};
    entry.title = day.title;
    entry.description = day.description;
    entry.order = day.number;
    entry.created_at = day.created_at;
    entry.updated_at = day.updated_at;
    return entry;
}

bool is_address(const std::string& url) {
    return (url.starts_with("https://") || url.starts_with("http://")) && url.find(' ') == std::string::npos;
}

Result<std::vector<Shown>> gallery_of(const json::Value& list, const std::string& field) {
    std::vector<Shown> shown;
    for (const auto& item : list.items()) {
        Shown one{item.maybe_integer("attachment_id"), item.text_or("type"), item.text_or("url")};
        // An answer's own files are sent back with their address; only the id is used.
        if (one.media_id)
            one.url.clear();
        else if (!is_address(one.url))
            return invalid(field, "Enter an attachment_id, or an http or https url, for each."_sentence);
        if (std::find(shown.begin(), shown.end(), one) == shown.end())
            shown.push_back(std::move(one));
    }
    return shown;
}

std::optional<std::string> lines(const json::Value& body, const char* name) {
    const auto given = body.maybe_text(name);
    return given ? std::optional(text::clean_lines(*given)) : std::nullopt;
}

Sent<std::string> decimal(const json::Value& body, const char* name) {
    const auto* value = body.find(name);
    if (!value)
        return {};
    return value->is_null() ? Sent<std::string>(std::optional<std::string>()) : Sent<std::string>(value->number_text());
}

Sent<std::int64_t> number(const json::Value& body, const char* name) {
    const auto* value = body.find(name);
    if (!value)
        return {};
    return Sent<std::int64_t>(body.maybe_integer(name));
}

Sent<ClockTime> time(const json::Value& body, const char* name) {
    const auto* value = body.find(name);
    if (!value)
        return {};
    return Sent<ClockTime>(value->is_null() ? std::nullopt : ClockTime::parse(value->text()));
}

// Both times of an entry as displayed: "10:00", or "10:00 - 12:00". False for anything else.
bool take_times(EntryChange& change, std::string_view given) {
    std::optional<ClockTime> start, end;
    const auto dash = given.find('-');
    if (!ascii::trimmed(given).empty()) {
        start = ClockTime::parse(ascii::trimmed(given.substr(0, dash)));
        if (dash != std::string_view::npos)
            end = ClockTime::parse(ascii::trimmed(given.substr(dash + 1)));
        if (!start || (dash != std::string_view::npos && !end))
            return false;
    }
    change.start_time.emplace(start);
    change.end_time.emplace(end);
    return true;
}

std::optional<std::vector<std::string>> list(const json::Value& body, const char* name) {
    const auto* value = body.find(name);
    if (!value || value->is_null())
        return value ? std::optional(std::vector<std::string>()) : std::nullopt;
    std::vector<std::string> texts;
    for (const auto& item : value->items())
        texts.push_back(item.text());
    return texts;
}

api::Field fixed(const char* name, api::Type type) { return {.name = name, .type = std::move(type), .ignored = true}; }

}  // namespace

json::Value to_json(const Day& day, const Entry* given, const media::Service& media) {
    const Entry entry = given ? *given : of_day(day);
    auto images = json::Value::array();
    auto shown = gallery(entry, media, images);
    if (!given && day.image_id)
        images.push(media.url_of(*day.image_id));
    const auto angle = [&](bool latitude) -> json::Value {
        if (!entry.place)
            return {};
        return json::Number{(latitude ? entry.place->latitude : entry.place->longitude).decimal()};
    };
    return json::Value::object(
        {{"id", entry.id},
         {"mode", given ? "activity" : "day"},
         {"trip_id", day.trip_id},
         {"day_id", day.id},
         {"day", day.number},
         {"day_title", day.title},
         {"day_description", day.description},
         {"image_id", given ? json::Value() : json::Value(day.image_id)},
         {"title", entry.title},
         {"description", entry.description},
         {"time", maybe(time_label(entry))},
         {"start_time", entry.start_time},
         {"end_time", entry.end_time},
         {"time_type", name_of(entry.time_type)},
         {"location", maybe(entry.location)},
         {"location_latitude", angle(true)},
         {"location_longitude", angle(false)},
         {"duration", entry.duration_minutes ? json::Value(duration_label(*entry.duration_minutes)) : json::Value()},
         {"duration_minutes", entry.duration_minutes},
         {"cost", entry.cost},
         {"cost_per_person", entry.cost_per_person},
         {"charge", entry.charge},
         {"notes", maybe(entry.notes)},
         {"item_type_id", entry.item_type_id},
         {"item_id", entry.item_id},
         {"item_type_name", maybe(entry.item_type_name)},
         {"item_name", maybe(entry.item_name)},
         {"item_type_icon", maybe(entry.item_type_icon)},
         {"included_items", texts(entry.included_items)},
         {"excluded_items", texts(entry.excluded_items)},
         {"images", std::move(images)},
         {"gallery", std::move(shown)},
         {"video_url", maybe(entry.video_url)},
         {"status", entry.is_published ? "publish" : "draft"},
         {"order", entry.order},
         {"created_at", entry.created_at},
         {"updated_at", entry.updated_at}});
}

api::Schema day_fields() {
    return {{.name = "day_title", .type = api::text(255), .help = "Title of the day; defaults to \"Day N\"."},
            {.name = "day_description", .type = api::html(longest_text), .help = "Description of the day, HTML."},
            {.name = "image_id", .type = api::id().or_null(), .help = "Id of a picture of the day."}};
}

api::Schema entry_fields() {
    using api::text;
    const api::Type shown = api::object(
        "ItineraryPictureInput",
        {{.name = "attachment_id", .type = api::id().or_null()},
         {.name = "type", .type = api::choice({"image", "video", "youtube"}), .otherwise = json::Value("image")},
         {.name = "url", .type = text(2000)},
         fixed("thumbnail_url", text(2000).or_null())});
    return api::Schema{
        {.name = "title", .type = text(255), .help = "Title of the entry; defaults to the item's name."},
        {.name = "description", .type = api::html(longest_text), .help = "HTML."},
        {.name = "time",
         .type = text(40).or_null(),
         .help = "Both in one text, \"10:00\" or \"10:00 - 12:00\"; start_time and end_time count before it."},
        {.name = "start_time", .type = api::time().or_null()},
        {.name = "end_time", .type = api::time().or_null(), .help = "On the next day if at or before start_time."},
        {.name = "time_type", .type = api::choice({"exact", "duration", "flexible"})},
        {.name = "location", .type = text(255).or_null()},
        {.name = "location_latitude", .type = api::decimal(-90, 90).or_null()},
        {.name = "location_longitude", .type = api::decimal(-180, 180).or_null()},
        {.name = "duration", .type = text(40).or_null(), .help = "\"90 min\", \"1 h 30 min\", \"1:30\"."},
        {.name = "duration_minutes",
         .type = api::integer(1, 14'400).or_null(),
         .help = "Takes precedence over duration."},
        {.name = "cost", .type = api::money().or_null(), .help = "In the trip's currency."},
        {.name = "cost_per_person", .type = api::boolean()},
        {.name = "charge", .type = api::boolean(), .help = "Whether the cost is added to a booking's price."},
        {.name = "notes", .type = api::raw_text(longest_text).or_null()},
        {.name = "item_type_id", .type = api::id().or_null()},
        {.name = "item_id", .type = api::id().or_null()},
        {.name = "included_items", .type = api::list(text(255), 50).or_null()},
        {.name = "excluded_items", .type = api::list(text(255), 50).or_null()},
        {.name = "gallery", .type = api::list(shown, 30).or_null()},
        {.name = "video_url", .type = text(2000).or_null(), .help = "An http or https address."},
        {.name = "status", .type = api::choice({"publish", "draft"})},
        {.name = "order", .type = api::integer(0, 1'000'000), .help = "Position within the day; defaults to the end."}};
}

Result<EntryChange> entry_change(const json::Value& body, const std::string& before) {
    EntryChange change{.item_type_id = number(body, "item_type_id"), .item_id = number(body, "item_id")};
    std::optional<Error> faults;
    const auto fault = [&faults, &before](const std::string& field, const Sentence& sentence) {
        if (!faults)
            faults.emplace(errc::validation_error, sentence);
        faults->at(before + field, sentence);
    };
    const auto word = [&](const char* name) -> std::optional<std::string> {
        return body.find(name) ? std::optional(body.text_or(name)) : std::nullopt;
    };
    change.title = body.maybe_text("title");
    change.description = lines(body, "description");
    change.time_type = body.maybe_text("time_type");
    change.location = word("location");
    change.notes = body.find("notes") ? std::optional(text::clean_lines(body.text_or("notes"))) : std::nullopt;
    change.video_url = word("video_url");
    if (change.video_url && !change.video_url->empty() && !is_address(*change.video_url))
        fault("video_url", "Enter an http or https address."_sentence);
    change.status = body.maybe_text("status");
    change.start_time = time(body, "start_time");
    change.end_time = time(body, "end_time");
    if (body.find("time") && !change.start_time && !change.end_time && !take_times(change, body.text_or("time")))
        fault("time", "This is neither a time such as 10:00 nor two of them, 10:00 - 12:00."_sentence);
    change.duration_minutes = number(body, "duration_minutes");
    if (const auto* label = body.find("duration"); label && !change.duration_minutes) {
        const std::string given = body.text_or("duration");
        change.duration_minutes = given.empty() ? std::nullopt : duration_of(given);
        if (!given.empty() && !*change.duration_minutes)
            fault("duration", "Enter a duration of at most ten days, such as \"1 h 30 min\"."_sentence);
    }
    change.latitude = decimal(body, "location_latitude");
    change.longitude = decimal(body, "location_longitude");
    change.cost = decimal(body, "cost");
    change.cost_per_person = body.maybe_boolean("cost_per_person");
    change.charge = body.maybe_boolean("charge");
    change.included_items = list(body, "included_items");
    change.excluded_items = list(body, "excluded_items");
    if (const auto* shown = body.find("gallery")) {
        auto gallery = shown->is_null() ? std::vector<Shown>() : gallery_of(*shown, before + "gallery");
        if (gallery)
            change.gallery = std::move(*gallery);
        else
            for (const FieldError& each : gallery.error().fields())
                fault(each.field.substr(before.size()), each.sentence);
    }
    change.order = body.maybe_integer("order");
    if (faults)
        return std::move(*faults);
    return change;
}

DayChange day_change(const json::Value& body, bool is_day) {
    DayChange change{.image_id = number(body, "image_id")};
    change.title = body.maybe_text("day_title");
    change.description = lines(body, "day_description");
    if (is_day && !change.title)
        change.title = body.maybe_text("title");
    if (is_day && !change.description)
        change.description = lines(body, "description");
    return change;
}

api::Type entry_answer() {
    using api::text;
    const auto maybe_text = text(20'000).or_null();
    return api::object(
        "ItineraryEntry",
        {{.name = "id", .type = api::id(), .help = "Id of the entry, or of the day with mode=day."},
         {.name = "mode", .type = api::choice({"activity", "day"})},
         {.name = "trip_id", .type = api::id()},
         {.name = "day_id", .type = api::id()},
         {.name = "day", .type = api::integer(1)},
         {.name = "day_title", .type = text(255)},
         {.name = "day_description", .type = text(most_html)},
         {.name = "image_id", .type = api::id().or_null()},
         {.name = "title", .type = text(255)},
         {.name = "description", .type = text(most_html)},
         {.name = "time", .type = maybe_text, .help = "start_time and end_time as text."},
         {.name = "start_time", .type = api::time().or_null()},
         {.name = "end_time", .type = api::time().or_null()},
         {.name = "time_type", .type = api::choice({"exact", "duration", "flexible"})},
         {.name = "location", .type = maybe_text},
         {.name = "location_latitude", .type = api::decimal(-90, 90).or_null()},
         {.name = "location_longitude", .type = api::decimal(-180, 180).or_null()},
         {.name = "duration", .type = maybe_text, .help = "duration_minutes as text."},
         {.name = "duration_minutes", .type = api::integer(1).or_null()},
         {.name = "cost", .type = api::money().or_null()},
         {.name = "cost_per_person", .type = api::boolean()},
         {.name = "charge", .type = api::boolean()},
         {.name = "notes", .type = maybe_text},
         {.name = "item_type_id", .type = api::id().or_null()},
         {.name = "item_id", .type = api::id().or_null()},
         {.name = "item_type_name", .type = maybe_text},
         {.name = "item_name", .type = maybe_text},
         {.name = "item_type_icon", .type = maybe_text},
         {.name = "included_items", .type = api::list(text(255))},
         {.name = "excluded_items", .type = api::list(text(255))},
         {.name = "images", .type = api::list(text(2000)), .help = "Addresses of the pictures of the gallery."},
         {.name = "gallery",
          .type = api::list(
              api::object("ItineraryPicture", {{.name = "attachment_id", .type = api::id().or_null()},
                                               {.name = "type", .type = api::choice({"image", "video", "youtube"})},
                                               {.name = "url", .type = text(2000)},
                                               {.name = "thumbnail_url", .type = maybe_text}}))},
         {.name = "video_url", .type = maybe_text},
         {.name = "status", .type = api::choice({"publish", "draft"})},
         {.name = "order", .type = api::integer(0)},
         {.name = "created_at", .type = api::instant()},
         {.name = "updated_at", .type = api::instant()}});
}

static api::Schema bulk_entry() {
    return api::Schema{{.name = "id", .type = api::id().or_null(), .help = "Id of an entry; absent for a new one."}}
        .plus(entry_fields());
}

BulkEntry bulk_entry_of(const json::Value& sent, std::size_t number) {
    static const api::Type shape = api::object(bulk_entry());
    const std::string field = "activities." + std::to_string(number);
    const auto clean = shape.check(sent, field);
    if (!clean) {
        const auto id = sent.is_object() ? api::id().check(sent["id"], "id") : Result<json::Value>(errc::not_found);
        return {id ? std::optional(id->integer()) : std::nullopt, clean.error()};
    }
    return {clean->maybe_integer("id"), entry_change(*clean, field + ".")};
}

api::Type bulk_answer() {
    const api::Type result = api::object({{.name = "index", .type = api::integer(0)},
                                          {.name = "ok", .type = api::boolean()},
                                          {.name = "id", .type = api::id().or_null()},
                                          {.name = "op", .type = api::choice({"create", "update"})},
                                          {.name = "error", .type = api::text(2000).or_null()}});
    return api::object({{.name = "day_id", .type = api::id()},
                        {.name = "trip_id", .type = api::id()},
                        {.name = "created", .type = api::integer(0)},
                        {.name = "updated", .type = api::integer(0)},
                        {.name = "failed", .type = api::integer(0)},
                        {.name = "results", .type = api::list(result)}});
}

}  // namespace svc::catalog::itineraries
