// Who waits for seats, in the order in which the server gives them: the rows and their route.
#include <unordered_map>

#include "base/sales/booking/desk/repository.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/record/booking_record.hpp"
#include "base/sales/booking/record/guided.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/guided_amounts.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/core/text.hpp"
#include "shared/core/words.hpp"
#include "shared/record/orders.hpp"
#include "shared/store/like.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

using json::Value;

#define SVC_QUEUES                                                                                                   \
    " FROM svc_waitlist w JOIN svc_bookings b ON b.id = w.booking_id JOIN svc_departures d ON d.id = w.departure_id" \
    " WHERE w.ended_at IS NULL AND b.status = 'waitlist'"                                                            \
    " AND (CAST(:departure_id AS BIGINT) = 0 OR w.departure_id = :departure_id_is)"                                  \
    " AND (:search = '' OR b.search LIKE :search_like ESCAPE '\\')"                                                  \
    " AND w.joined_at >= :from AND w.joined_at < :to AND b.updated_at >= :updated_since"
#define SVC_QUEUED "SELECT w.booking_id, w.departure_id, w.joined_at" SVC_QUEUES
#define SVC_QUEUED_COUNTED "SELECT COUNT(*)" SVC_QUEUES

// Within a departure as availability::rows::head() takes them.
const record::Orders& queue_orders() {
    static const record::Orders orders{
        "w.id",
        {{"travel_date", {"d.start_date", "COALESCE(d.start_time, '')", "w.departure_id", "w.joined_at"}},
         {"joined_at", {"w.joined_at"}},
         {"updated_at", {"b.updated_at"}}}};
    return orders;
}

}  // namespace

std::vector<Queued> ListRepository::queues(store::Session& session, const QueueFilter& filter, const api::Page& page,
                                           std::int64_t* total) {
    static const record::Head of_all{.sql = SVC_QUEUED}, of_guide{.sql = SVC_QUEUED SVC_AND_GUIDED};
    static const record::IdStatement of_ids = booking_record().select_of("r.id", "");
    const std::string search = text::search_key(filter.search);
    store::Params params{{"departure_id", filter.departure_id.value_or(0)},
                         {"departure_id_is", filter.departure_id.value_or(0)},
                         {"search", search},
                         {"search_like", store::like_contains(search)},
                         {"from", filter.joined.from.value_or(Instant::from_micros(INT64_MIN))},
                         {"to", filter.joined.to.value_or(Instant::from_micros(INT64_MAX))},
                         {"updated_since", filter.joined.updated_since.value_or(Instant::from_micros(INT64_MIN))},
                         {"guide", filter.guide_id.value_or(0)}};
    *total = session.number(filter.guide_id ? SVC_QUEUED_COUNTED SVC_AND_GUIDED : SVC_QUEUED_COUNTED, params);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    std::vector<Queued> queued;
    std::vector<std::int64_t> ids;
    store::each_row(session, queue_orders().page(filter.guide_id ? of_guide : of_all, page.order_by, page.ascending),
                    params, [&](std::int64_t booking_id, std::int64_t departure_id, Instant joined_at) {
                        ids.push_back(booking_id);
                        queued.push_back({.booking = {}, .departure_id = departure_id, .joined_at = joined_at});
                    });
    std::unordered_map<std::int64_t, Booking> bookings;
    for (Booking& booking : booking_record().all_of(session, of_ids, ids)) {
        const std::int64_t id = booking.id;
        bookings.emplace(id, std::move(booking));
    }
    for (std::size_t at = 0; at < queued.size(); ++at)
        queued[at].booking = std::move(bookings.at(ids[at]));
    return queued;
}

std::pair<std::vector<Queued>, std::int64_t> Lists::queues(const QueueFilter& filter, const api::Page& page) const {
    return parts_.store.reading<std::pair<std::vector<Queued>, std::int64_t>>([&](store::Session& session) {
        std::pair<std::vector<Queued>, std::int64_t> found;
        found.first = ListRepository::queues(session, filter, page, &found.second);
        return found;
    });
}

void add_waiting_list_routes(api::RouteTable& routes, const DeskRoutes& staff) {
    routes.add(api::without_amounts_for_guides(
        {.method = api::Method::get,
         .path = "/waitlist",
         .who = api::Permission::can("svc_view_bookings"),
         .summary = "List the bookings that wait for seats, by departure, in the order in which they get them.",
         .query = api::period_fields()
                      .plus(api::updated_since_field())
                      .plus({{.name = "departure_id",
                              .type = api::id(),
                              .help = "Only bookings that wait for this departure."}}),
         .is_list = true,
         .sortable = queue_orders().keys(),
         .ascending = true,
         .answer = api::list(api::object(
             "WaitingBooking",
             booking_row_answer().plus(
                 {{.name = "departure_id", .type = api::id(), .help = "The departure that the booking waits for."},
                  {.name = "joined_at",
                   .type = api::instant(),
                   .help = "Since when it has waited; moving back keeps the place."}}))),
         .handle = [staff](const api::Request& request) -> api::Reply {
             const api::Page page = api::page_of(*request.route, request.query).value();
             SVC_ASSIGN_OR_RETURN(const auto joined, api::period_of(request.query, staff.lists.zone()));
             const QueueFilter filter{.search = text::strip_invisible(request.query.text_or("search")),
                                      .departure_id = request.query.maybe_integer("departure_id"),
                                      .guide_id = api::guided_by(request.caller),
                                      .joined = joined};
             const auto [queued, total] = staff.lists.queues(filter, page);
             const settings::Look look = settings::look_of(staff.settings);
             Value items = json::array_of(queued, [&](const Queued& one) {
                 Value row = to_json(one.booking, look);
                 row.set("departure_id", one.departure_id);
                 row.set("joined_at", one.joined_at);
                 return row;
             });
             return api::list_reply(std::move(items), page, total);
         }}));
}

}  // namespace svc::booking
