// RouteSpecs of travelers: of one booking, and of all bookings with their export.
#include <algorithm>

#include "base/platform/sheets/saved_file.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/desk/traveler_columns.hpp"
#include "base/sales/booking/record/masking.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/api/bulk.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/period.hpp"
#include "shared/core/text.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr std::int64_t travelers_a_page = 1'000;
constexpr std::size_t most_columns = 200;
const char* const xlsx_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

Result<TravelerFilter> traveler_filter_of(const Request& request, const Zone& zone) {
    const Value& query = request.query;
    SVC_ASSIGN_OR_RETURN(const auto created_in, api::period_of(query, zone));
    TravelerFilter filter{.search = text::strip_invisible(query.text_or("search")),
                          .trip_id = query.maybe_integer("trip_id"),
                          .booking_id = query.maybe_integer("booking_id"),
                          .departure_id = query.maybe_integer("departure_id"),
                          .booking_status = status_filter(query),
                          .ended_too = query.text_or("status") == "all",
                          .from = created_in.from,
                          .to = created_in.to,
                          .guide_id = api::guided_by(request.caller)};
    if (const auto day = query.maybe_text("travel_date"))
        filter.travel_date = Date::parse(*day);
    return filter;
}

std::string cell_text(const Value& value) {
    return value.is_string() ? value.text() : value.is_null() ? "" : value.dump();
}

// All travelers of a list, page by page.
class TravelerPages {
  public:
    TravelerPages(const DeskRoutes& staff, const TravelerFilter& filter, const api::Page& page, bool sees_sealed)
        : staff_(staff), filter_(filter), page_(page), sees_sealed_(sees_sealed) {
        page_.per_page = travelers_a_page;
        page_.page = 0;
    }
    const ListedTraveler* next() {
        if (at_ == travelers_.size()) {
            if (is_last_)
                return nullptr;
            ++page_.page;
            travelers_ = staff_.lists.travelers(filter_, page_).first;
            if (!sees_sealed_)
                for (ListedTraveler& each : travelers_)
                    each.traveler.fields = masked_answers(std::move(each.traveler.fields));
            contacts_ = staff_.lists.contacts(travelers_);
            is_last_ = travelers_.size() < static_cast<std::size_t>(travelers_a_page);
            at_ = 0;
        }
        return at_ == travelers_.size() ? nullptr : &travelers_[at_++];
    }
    [[nodiscard]] Lists::Contact contact_of(const ListedTraveler& traveler) const {
        const auto found = contacts_.find(traveler.booking_id);
        return found == contacts_.end() ? Lists::Contact{} : found->second;
    }

  private:
    const DeskRoutes& staff_;
    const TravelerFilter& filter_;
    api::Page page_;
    bool sees_sealed_;
    std::vector<ListedTraveler> travelers_;
    std::map<std::int64_t, Lists::Contact> contacts_;
    std::size_t at_ = 0;
    bool is_last_ = false;
};

