// Stores the ids of events.
#include "base/sales/booking/checkout/cart_event.hpp"

namespace svc::booking {

api::Field cart_event_field() {
    return {.name = "cart_event_id",
            .type = api::text(64),
            .help =
                "The id by which the browser of a visitor who allowed it reported add_to_cart: 8 to 64 small letters, "
                "digits"
                " and hyphens. Others are ignored. The server's report has the same id."};
}

bool is_cart_event(std::string_view text) {
    return text.size() >= 8 && text.size() <= 64 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

Result<void> keep_cart_event(store::Store& store, std::int64_t session_id, std::string_view event_id, Instant now) {
    if (!is_cart_event(event_id))
        return {};
    return store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run(
            "INSERT INTO svc_checkout_events (session_id, event_id, created_at) VALUES (:session, :event, :now)"
            " ON CONFLICT (session_id) DO NOTHING",
            {{"session", session_id}, {"event", event_id}, {"now", now}});
        return {};
    });
}

}  // namespace svc::booking
