// Days and entries one by one and in bulk.
#include "base/catalog/itineraries/routes.hpp"

#include "base/catalog/itineraries/wire.hpp"
#include "base/platform/html/refused.hpp"
#include "shared/api/author.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::itineraries {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

struct Desk {
    Service& itineraries;
    const media::Service& media;
    [[nodiscard]] json::Value json(const Record& record) const {
        return to_json(record.day, record.entry ? &*record.entry : nullptr, media);
    }
    // With a tag of the trip's version.
    [[nodiscard]] Reply answer(const Record& record) const {
        Reply reply = api::ok(json(record));
        reply.headers.emplace_back("ETag", api::version_tag(record.trip.row_version, reply.data));
        return reply;
    }
};

Permission may_read() { return Permission::can("svc_view_trips"); }
Permission may_write() { return Permission::can("svc_edit_trips"); }

const api::Schema mode_field{{.name = "mode",
                              .type = api::choice({"activity", "day"}),
                              .help = "Whether id names an entry (activity) or a day.",
                              .otherwise = json::Value("activity")}};

const api::Schema where_fields{
    {.name = "day", .type = api::integer(1, most_days), .help = "Number of the day; created if missing."},
    {.name = "day_id", .type = api::id(), .help = "Id of an existing day; takes precedence over day."}};

// Other fields that the rules compare a field with.
const std::vector<std::pair<std::string_view, std::string_view>> compared{{"day", "day_id"},
                                                                          {"day", "mode"},
                                                                          {"start_time", "time_type"},
                                                                          {"start_time", "time"},
                                                                          {"start_time", "end_time"},
                                                                          {"duration_minutes", "time_type"},
                                                                          {"duration_minutes", "duration"},
                                                                          {"cost", "charge"},
                                                                          {"title", "item_id"},
                                                                          {"title", "mode"},
                                                                          {"item_type_id", "item_id"},
                                                                          {"location_latitude", "location_longitude"},
                                                                          {"location_longitude", "location_latitude"}};
// The mode of a write, in the query as for reads, or in the body.
api::Schema written_mode() {
    api::Field mode = *mode_field.fields().begin();
    mode.otherwise.reset();
    return {mode};
}

bool is_day(const json::Value& fields) { return fields.text_or("mode") == "day"; }

Where where_of(const json::Value& body) {
    Where where{.day_id = body.maybe_integer("day_id"), .number = body.maybe_integer("day")};
    where.day = day_change(body, false);
    return where;
}

Reply list(const Desk& desk, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto plan, desk.itineraries.of_trip(request.query["trip_id"].integer()));
    auto entries = json::Value::array();
    for (const DayPlan& day : plan.days) {
        entries.push(to_json(day.day, nullptr, desk.media));
        for (const Entry& entry : day.entries)
            entries.push(to_json(day.day, &entry, desk.media));
    }
    return api::ok(std::move(entries));
}

Reply read(const Desk& desk, const Request& request) {
    const bool day = is_day(request.query);
    const auto record = day ? desk.itineraries.day(request.path_id()) : desk.itineraries.entry(request.path_id());
    return record ? api::unless_known(request, desk.answer(*record)) : api::failed(record.error());
}

// The version of the trip that If-Match requires, since the record is a part of the trip.
Result<trips::Seen> version_seen(const Desk& desk, const Request& request, bool day, std::int64_t id) {
    return api::if_match_version(request, [&]() -> trips::Seen {
        const auto record = day ? desk.itineraries.day(id) : desk.itineraries.entry(id);
        return record ? trips::Seen(record->trip.row_version) : std::nullopt;
    });
}

// An unknown trip is a fault of the field here.
Error of_body(const Error& error) {
    return &error.code() == &errc::trip_not_found ? invalid("trip_id", "This trip does not exist."_sentence) : error;
}

// A day when there is neither item type nor item, unless `mode` is sent.
bool adds_day(const json::Value& body) {
    const std::string mode = body.text_or("mode");
    if (!mode.empty())
        return mode == "day";
    return !body.maybe_integer("item_type_id") && !body.maybe_integer("item_id");
}

