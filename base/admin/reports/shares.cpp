// Statements of reports that look past the bookings of the span: taxes, destinations, customers, other currencies.
#include <algorithm>

#include "base/admin/reports/booking_facts.hpp"
#include "base/admin/reports/statements.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::reports {
namespace {

#define SVC_SOLD SVC_COUNTED " AND " SVC_STANDS

}  // namespace

std::vector<TaxFigure> taxes(store::Session& session, const ReportFilter& filter) {
    static constexpr auto statement =
        SVC_OWN_BY_SPAN(SVC_DOCUMENT_DAYS_OF_SPAN,
                        "SELECT x.label, COUNT(DISTINCT d.booking_id), CAST(SUM(x.amount_minor) AS BIGINT) AS amount"
                        " FROM " SVC_ISSUED_TAXES " WHERE",
                        "GROUP BY x.label ORDER BY amount DESC, x.label");
    return store::all_rows(session, chosen(statement, filter), span_params(filter),
                           [](const std::string& label, std::int64_t bookings, std::int64_t amount) {
                               return TaxFigure{label, bookings, amount};
                           });
}

std::vector<Share> by_destination(store::Session& session, const std::vector<DayOfBookings>& days) {
    std::map<std::int64_t, Share> trips;
    for (const DayOfBookings& day : days)
        if (day.is_booked()) {
            trips[day.trip_id].bookings += day.bookings;
            trips[day.trip_id].total += day.total;
        }
    std::vector<std::int64_t> ids;
    for (const auto& [id, share] : trips)
        ids.push_back(id);
    std::map<std::int64_t, Share> places;
    store::each_row_of(
        session,
        SVC_BY_IDS("SELECT t.trip_id, c.id, c.name FROM svc_trip_classifications t JOIN"
                   " svc_classifications c ON c.id = t.classification_id AND c.type = 'destination' WHERE",
                   "t.trip_id", ""),
        ids, [&](std::int64_t trip, std::int64_t id, const std::string& name) {
            Share& place = places[id];
            place.name = name;
            place.bookings += trips[trip].bookings;
            place.total += trips[trip].total;
        });
    std::vector<Share> all;
    for (auto& [id, place] : places)
        all.push_back(std::move(place));
    std::stable_sort(all.begin(), all.end(), [](const Share& a, const Share& b) {
        return a.bookings != b.bookings ? a.bookings > b.bookings : a.name < b.name;
    });
    all.resize(std::min<std::size_t>(all.size(), 20));
    return all;
}

std::map<std::int64_t, std::string> category_names(store::Session& session, const std::vector<std::int64_t>& ids) {
    std::map<std::int64_t, std::string> names;
    store::each_row_of(session, SVC_BY_IDS("SELECT id, name FROM svc_classifications WHERE", "id", ""), ids,
                       [&](std::int64_t id, const std::string& name) { names[id] = name; });
    return names;
}

std::int64_t customers_returning(store::Session& session, const std::vector<CustomerSums>& customers) {
    std::int64_t returning = 0;
    std::map<std::int64_t, std::int64_t> first_bookings;  // of who has booked once in the span
    std::vector<std::int64_t> ids;
    for (const CustomerSums& one : customers)
        if (one.bookings > 1)
            ++returning;
        else {
            first_bookings[one.id] = one.first_booking;
            ids.push_back(one.id);
        }
    std::sort(ids.begin(), ids.end());
    // Beside each other in the index of customers, whose bookings' status it has.
    store::each_row_of(
        session,
        SVC_BY_IDS("SELECT b.customer_id, MIN(b.id) FROM svc_bookings b WHERE " SVC_STANDS " AND", "b.customer_id",
                   "GROUP BY b.customer_id"),
        ids, [&](std::int64_t customer, std::int64_t first) { returning += first < first_bookings[customer] ? 1 : 0; });
    return returning;
}

std::int64_t customers_of(store::Session& session, const ReportFilter& filter) {
    static constexpr auto statement =
        SVC_BY_SPAN("SELECT COUNT(DISTINCT b.customer_id) FROM svc_bookings b WHERE " SVC_SOLD " AND", "");
    return session.number(chosen(statement, filter), span_params(filter));
}

std::vector<TopCustomer> top_customers(store::Session& session, std::vector<CustomerSums> customers, std::size_t most) {
    std::sort(customers.begin(), customers.end(), [](const CustomerSums& a, const CustomerSums& b) {
        return a.total != b.total ? a.total > b.total : a.id < b.id;
    });
    customers.resize(std::min(customers.size(), most));
    std::vector<std::int64_t> ids;
    for (const CustomerSums& one : customers)
        ids.push_back(one.id);
    std::map<std::int64_t, TopCustomer> named;
    store::each_row_of(
        session, SVC_BY_IDS("SELECT id, first_name || ' ' || last_name, email FROM svc_customers WHERE", "id", ""), ids,
        [&](std::int64_t id, const std::string& name, const std::string& email) {
            named[id] = {id, name, email};
        });
    std::vector<TopCustomer> all;
    for (const CustomerSums& one : customers) {
        TopCustomer& top = all.emplace_back(named[one.id]);
        top.id = one.id;
        top.bookings = one.bookings;
        top.total = one.total;
    }
    return all;
}

std::vector<Share> other_currencies(store::Session& session, const ReportFilter& filter) {
    static constexpr auto statement = SVC_BY_SPAN(
        "SELECT b.currency, COUNT(*), CAST(SUM(b.total_minor) AS BIGINT) FROM svc_bookings b WHERE"
        " b.currency <> :currency AND b.status <> 'trash' AND",
        "GROUP BY 1 ORDER BY 1");
    return store::all_rows(session, chosen(statement, filter), span_params(filter),
                           [](const std::string& name, std::int64_t bookings, std::int64_t total) {
                               return Share{name, bookings, total};
                           });
}

}  // namespace svc::reports
