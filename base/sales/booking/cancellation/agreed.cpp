// Rows of svc_booking_cancellation_terms, and their JSON.
#include "base/sales/booking/cancellation/agreed.hpp"

#include "shared/api/named.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {

using json::Value;

void AgreedCancellations::insert(store::Transaction& tx, std::int64_t booking_id, const AgreedCancellation& agreed) {
    if (agreed.empty())
        return;
    store::run_later(tx,
                     "INSERT INTO svc_booking_cancellation_terms (booking_id, terms, policy)"
                     " VALUES (:booking, :terms, :policy)",
                     {{"booking", booking_id}, {"terms", to_json(agreed.terms).dump()}, {"policy", agreed.policy}});
}

std::optional<AgreedCancellations::Found> AgreedCancellations::find(store::Session& session, std::int64_t booking_id,
                                                                    Currency currency) {
    return store::first_row(
        session,
        "SELECT c.terms, c.policy, CASE WHEN b.cancelled_via = 'expiry' THEN 1 ELSE 0 END"
        " FROM svc_booking_cancellation_terms c JOIN svc_bookings b ON b.id = c.booking_id"
        " WHERE c.booking_id = :booking",
        {{"booking", booking_id}}, [&](const std::string& terms, const std::string& policy, bool has_expired) {
            const auto rows = json::parse(terms);
            auto agreed =
                rows ? cancellation_terms_of(*rows, currency, {}) : Result<CancellationTerms>(CancellationTerms{});
            return Found{.agreed = {.terms = agreed ? std::move(*agreed) : CancellationTerms{}, .policy = policy},
                         .has_expired = has_expired};
        });
}

std::optional<CancellationBill> cancellation_bill(const CancellationTerms& terms, const CancellationCase& booking) {
    if (terms.empty() || !booking.can_cost)
        return std::nullopt;
    const Money fee = cancellation_fee(terms, booking.fare, booking.day);
    const Money nothing = Money::zero(fee.currency());
    return CancellationBill{.total = booking.fare.total,
                            .fee = fee,
                            .paid = booking.paid,
                            .returned = booking.paid > fee ? booking.paid - fee : nothing};
}

Value to_json(const AgreedCancellation& agreed, const CancellationCase& booking) {
    const auto bill = cancellation_bill(agreed.terms, booking);
    Value steps = Value::array();
    if (!agreed.terms.empty())
        steps = json::array_of(dated_fees(agreed.terms, booking.fare), [](const DatedFee& each) {
            return Value::object({{"until", each.until}, {"fee", each.fee}});
        });
    return Value::object({{"terms", to_json(agreed.terms)},
                          {"policy", agreed.policy},
                          {"fees", std::move(steps)},
                          {"free_until", free_cancellation_until(agreed.terms, booking.fare.departs)},
                          {"as_of", booking.day},
                          {"fee_now", bill ? Value(bill->fee) : Value()},
                          {"returned_now", bill ? Value(bill->returned) : Value()}});
}

api::Type cancellation_answer() {
    using namespace api;
    const Schema fee{{.name = "until",
                      .type = date().or_null(),
                      .help = "The last day with this fee, in the site's zone; null: from then on."},
                     {.name = "fee", .type = money(), .help = "Of the whole booking.", .required = true}};
    return object(
        "BookingCancellation",
        {{.name = "terms",
          .type = cancellation_terms_type(),
          .help = "What the customer agreed to when the booking was made.",
          .required = true},
         {.name = "policy",
          .type = raw_text(64 * 1024),
          .help = "The trip's own words at that time.",
          .required = true},
         {.name = "fees",
          .type = list(object("CancellationFee", fee), most_cancellation_steps),
          .help = "The terms with the days and amounts of this booking.",
          .required = true},
         {.name = "free_until",
          .type = date().or_null(),
          .help = "The last day on which cancelling is free; null: it never is."},
         {.name = "as_of", .type = date(), .help = "The day that fee_now is of: today, or that of the cancellation."},
         {.name = "fee_now",
          .type = money().or_null(),
          .help = "What cancelling costs on that day; null: nothing is agreed, or the trip has taken place."},
         {.name = "returned_now",
          .type = money().or_null(),
          .help = "What is paid beyond fee_now. A proposal: staff decide on refunds."}});
}

std::optional<ShownCancellation> shown_cancellation(const Value& booking) {
    const Value& member = booking["cancellation"];
    const auto currency = Currency::parse(booking.text_or("currency"));
    const auto departs = Date::parse(booking.text_or("travel_date"));
    const auto day = member.is_object() ? Date::parse(member.text_or("as_of")) : std::nullopt;
    if (!currency || !departs || !day)
        return std::nullopt;
    const auto money = [&](const char* name) {
        const Value& number = booking[name];
        const auto amount =
            number.is_number() ? Money::parse(number.number_text(), *currency) : Result<Money>(errc::not_found);
        return amount ? *amount : Money::zero(*currency);
    };
    auto terms = cancellation_terms_of(member["terms"], *currency, {});
    return ShownCancellation{
        .agreed = {.terms = terms ? std::move(*terms) : CancellationTerms{}, .policy = member.text_or("policy")},
        .booking = {.fare = {.total = money("total"),
                             .travelers = booking.maybe_integer("travelers_count").value_or(1),
                             .departs = *departs},
                    .paid = money("amount_paid"),
                    .day = *day,
                    .can_cost = member["fee_now"].is_number()}};
}

}  // namespace svc::booking