// Faults of a body that do not depend on the trip.
std::vector<FieldError> faults_of(const json::Value& body) {
    std::vector<FieldError> faults;
    const bool day = adds_day(body);
    if (!body.maybe_integer("day") && (day || !body.maybe_integer("day_id")))
        faults = missing("day").fields();
    if (const auto change = day ? EntryChange{} : entry_change(body); !change)
        faults.insert(faults.end(), change.error().fields().begin(), change.error().fields().end());
    return faults;
}

DayChange day_change_of(const json::Value& body) {
    DayChange change = day_change(body, true);
    change.number = body.maybe_integer("day");
    return change;
}

Reply create(const Desk& desk, const Request& request) {
    const json::Value& body = request.body;
    if (const auto faults = faults_of(body); !faults.empty()) {
        Error error{errc::validation_error, faults.front().sentence};
        for (const FieldError& fault : faults)
            error.at(fault.field, fault.sentence);
        return api::failed(error);
    }
    const std::int64_t trip = body["trip_id"].integer();
    const Service::Writer writer{api::author(request.caller)};
    const auto write = [&]() -> Result<Record> {
        auto record = adds_day(body)
                          ? desk.itineraries.add_day(trip, day_change_of(body), writer)
                          : desk.itineraries.add_entry(trip, where_of(body), entry_change(body).value(), writer);
        return record ? std::move(record) : of_body(record.error());
    };
    return api::respond_once(request, write, [&](const Record& record) {
        const std::string id =
            record.entry ? std::to_string(record.entry->id) : std::to_string(record.day.id) + "?mode=day";
        Reply reply = api::created(desk.json(record), "/itineraries/" + id);
        reply.headers.emplace_back("ETag", api::version_tag(record.trip.row_version, reply.data));
        return reply;
    });
}

std::vector<FieldError> faults_of_new(const Desk& desk, const Request& request) {
    const json::Value& body = request.body;
    const auto trip = body.maybe_integer("trip_id");
    auto faults = faults_of(body);
    if (!faults.empty() || !trip)
        return faults;
    if (const auto known = desk.itineraries.of_trip(*trip); !known)
        return of_body(known.error()).fields();
    return adds_day(body) ? desk.itineraries.faults_of_new(*trip, day_change_of(body))
                          : desk.itineraries.faults_of_new(*trip, where_of(body), entry_change(body).value());
}

Result<bool> writes_day(const Request& request) {
    const bool day = is_day(request.query) || is_day(request.body);
    if (day && (request.query.text_or("mode", "day") != "day" || request.body.text_or("mode", "day") != "day"))
        return invalid("mode", "mode in the query differs from mode in the body."_sentence);
    return day;
}

Reply update(const Desk& desk, const Request& request) {
    const std::int64_t id = request.path_id();
    SVC_ASSIGN_OR_RETURN(const auto day, writes_day(request));
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(desk, request, day, id));
    const Service::Writer writer{api::author(request.caller), seen};
    const auto write = [&]() -> Result<Record> {
        if (day)
            return desk.itineraries.update_day(id, day_change_of(request.body), writer);
        SVC_ASSIGN_OR_RETURN(const auto change, entry_change(request.body));
        return desk.itineraries.update_entry(id, where_of(request.body), change, writer);
    };
    return api::respond_once(request, write, [&](const Record& record) { return desk.answer(record); });
}

std::vector<FieldError> faults_of_change(const Desk& desk, const Request& request) {
    const std::int64_t id = request.path_id();
    const auto day = writes_day(request);
    if (!day)
        return day.error().fields();
    if (*day)
        return desk.itineraries.faults_of_change(id, day_change_of(request.body));
    const auto change = entry_change(request.body);
    return change ? desk.itineraries.faults_of_change(id, where_of(request.body), *change) : change.error().fields();
}

