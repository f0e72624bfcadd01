// Sections of reports that are lists.
#include <algorithm>

#include "base/admin/reports/writer.hpp"

namespace svc::reports {

using json::Value;

void Writer::booking_trend() {
    std::map<Date, BookingTotals> parts;
    for (const Date first : parts_of(query_.filter.span, query_.by))
        parts[first];
    for (const DayOfBookings& day : now_.bookings())
        parts[part_of(day.day, query_.by)].add(day);
    Table& list = table("booking_trend", {{"date", "From"},
                                          {"bookings", "Bookings"},
                                          {"booked", "Booked"},
                                          {"cancelled", "Cancelled"},
                                          {"travelers", "Travelers"}});
    if (query_.money)
        list.columns.push_back({"booked_value", "Booked value"});
    for (const auto& [date, is] : parts) {
        auto& row =
            list.rows.emplace_back(std::vector<Value>{date, is.bookings, is.booked, is.cancelled, is.travelers});
        if (query_.money)
            row.push_back(money(is.booked_value));
    }
}

void Writer::status_trend() {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> by;
    for (const DayOfBookings& day : now_.bookings()) {
        by[day.status].first += day.bookings;
        by[day.status].second += day.total;
    }
    Table& list = table("status_trend", {{"status", "Status"}, {"bookings", "Bookings"}});
    if (query_.money)
        list.columns.push_back({"total", "Total"});
    for (const auto& [status, sums] : by) {
        auto& row = list.rows.emplace_back(std::vector<Value>{status, sums.first});
        if (query_.money)
            row.push_back(money(sums.second));
    }
}

void Writer::revenue_trend() {
    struct Part {
        std::int64_t payments = 0, paid = 0, refunds = 0, refunded = 0;
    };
    std::map<Date, Part> parts;
    for (const Date first : parts_of(query_.filter.span, query_.by))
        parts[first];
    for (const DayOfMoney& day : now_.payments()) {
        Part& part = parts[part_of(day.day, query_.by)];
        part.payments += day.count;
        part.paid += day.amount;
    }
    for (const DayOfMoney& day : now_.refunds()) {
        Part& part = parts[part_of(day.day, query_.by)];
        part.refunds += day.count;
        part.refunded += day.amount;
    }
    Table& list = table("revenue_trend", {{"date", "From"},
                                          {"payments_count", "Payments"},
                                          {"payments", "Paid"},
                                          {"refunds_count", "Refunds"},
                                          {"refunds", "Refunded"},
                                          {"revenue", "Revenue"}});
    for (const auto& [date, is] : parts)
        list.rows.push_back(
            {date, is.payments, money(is.paid), is.refunds, money(is.refunded), money(is.paid - is.refunded)});
}

void Writer::payment_lists(std::string_view name) {
    if (name == "payment_status") {
        Table& list = table(name, {{"status", "Status"}, {"bookings", "Bookings"}, {"total", "Total"}, {"due", "Due"}});
        for (const PaymentState& is : now_.facts().payment_states)
            list.rows.push_back({is.status, is.bookings, money(is.total), money(is.due)});
        return;
    }
    if (name == "tax_rates") {
        Table& list = table(name, {{"label", "Tax"}, {"bookings", "Bookings"}, {"amount", "Amount"}});
        for (const TaxFigure& is : taxes(now_.session(), now_.filter()))
            list.rows.push_back({is.label, is.bookings, money(is.amount)});
        return;
    }
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> by;
    for (const DayOfMoney& day : name == "payment_methods" ? now_.payments() : now_.refunds()) {
        by[day.gateway].first += day.count;
        by[day.gateway].second += day.amount;
    }
    Table& list = table(name, {{"method", "Method"}, {"count", "Count"}, {"amount", "Amount"}});
    for (const auto& [gateway, sums] : by)
        list.rows.push_back({gateway, sums.first, money(sums.second)});
}

void Writer::origin_lists(std::string_view name) {
    const BookingFacts& facts = now_.facts();
    if (name == "cancellations") {
        Table& list = table(name, {{"via", "Cancelled by"}, {"bookings", "Bookings"}});
        for (const Cancellation& is : facts.cancellations)
            list.rows.push_back({is.via, is.bookings});
    } else if (name == "party_sizes") {
        Table& list = table(name, {{"travelers", "Travelers"}, {"bookings", "Bookings"}});
        for (const PartySize& is : facts.parties)
            list.rows.push_back({is.travelers, is.bookings});
    } else if (name == "top_customers") {
        Table& list = table(name, {{"customer_id", "Customer"},
                                   {"name", "Name"},
                                   {"email", "E-mail"},
                                   {"bookings", "Bookings"},
                                   {"total", "Total"}});
        for (const TopCustomer& is : top_customers(now_.session(), facts.customers, 50))
            list.rows.push_back({is.id, is.name, is.email, is.bookings, money(is.total)});
    } else {
        Table& list = table(name, {{"name", "Name"}, {"bookings", "Bookings"}});
        if (query_.money)
            list.columns.push_back({"total", "Total"});
        const auto shares = name == "sources"     ? facts.sources
                            : name == "countries" ? facts.countries
                                                  : by_destination(now_.session(), facts.days);
        for (const Share& is : shares) {
            auto& row = list.rows.emplace_back(std::vector<Value>{is.name, is.bookings});
            if (query_.money)
                row.push_back(money(is.total));
        }
    }
}

}  // namespace svc::reports
