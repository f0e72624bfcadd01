// Reads the row of a link and prices it anew.
#include "pro/abandoned_bookings/recovery.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

std::optional<Money> total_in(const Value& quote) {
    const auto currency = Currency::parse(quote.text_or("currency"));
    if (!currency || !quote["final_total"].is_number())
        return std::nullopt;
    const auto total = Money::parse(quote["final_total"].number_text(), *currency);
    return total ? std::optional(*total) : std::nullopt;
}

// Whether the quote takes that code.
bool has_taken(const Value& quote) {
    const Value& coupon = quote["coupon_discount"];
    return coupon.is_object() && !coupon["error"].is_string();
}

std::string gone_for(std::string_view code) {
    return code == "sold_out"                                                                ? "sold_out"
           : code == "trip_not_found"                                                        ? "trip"
           : code == "date_unavailable" || code == "cutoff_passed" || code == "date_blocked" ? "date"
                                                                                             : "choice";
}

}  // namespace

Value contact_of(const AbandonedBooking& row) {
    const auto space = row.customer_name.find(' ');
    Value contact = Value::object({{"contact_first_name", row.first_name()}, {"contact_email", row.email}});
    if (space != std::string::npos)
        contact.set("contact_last_name", row.customer_name.substr(space + 1));
    if (!row.customer_phone.empty())
        contact.set("contact_phone", row.customer_phone);
    if (!row.country.empty())
        contact.set("contact_country", row.country);
    return contact;
}

Result<AbandonedBooking> Recovery::opened(LinkKind kind, std::string_view token, Instant now) const {
    const auto link = open_link(site_.secrets, kind, token);
    if (!link)
        return errc::not_found;
    auto row = site_.store.reading<std::optional<AbandonedBooking>>(
        [&](store::Session& session) { return Repository::find(session, link->id); });
    if (!row)
        return errc::not_found;
    if (row->uid != link->uid || row->blanked_at || row->expires_at <= now)
        return errc::token_expired;
    return std::move(*row);
}

Result<Offer> Recovery::offer(std::string_view token, Instant now) const {
    SVC_ASSIGN_OR_RETURN(auto row, opened(LinkKind::recover, token, now));
    Offer offer{.row = std::move(row), .trip = {}, .gone = {}, .before = {}, .now = {}, .coupon_code = {}};
    offer.before = offer.row.total;
    std::string coupon = offer.row.coupon_code;
    site_.store.read([&](store::Session& session) {
        offer.trip = offer.row.trip_id ? Repository::trip(session, *offer.row.trip_id) : std::nullopt;
        for (const Event& event : Repository::events(session, offer.row.id))
            if (event.kind == "coupon")
                coupon = event.detail;
    });
    if (!offer.trip || !offer.trip->is_published()) {
        offer.trip.reset();
        offer.gone = "trip";
        return offer;
    }
    if (!offer.row.travel_date || *offer.row.travel_date < site_.today(now)) {
        offer.gone = "date";
        return offer;
    }
    AbandonedBooking asked = offer.row;
    asked.coupon_code = coupon;
    auto quote = capture_.quote(asked);
    if (quote && !coupon.empty() && has_taken(*quote))
        offer.coupon_code = coupon;
    if (!quote || (!coupon.empty() && !has_taken(*quote))) {
        asked.coupon_code.clear();
        quote = capture_.quote(asked);
    }
    if (quote)
        offer.now = total_in(*quote);
    else
        offer.gone = gone_for(quote.error().code().name);
    return offer;
}

void Recovery::use(const AbandonedBooking& row, Instant now) const {
    const auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        Repository::use_link(tx, row.id, now);
        return {};
    });
    if (!written)
        throw std::runtime_error("The use of a link was not noted: " + written.error().message().english());
}

Result<void> Recovery::stop(std::string_view token, Instant now) const {
    SVC_ASSIGN_OR_RETURN(const auto row, opened(LinkKind::stop, token, now));
    return site_.store.write([&](store::Transaction& tx) -> Result<void> {
        Repository::unsubscribe(tx, row.email_lower, now);
        return {};
    });
}

}  // namespace svc::pro::abandoned_bookings