// The distinct fields of all forms, in order of first appearance.
std::vector<std::string> asked_of(TravelerPages pages) {
    std::vector<std::string> names;
    while (const ListedTraveler* one = pages.next())
        for (const auto& [name, value] : one->traveler.fields.members())
            if (names.size() < most_columns && std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
    return names;
}

std::vector<sheets::Cell> cells_of(const ListedTraveler& one, const Lists::Contact& contact,
                                   const std::vector<std::string>& fields) {
    std::vector<sheets::Cell> row{one.booking_reference,
                                  sheets::Cell::number(one.traveler.id),
                                  one.booking_status,
                                  one.trip_title,
                                  sheets::Cell::date(one.travel_date),
                                  sheets::Cell::number(one.traveler.index),
                                  one.traveler.is_lead ? "yes" : "no",
                                  contact.email,
                                  contact.phone};
    for (const std::string& name : fields)
        row.push_back(cell_text(one.traveler.fields[name]));
    return row;
}

api::Field format_field() {
    return {.name = "format",
            .type = api::choice({"json", "csv", "xlsx"}),
            .help =
                "csv and xlsx return a file of all matches, regardless of the page, with the contact's address and "
                "telephone."};
}

Reply exported(const DeskRoutes& staff, const TravelerFilter& filter, const api::Page& page, const Request& request) {
    const std::string format = request.query.text_or("format");
    const bool is_csv = format == "csv";
    Reply reply;
    staff.lists.in_one_state([&] {
        TravelerPages pages(staff, filter, page, api::may_read_sealed(request.caller));
        const std::vector<std::string> fields = asked_of(pages);
        sheets::Rows rows{.name = "Travelers",
                          .head = {traveler_columns.begin(), traveler_columns.end()},
                          .next = [&](std::vector<sheets::Cell>& row) {
                              const ListedTraveler* one = pages.next();
                              if (one)
                                  row = cells_of(*one, pages.contact_of(*one), fields);
                              return one != nullptr;
                          }};
        for (const std::string& field : fields)
            rows.head.push_back(column_of_answer(field));
        reply.file = sheets::saved_file(rows, is_csv ? sheets::Format::csv : sheets::Format::xlsx);
    });
    reply.content_type = is_csv ? "text/csv; charset=utf-8" : xlsx_type;
    reply.headers = {{"Content-Disposition", "attachment; filename=\"travelers." + format + "\""},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Cache-Control", "private, no-store"}};
    return reply;
}

Reply list_travelers(const DeskRoutes& staff, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto filter, traveler_filter_of(request, staff.lists.zone()));
    const api::Page page = api::page_of(*request.route, request.query).value();
    if (request.query.text_or("format", "json") != "json")
        return exported(staff, filter, page, request);
    const auto [found, total] = staff.lists.travelers(filter, page);
    Value items = json::array_of(
        found, [&](const ListedTraveler& traveler) { return traveler_for(request.caller, to_json(traveler)); });
    Value trips = Value::array();
    for (const auto& [id, title] : staff.lists.booked_trips())
        trips.push(Value::object({{"id", id}, {"title", title}}));
    Reply reply = api::list_reply(std::move(items), page, total);
    reply.more_meta = Value::object({{"available_trips", std::move(trips)}});
    return reply;
}

void add_of_booking(api::RouteTable& routes, const DeskRoutes& staff) {
    routes.add({.method = Method::get,
                .path = "/bookings/{id}/travellers",
                .who = Permission::can("svc_view_bookings"),
                .summary = "List a booking's travelers.",
                .query = {format_field()},
                .answer = api::list(traveler_answer(), 10'000),
                .files = {"text/csv", xlsx_type},
                .errors = {&errc::booking_not_found},
                .handle = [staff](const Request& request) -> Reply {
                    const auto booking = staff.records.seen(request.path_id(), request.caller);
                    if (booking && request.query.text_or("format", "json") != "json")
                        return exported(staff, TravelerFilter{.booking_id = booking->id},
                                        {.ascending = true, .order_by = "id"}, request);
                    return booking
                               ? api::ok(booking_for(request.caller, staff.records.detail(*booking, true))["travelers"])
                               : api::failed(errc::booking_not_found);
                }});
    routes.add({.method = Method::put,
                .path = "/bookings/{id}/travellers",
                .who = Permission::can("svc_edit_bookings"),
                .summary = "Replace a booking's travelers; the first is the lead traveler.",
                .body = {{.name = "travelers",
                          .type = api::list(api::map(api::anything()), 1000, 1),
                          .help = "At most as many travelers as were booked.",
                          .required = true,
                          .also = {"travellers"}},
                         {.name = "row_version",
                          .type = api::integer(1),
                          .help = "The version that was read; returns 409 if the booking changed since."}},
                .answer = api::list(traveler_answer(), 10'000),
                .errors = {&errc::booking_not_found, &errc::conflict, &errc::group_size},
                .stores_reply = true,
                .handle = [staff](const Request& request) -> Reply {
                    Edit edit;
                    edit.travelers = request.body["travelers"];
                    SVC_ASSIGN_OR_RETURN(edit.row_version,
                                         api::required_version(request, [&]() -> std::optional<std::int64_t> {
                                             const auto booking = staff.records.seen(request.path_id(), request.caller);
                                             return booking ? std::optional(booking->row_version) : std::nullopt;
                                         }));
                    const auto keeping =
                        api::StoreReply::of<Booking>(request, [&](store::Transaction& tx, const Booking& booking) {
                            return api::ok(booking_for(request.caller, staff.records.detail(tx, booking))["travelers"]);
                        });
                    return api::respond(
                        staff.desk.edit(request.path_id(), edit, staff_of(request)), [&](const Booking& booking) {
                            return api::ok(
                                booking_for(request.caller, staff.records.detail(booking, true))["travelers"]);
                        });
                }});
}

}  // namespace

void add_traveler_routes(api::RouteTable& routes, const DeskRoutes& staff) {
    add_of_booking(routes, staff);
    routes.add(
        {.method = Method::get,
         .path = "/travelers",
         .who = Permission::can("svc_view_bookings"),
         .summary = "List travelers of active bookings; use status, also all, to include cancelled, refunded or"
                    " failed ones. search matches all fields; status, from and to refer to the booking.",
         .query =
             api::Schema{
                 {.name = "trip_id", .type = api::id(), .help = "Only travelers of this trip."},
                 {.name = "booking_id", .type = api::id(), .help = "Only travelers of this booking."},
                 {.name = "departure_id", .type = api::id(), .help = "Only travelers with a seat on this departure."},
                 {.name = "travel_date", .type = api::date(), .help = "Only travelers of this travel date."},
                 format_field()}
                 .plus(api::period_fields()),
         .is_list = true,
         .sortable = traveler_sort_keys(),
         .statuses = listed_statuses(false),
         .answer = api::with_meta(api::list(listed_traveler_answer()),
                                  {{.name = "available_trips",
                                    .type = api::list(api::object({{.name = "id", .type = api::id(), .required = true},
                                                                   {.name = "title", .type = api::text(255)}})),
                                    .help = "Trips with bookings."}}),
         .files = {"text/csv", xlsx_type},
         .handle = [staff](const Request& request) { return list_travelers(staff, request); }});
    routes.add({.method = Method::put,
                .path = "/travelers/bulk",
                .who = Permission::can("svc_edit_bookings"),
                .summary = "Remove many travelers; lead travelers of active bookings are kept.",
                .body = bulk_fields({"delete"}),
                .answer = bulk_answer(),
                .repeats_safely = true,
                .handle = [staff](const Request& request) {
                    return api::respond(api::bulk_ids_of(request.body), [&](const std::vector<std::int64_t>& ids) {
                        return api::ok(bulk_json("delete", staff.lists.remove_travelers(ids), request));
                    });
                }});
}

}  // namespace svc::booking
