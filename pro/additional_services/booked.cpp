// Stores and lists what bookings bought.
#include "pro/additional_services/booked.hpp"

#include <algorithm>

#include "shared/store/typed.hpp"

namespace svc::pro::additional_services {
namespace {

Money amount_in(const json::Value& given, Currency currency) {
    const auto money =
        given.is_number() ? Money::parse(given.number_text(), currency) : Result<Money>(Money::zero(currency));
    return money ? *money : Money::zero(currency);
}

BookedService booked_from(const json::Value& line, std::int64_t booking_id, Currency currency) {
    const auto at_least_one = [&](const char* name) {
        return std::max<std::int64_t>(1, line.maybe_integer(name).value_or(1));
    };
    BookedService booked{.booking_id = booking_id,
                         .service_id = line.maybe_integer("id"),
                         .name = line.text_or("name"),
                         .price_per = line.text_or("price_per", "booking"),
                         .currency = currency,
                         .unit = amount_in(line["unit_price"], currency),
                         .amount = amount_in(line["calculated_price"], currency),
                         .quantity = at_least_one("quantity"),
                         .days = at_least_one("days"),
                         .is_required = line.maybe_boolean("is_required").value_or(false),
                         .is_included = line.maybe_boolean("is_included").value_or(false)};
    if (line.text_or("price_type") != "percentage") {
        booked.price = amount_in(line["price"], currency);
        return booked;
    }
    booked.price_type = "percentage";
    if (line["price"].is_number())
        if (const auto rate = Rate::parse_percent(line["price"].number_text()))
            booked.rate = *rate;
    return booked;
}

}  // namespace

void store_booked(store::Transaction& tx, std::int64_t booking_id, const json::Value& services, Instant now) {
    tx.run("DELETE FROM svc_booking_services WHERE booking_id = :id", {{"id", booking_id}});
    const auto code =
        store::value<std::string>(tx, "SELECT currency FROM svc_booking_v1 WHERE id = :id", {{"id", booking_id}});
    const auto currency = Currency::parse(code.value_or(""));
    if (!currency || !services.is_array())
        return;
    for (const json::Value& line : services.items()) {
        const auto id = line.maybe_integer("id");
        const bool ours =
            id && tx.number("SELECT COUNT(*) FROM svc_additional_services WHERE id = :id", {{"id", *id}}) > 0;
        if (!ours || !line["calculated_price"].is_number())
            continue;
        auto booked = booked_from(line, booking_id, *currency);
        booked_record().insert(tx, booked, {.now = now});
    }
}

json::Value booked_services(store::Session& session, std::int64_t booking_id) {
    static const std::string of_booking = booked_record().select("WHERE r.booking_id = :id ORDER BY r.id");
    json::Value services = json::Value::array();
    for (const BookedService& each : booked_record().all(session, of_booking, {{"id", booking_id}})) {
        const bool is_share = each.price_type == "percentage";
        services.push(json::Value::object(
            {{"id", each.service_id},
             {"name", each.name},
             {"price", is_share ? json::Value(each.rate) : json::Value(each.price.value_or(each.unit))},
             {"price_type", each.price_type},
             {"price_per", each.price_per},
             {"unit_price", each.unit},
             {"quantity", each.quantity},
             {"days", each.days},
             {"calculated_price", each.amount},
             {"selected", !each.is_required && !each.is_included},
             {"is_required", each.is_required},
             {"is_included", each.is_included}}));
    }
    return services;
}

}  // namespace svc::pro::additional_services
