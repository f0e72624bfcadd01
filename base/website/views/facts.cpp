// Facts for tags, and the consent that goes along with a booking.
#include "base/website/views/facts.hpp"

#include "base/sales/booking/record/tracking_consent.hpp"
#include "base/website/views/booked.hpp"

namespace svc::pages {
namespace {

using json::Value;

Value item_of(const Value& trip) {
    Value item = Value::object({{"id", std::to_string(trip["id"].integer())}, {"name", trip["title"]}});
    if (trip["display_price"].is_number())
        item.set("price", trip["display_price"]);
    item.set("currency", trip["currency"]);
    return item;
}

// "GA1.1.1234567890.1700000000": the last two numbers.
std::string ga_client_id(const HttpRequest& http) {
    const std::string cookie = cookie_in(http, "_ga");
    const auto last = cookie.rfind('.');
    const auto before = last == std::string::npos || last == 0 ? last : cookie.rfind('.', last - 1);
    std::string id = before == std::string::npos || last == 0 ? std::string() : cookie.substr(before + 1);
    return booking::is_ga_client_id(id) ? id : std::string();
}

void set_meta_browser(const HttpRequest& http, const char* member, const char* cookie, Value& consent) {
    if (std::string id = cookie_in(http, cookie); booking::is_meta_browser(id))
        consent.set(member, std::move(id));
}

bool is_purchase(const Value& booking) {
    const std::string status = booking.text_or("status");
    return status == "confirmed" || status == "completed" || (status == "pending" && is_some(booking["amount_paid"]));
}

}  // namespace

void add_view_facts(const PageRequest& visit, const Value& trip, View& view) {
    if (visit.consent.any())
        view.facts.set("view", Value::object({{"item", item_of(trip)}}));
}

void add_begin_facts(const PageRequest& visit, const Value& trip, const Value& quote, View& view) {
    if (!visit.consent.any())
        return;
    Value begin = Value::object({{"item", item_of(trip)}, {"currency", trip["currency"]}});
    if (quote["final_total"].is_number()) {
        begin.set("value", quote["final_total"]);
        begin.set("currency", quote["currency"]);
    }
    view.facts.set("begin", std::move(begin));
}

void add_purchase_facts(const Views& views, const PageRequest& visit, const Value& booking, View& view) {
    if (!visit.consent.any() || visit.http.method != "GET" || !is_purchase(booking))
        return;
    using booking::TrackingConsents;
    const std::int64_t id = booking["id"].integer();
    const auto allowed = views.site.store.reading<std::optional<TrackingConsents::Allowed>>(
        [&](store::Session& session) { return TrackingConsents::find(session, id); });
    if (!allowed || allowed->purchase_shown ||
        !((allowed->analytics && visit.consent.analytics) || (allowed->marketing && visit.consent.marketing)))
        return;
    const auto first = views.site.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        return TrackingConsents::note_purchase_shown(tx, id, views.site.clock.now());
    });
    if (!first || !*first)
        return;
    view.facts.set("purchase",
                   Value::object({{"reference", booking["reference"]},
                                  {"currency", booking["currency"]},
                                  {"value", booking["total"]},
                                  {"tax", booking["tax_amount"]},
                                  {"coupon", booking["discount_code"]},
                                  {"item", Value::object({{"id", std::to_string(booking["trip_id"].integer())},
                                                          {"name", booking["trip_title"]},
                                                          {"quantity", booking["travelers_count"]}})},
                                  {"travel_date", booking["travel_date"]}}));
}

Value consent_body(const PageRequest& visit) {
    if (!visit.consent.any())
        return {};
    Value consent = Value::object({{"analytics", visit.consent.analytics},
                                   {"marketing", visit.consent.marketing},
                                   {"decided_at", Instant::from_micros(visit.consent.decided_at * 1'000'000)}});
    if (visit.consent.analytics)
        if (std::string id = ga_client_id(visit.http); !id.empty())
            consent.set("ga_client_id", std::move(id));
    if (visit.consent.marketing) {
        set_meta_browser(visit.http, "fbp", "_fbp", consent);
        set_meta_browser(visit.http, "fbc", "_fbc", consent);
    }
    return consent;
}

}  // namespace svc::pages
