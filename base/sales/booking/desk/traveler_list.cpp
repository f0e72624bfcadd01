// SQL of the travelers of all bookings, as staff list them.
#include "base/sales/booking/desk/repository.hpp"
#include "base/sales/booking/record/guided.hpp"
#include "base/sales/booking/record/traveler_row.hpp"
#include "shared/core/words.hpp"
#include "shared/record/rows.hpp"
#include "shared/store/like.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

// Filters of a list of travelers; an absent value disables its condition.
#define SVC_TRAVELER_WHERE                                                                         \
    " WHERE b.status <> 'trash'"                                                                   \
    " AND (:status = '' OR b.status = :status_is)"                                                 \
    " AND (CAST(:ended_too AS BIGINT) = 1 OR b.status NOT IN ('cancelled', 'refunded', 'failed'))" \
    " AND b.created_at >= :from AND b.created_at < :to"                                            \
    " AND (CAST(:trip_id AS BIGINT) = 0 OR b.trip_id = :trip_id_is)"                               \
    " AND (CAST(:booking_id AS BIGINT) = 0 OR r.booking_id = :booking_id_is)"                      \
    " AND (:travel_date = '' OR b.travel_date = :travel_date_is)"                                  \
    " AND (CAST(:departure_id AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM svc_booking_departures l"    \
    " WHERE l.booking_id = b.id AND l.departure_id = :departure_id_is AND l.released_at IS NULL))" \
    " AND (:search = '' OR r.search LIKE :search_like ESCAPE '\\' OR b.search LIKE :search_too ESCAPE '\\')"

// A traveler with the booking's columns that lists show.
struct ListedRow {
    TravelerRow row;
    std::int64_t trip_id = 0;
    std::string reference, status, trip_title;
    Date travel_date{};

    [[nodiscard]] ListedTraveler to_listed(const Sealing* sealing) const {
        return {.traveler = row.traveler(sealing),
                .booking_id = row.booking_id,
                .trip_id = trip_id,
                .booking_reference = reference,
                .booking_status = status,
                .trip_title = trip_title,
                .travel_date = travel_date};
    }
};

const record::Rows<ListedRow>& listed_record() {
    using record::column, record::derived, record::within;
    constexpr auto row = &ListedRow::row;
    const auto text = api::raw_text(10'000);
    static const record::Rows<ListedRow> record{
        {.table = "svc_booking_travelers", .joins = "JOIN svc_bookings b ON b.id = r.booking_id"},
        {column("id", within(row, &TravelerRow::id), api::id()),
         column("booking_id", within(row, &TravelerRow::booking_id), api::id()),
         column("traveler_index", within(row, &TravelerRow::index), api::integer(1)),
         column("is_lead", within(row, &TravelerRow::is_lead), api::boolean()),
         column("fields", within(row, &TravelerRow::fields), api::map(api::anything())),
         column("sealed", within(row, &TravelerRow::sealed), text),
         column("category_id", within(row, &TravelerRow::category_id), api::id()),
         derived("trip_id", &ListedRow::trip_id, "b.trip_id", api::id()),
         derived("reference", &ListedRow::reference, "b.reference", text),
         derived("status", &ListedRow::status, "b.status", text),
         derived("trip_title", &ListedRow::trip_title, "b.trip_title", text),
         derived("travel_date", &ListedRow::travel_date, "b.travel_date", api::date())}};
    return record;
}

const record::Orders& traveler_orders() {
    static const record::Orders orders{
        "r.id", {{"created_at", {"b.created_at"}}, {"id", {"r.id"}}, {"travel_date", {"b.travel_date"}}}};
    return orders;
}

store::Params traveler_where(const TravelerFilter& filter) {
    const std::string search = text::search_key(filter.search);
    const std::string day = filter.travel_date ? filter.travel_date->text() : std::string();
    return {{"status", filter.booking_status},
            {"status_is", filter.booking_status},
            {"ended_too", filter.ended_too || !filter.booking_status.empty() || filter.booking_id},
            {"from", filter.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", filter.to.value_or(Instant::from_micros(INT64_MAX))},
            {"trip_id", filter.trip_id.value_or(0)},
            {"trip_id_is", filter.trip_id.value_or(0)},
            {"booking_id", filter.booking_id.value_or(0)},
            {"booking_id_is", filter.booking_id.value_or(0)},
            {"departure_id", filter.departure_id.value_or(0)},
            {"departure_id_is", filter.departure_id.value_or(0)},
            {"travel_date", day},
            {"travel_date_is", day},
            {"guide", filter.guide_id.value_or(0)},
            {"search", search},
            {"search_like", store::like_contains(search)},
            {"search_too", store::like_contains(search)}};
}

}  // namespace

std::vector<std::string> traveler_sort_keys() { return traveler_orders().keys(); }

std::vector<ListedTraveler> TravelerListRepository::travelers(store::Session& session, const TravelerFilter& filter,
                                                              const api::Page& page, const Sealing* sealing) {
    static const record::Head of_all{.sql = listed_record().select(SVC_TRAVELER_WHERE)};
    static const record::Head of_guide{.sql = listed_record().select(SVC_TRAVELER_WHERE SVC_AND_GUIDED)};
    store::Params params = traveler_where(filter);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    const auto statement = traveler_orders().page(filter.guide_id ? of_guide : of_all, page.order_by, page.ascending);
    std::vector<ListedTraveler> travelers;
    for (const ListedRow& row : listed_record().all(session, statement, params))
        travelers.push_back(row.to_listed(sealing));
    return travelers;
}

std::int64_t TravelerListRepository::count(store::Session& session, const TravelerFilter& filter) {
#define SVC_TRAVELERS_COUNTED \
    "SELECT COUNT(*) FROM svc_booking_travelers r JOIN svc_bookings b ON b.id = r.booking_id" SVC_TRAVELER_WHERE
    return session.number(filter.guide_id ? SVC_TRAVELERS_COUNTED SVC_AND_GUIDED : SVC_TRAVELERS_COUNTED,
                          traveler_where(filter));
}

std::optional<ListedTraveler> TravelerListRepository::traveler(store::Session& session, std::int64_t id,
                                                               const Sealing* sealing) {
    const auto row = listed_record().find(session, id);
    return row ? std::optional(row->to_listed(sealing)) : std::nullopt;
}

void TravelerListRepository::remove_traveler(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_booking_travelers WHERE id = :id", {{"id", id}});
}

std::map<std::int64_t, Lists::Contact> TravelerListRepository::contacts(store::Session& session,
                                                                        const std::vector<std::int64_t>& booking_ids) {
    std::map<std::int64_t, Lists::Contact> contacts;
    store::each_row_of(session, SVC_BY_IDS("SELECT id, contact_email, contact_phone FROM svc_bookings WHERE", "id", ""),
                       booking_ids, [&](std::int64_t id, const std::string& email, const std::string& phone) {
                           contacts[id] = {email, phone};
                       });
    return contacts;
}

std::vector<std::pair<std::int64_t, std::string>> TravelerListRepository::booked_trips(store::Session& session,
                                                                                       std::int64_t most) {
    return store::all_rows(
        session,
        "SELECT t.id, t.title FROM svc_trips t WHERE EXISTS (SELECT 1 FROM svc_bookings b WHERE b.trip_id = t.id)"
        " ORDER BY t.title, t.id LIMIT :most",
        {{"most", most}}, [](std::int64_t id, const std::string& title) { return std::pair(id, title); });
}

}  // namespace svc::booking
