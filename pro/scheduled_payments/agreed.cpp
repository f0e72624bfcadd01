// Rows of agreed plans.
#include "pro/scheduled_payments/agreed.hpp"

#include <algorithm>

#include "shared/store/typed.hpp"

namespace svc::pro::scheduled_payments {

std::vector<AgreedPart> agreed_parts(const std::vector<Part>& plan, Date travel_date, const Terms& terms) {
    std::vector<AgreedPart> parts;
    for (const Part& part : plan)
        parts.push_back({.number = static_cast<std::int64_t>(parts.size()) + 1,
                         .part = part,
                         .days_before_tour = terms.by_tour
                                                 ? std::optional<std::int64_t>(travel_date.days() - part.date.days())
                                                 : std::nullopt});
    return parts;
}

std::vector<Money> amounts_of(const std::vector<AgreedPart>& parts) {
    std::vector<Money> amounts;
    amounts.reserve(parts.size());
    for (const AgreedPart& each : parts)
        amounts.push_back(each.part.amount);
    return amounts;
}

void AgreedPlans::insert(store::Transaction& tx, std::int64_t booking_id, const std::vector<AgreedPart>& parts,
                         std::string_view made_by, const std::optional<Money>& price) {
    for (const AgreedPart& each : parts)
        tx.run(
            "INSERT INTO svc_payment_plan_parts (booking_id, number, due_on, days_before_tour, amount_minor, currency,"
            " made_by, price_minor) VALUES (:booking_id, :number, :due_on, :days, :amount, :currency, :made_by,"
            " :price)",
            {{"booking_id", booking_id},
             {"number", each.number},
             {"due_on", each.part.date},
             {"days", each.days_before_tour},
             {"amount", each.part.amount.minor()},
             {"currency", each.part.amount.currency().code()},
             {"made_by", made_by},
             {"price", price ? std::optional(price->minor()) : std::nullopt}});
}

std::string AgreedPlans::made_by(store::Session& session, std::int64_t booking_id) {
    return store::value<std::string>(session,
                                     "SELECT made_by FROM svc_payment_plan_parts WHERE booking_id = :id LIMIT 1",
                                     {{"id", booking_id}})
        .value_or("");
}

std::optional<Money> AgreedPlans::price(store::Session& session, std::int64_t booking_id, Currency currency) {
    const auto minor = store::value<std::int64_t>(
        session,
        "SELECT price_minor FROM svc_payment_plan_parts WHERE booking_id = :id AND currency = :currency"
        " AND price_minor IS NOT NULL LIMIT 1",
        {{"id", booking_id}, {"currency", currency.code()}});
    return minor ? std::optional(Money{*minor, currency}) : std::nullopt;
}

std::vector<AgreedPart> AgreedPlans::find(store::Session& session, const Owing& booking, Date today) {
    std::vector<AgreedPart> parts;
    for (const auto& [number, due_on, days, minor] :
         store::tuples<std::int64_t, Date, std::optional<std::int64_t>, std::int64_t>(
             session,
             "SELECT number, due_on, days_before_tour, amount_minor FROM svc_payment_plan_parts"
             " WHERE booking_id = :id AND currency = :currency ORDER BY number",
             {{"id", booking.id}, {"currency", booking.currency.code()}}))
        parts.push_back({.number = number,
                         .part = {day_of(due_on, days, booking.travel_date, today), Money{minor, booking.currency}},
                         .days_before_tour = days});
    // Where the tour has moved, a part that moves with it may pass one that stands by itself.
    std::stable_sort(parts.begin(), parts.end(),
                     [](const AgreedPart& a, const AgreedPart& b) { return a.part.date < b.part.date; });
    for (std::size_t at = 0; at < parts.size(); ++at)
        parts[at].number = static_cast<std::int64_t>(at) + 1;
    return parts;
}

}  // namespace svc::pro::scheduled_payments