Reply remove(const Desk& desk, const Request& request) {
    const std::int64_t id = request.path_id();
    const bool day = is_day(request.query);
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(desk, request, day, id));
    const Service::Writer writer{api::author(request.caller), seen};
    return api::respond_once(
        request,
        [&] { return day ? desk.itineraries.remove_day(id, writer) : desk.itineraries.remove_entry(id, writer); },
        api::deleted(id));
}

std::vector<std::int64_t> ids_of(const json::Value& body, const char* name) {
    std::vector<std::int64_t> ids;
    if (const auto* list = body.find(name); list && list->is_array())
        for (const auto& id : list->items())
            ids.push_back(id.integer());
    return ids;
}

Reply remove_many(const Desk& desk, const Request& request) {
    const auto ids = ids_of(request.body, "ids"), days = ids_of(request.body, "day_ids");
    if (ids.empty() && days.empty())
        return api::failed(invalid("ids", "Send ids of entries or day_ids."_sentence));
    const auto answer = [](const Removed& removed) {
        return api::ok(json::Value::object({{"deleted", removed.deleted}, {"failed", removed.failed}}));
    };
    // They may be of several trips: each has to have that version.
    SVC_ASSIGN_OR_RETURN(const auto seen,
                         version_seen(desk, request, ids.empty(), ids.empty() ? days.front() : ids.front()));
    return api::respond_once(
        request,
        [&] {
            return desk.itineraries.remove(ids, days, {api::author(request.caller), seen});
        },
        answer);
}

Reply outcomes_reply(const Request& request, std::int64_t day_id, const Service::Bulk& bulk) {
    auto results = json::Value::array();
    std::int64_t created = 0, updated = 0, failed = 0, index = 0;
    for (const BulkOutcome& one : bulk.outcomes) {
        auto result = json::Value::object({{"index", index++}, {"ok", !one.error}, {"id", one.id}});
        result.set("op", one.created ? "create" : "update");
        result.set("error", one.error ? json::Value(request.say(one.error->message())) : json::Value());
        results.push(std::move(result));
        ++(one.error ? failed : one.created ? created : updated);
    }
    return api::ok(json::Value::object({{"day_id", day_id},
                                        {"trip_id", bulk.trip_id},
                                        {"created", created},
                                        {"updated", updated},
                                        {"failed", failed},
                                        {"results", std::move(results)}}));
}

Reply bulk(const Desk& desk, const Request& request) {
    const std::int64_t day = request.path_id("day_id");
    std::vector<BulkEntry> entries;
    for (const auto& item : request.body["activities"].items())
        entries.push_back(bulk_entry_of(item, entries.size() + 1));
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(desk, request, true, day));
    const auto answer = [day, &request](const Service::Bulk& done) { return outcomes_reply(request, day, done); };
    return api::respond_once(
        request,
        [&] {
            return desk.itineraries.bulk(day, request.body.maybe_integer("trip_id"), entries,
                                         {api::author(request.caller), seen});
        },
        answer);
}

api::Schema whole_body() { return api::Schema(where_fields).plus(day_fields()).plus(entry_fields()); }

void add_reading(api::RouteTable& routes, const Desk& desk) {
    routes.add({.method = Method::get,
                .path = "/itineraries",
                .who = may_read(),
                .summary = "List a trip's itinerary: each day followed by its entries, in order.",
                .query = {{.name = "trip_id", .type = api::id(), .help = "Id of the trip.", .required = true}},
                .answer = api::list(entry_answer()),
                .errors = {&errc::trip_not_found},
                .handle = [desk](const Request& request) { return list(desk, request); }});
    routes.add({.method = Method::get,
                .path = "/itineraries/{id}",
                .who = may_read(),
                .summary = "Return an entry, or a day with mode=day.",
                .query = mode_field,
                .answer = entry_answer(),
                .errors = {&errc::not_found},
                .handle = [desk](const Request& request) { return read(desk, request); }});
    routes.add(
        {.method = Method::get,
         .path = "/itineraries/day-entry-by-day-id/{day_id}",
         .name = "getItineraryDayEntry",
         .who = may_read(),
         .summary = "Return the id for reading a day with mode=day; null if the day does not exist.",
         .answer = api::object({{.name = "day_entry_id", .type = api::id().or_null()}}),
         .handle = [desk](const Request& request) {
             const auto day = desk.itineraries.day(request.path_id("day_id"));
             return api::ok(json::Value::object({{"day_entry_id", day ? json::Value(day->day.id) : json::Value()}}));
         }});
}

