// The table of events.
#include "pro/tracking/catalogue.hpp"

#include <algorithm>
#include <array>

namespace svc::pro::tracking {
namespace {

// Meta has no event of its own for refunds and takes one of any name.
constexpr std::array kinds{
    EventKind{.key = "page_view",
              .google = "page_view",
              .meta = "PageView",
              .google_setting = "ga4_track_page_view",
              .meta_setting = "fb_track_page_view",
              .by_browser = true,
              .by_server = false,
              .help = "A page was opened."},
    EventKind{.key = "view_item",
              .google = "view_item",
              .meta = "ViewContent",
              .google_setting = "ga4_track_view_item",
              .meta_setting = "fb_track_view_content",
              .by_browser = true,
              .by_server = false,
              .help = "A trip's page was opened."},
    EventKind{.key = "begin_checkout",
              .google = "begin_checkout",
              .meta = "InitiateCheckout",
              .google_setting = "ga4_track_begin_checkout",
              .meta_setting = "fb_track_initiate_checkout",
              .by_browser = true,
              .by_server = false,
              .help = "A booking was begun."},
    EventKind{.key = events::add_to_cart,
              .google = "add_to_cart",
              .meta = "AddToCart",
              .google_setting = "ga4_track_add_to_cart",
              .meta_setting = "fb_track_add_to_cart",
              .by_browser = true,
              .by_server = true,
              .help = "Date and travelers were chosen. This server reports it to Meta too, once the booking is made."},
    // Not by the browser: no script of a partner runs on pages where names and cards are typed.
    EventKind{.key = events::add_payment_info,
              .google = "add_payment_info",
              .meta = "AddPaymentInfo",
              .google_setting = "ga4_track_add_payment_info",
              .meta_setting = "fb_track_add_payment_info",
              .by_browser = false,
              .by_server = true,
              .help = "A payment of a booking was begun: once for each booking."},
    EventKind{.key = events::purchase,
              .google = "purchase",
              .meta = "Purchase",
              .google_setting = "ga4_track_purchase",
              .meta_setting = "fb_track_purchase",
              .by_browser = true,
              .by_server = true,
              .help = "A booking was paid for the first time, or confirmed: once for each booking, with its total."},
    EventKind{.key = events::refund,
              .google = "refund",
              .meta = "Refund",
              .google_setting = "ga4_track_refund",
              .meta_setting = "fb_track_refund",
              .by_browser = false,
              .by_server = true,
              .help = "A payment was refunded: once for each refund, with its amount."}};

}  // namespace

std::span<const EventKind> event_kinds() { return kinds; }

const EventKind* find_event(std::string_view key) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const EventKind& kind) { return kind.key == key; });
    return found == kinds.end() ? nullptr : &*found;
}

bool is_by_server(const EventKind& kind, const Partner& partner) {
    return kind.by_server && (partner.key == meta.key || !kind.by_browser || kind.key == events::purchase);
}

std::string_view name_at(const EventKind& kind, const Partner& partner) {
    return partner.key == meta.key ? kind.meta : kind.google;
}

std::string_view setting_at(const EventKind& kind, const Partner& partner) {
    return partner.key == meta.key ? kind.meta_setting : kind.google_setting;
}

}  // namespace svc::pro::tracking
