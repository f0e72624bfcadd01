// Rows of agreed plans.
#include "pro/scheduled_payments/agreed.hpp"

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
                         std::string_view made_by) {
    for (const AgreedPart& each : parts)
        tx.run(
            "INSERT INTO svc_payment_plan_parts (booking_id, number, due_on, days_before_tour, amount_minor, currency,"
            " made_by) VALUES (:booking_id, :number, :due_on, :days, :amount, :currency, :made_by)",
            {{"booking_id", booking_id},
             {"number", each.number},
             {"due_on", each.part.date},
             {"days", each.days_before_tour},
             {"amount", each.part.amount.minor()},
             {"currency", each.part.amount.currency().code()},
             {"made_by", made_by}});
}

std::string AgreedPlans::made_by(store::Session& session, std::int64_t booking_id) {
    return store::value<std::string>(session,
                                     "SELECT made_by FROM svc_payment_plan_parts WHERE booking_id = :id LIMIT 1",
                                     {{"id", booking_id}})
        .value_or("");
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
    return parts;
}

}  // namespace svc::pro::scheduled_payments