void add_removing(api::RouteTable& routes, const Desk& desk) {
    routes.add({.method = Method::del,
                .path = "/itineraries/{id}",
                .who = may_write(),
                .summary = "Delete an entry, or a day with its entries with mode=day.",
                .query = mode_field,
                .answer = api::deleted(),
                .errors = {&errc::not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [desk](const Request& request) { return remove(desk, request); }});
    const api::Type ids = api::list(api::id(), 500);
    routes.add(
        {.method = Method::del,
         .path = "/itineraries",
         .who = may_write(),
         .summary = "Delete entries, and days with their entries; unknown ids count as failed.",
         .body = {{.name = "ids", .type = ids, .help = "Entries."}, {.name = "day_ids", .type = ids, .help = "Days."}},
         .answer =
             api::object({{.name = "deleted", .type = api::integer(0)}, {.name = "failed", .type = api::integer(0)}}),
         .errors = {&errc::conflict},
         .stores_reply = true,
         .handle = [desk](const Request& request) { return remove_many(desk, request); }});
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& itineraries, const media::Service& media) {
    const Desk desk{itineraries, media};
    add_reading(routes, desk);
    const api::Schema of_trip{
        {.name = "trip_id", .type = api::id(), .help = "Id of the trip.", .required = true},
        {.name = "mode",
         .type = api::choice({"activity", "day"}),
         .help = "What to add; defaults to a day, or to an entry if an item type or item is sent."}};
    routes.add({.method = Method::post,
                .path = "/itineraries",
                .who = may_write(),
                .summary = "Add an entry or a day to a trip's itinerary.",
                .body = api::Schema(of_trip).plus(whole_body()),
                .answer = api::object("WrittenItineraryEntry", entry_answer().members->plus(html::warnings_field())),
                .success = 201,
                .errors = {&errc::conflict},
                .stores_reply = true,
                .handle = html::naming_refused_by(desk, create),
                .rules = [desk](const Request& request) { return faults_of_new(desk, request); },
                .beside = compared});
    routes.add({.method = Method::put,
                .path = "/itineraries/{id}",
                .who = may_write(),
                .summary = "Update an entry, or a day with mode=day; sending another day moves the entry.",
                .query = written_mode(),
                .body = written_mode().plus(whole_body()),
                .answer = api::object("WrittenItineraryEntry", entry_answer().members->plus(html::warnings_field())),
                .errors = {&errc::not_found, &errc::conflict},
                .stores_reply = true,
                .handle = html::naming_refused_by(desk, update),
                .rules = [desk](const Request& request) { return faults_of_change(desk, request); },
                .beside = compared});
    routes.add({.method = Method::put,
                .path = "/itineraries/day/{day_id}/activities/bulk",
                .name = "bulkUpdateItineraryDay",
                .who = may_write(),
                .summary = "Create and update entries of a day; reports invalid entries by index, saves the others.",
                .body = {{.name = "trip_id", .type = api::id(), .help = "The day's trip; looked up when absent."},
                         {.name = "activities",
                          .type = api::list(api::anything(), most_entries, 1),
                          .help = "Entries as for POST /itineraries; with an id, that entry is updated.",
                          .required = true}},
                .answer = bulk_answer(),
                .errors = {&errc::not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [desk](const Request& request) { return bulk(desk, request); }});
    add_removing(routes, desk);
}

}  // namespace svc::catalog::itineraries
