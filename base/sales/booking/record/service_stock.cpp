// Asks those who sell services.
#include "base/sales/booking/record/service_stock.hpp"

#include "base/sales/booking/record/wire.hpp"

namespace svc::booking {

Result<void> services_fit(const hooks::Hooks& hooks, store::Transaction& tx, const Booking& booking) {
    if (!hooks.filtered(services_short.name))
        return {};
    const json::Value lacking = hooks.apply(services_short, json::Value::array(), {booking.id, to_json(booking)}, &tx);
    if (!lacking.is_array() || lacking.size() == 0)
        return {};
    const json::Value& first = lacking[std::size_t{0}];
    const std::int64_t left = first.maybe_integer("left").value_or(0);
    return Error{
        errc::conflict,
        "That departure has only {left} left of the service \"{service}\". Take it out of the booking first."_sentence
            .with("left", left)
            .with("service", first.text_or("name"))};
}

}  // namespace svc::booking
