// Finds whose time is over.
#include "base/retention/feature.hpp"

#include "shared/core/log.hpp"
#include "shared/store/typed.hpp"

namespace svc::retention {
namespace {

constexpr const char* customer_months = "customer_retention_months";
constexpr const char* enquiry_months = "enquiry_retention_months";

}  // namespace

void Feature::declare() {
    site_.settings.declare({.key = customer_months,
                            .type = api::integer(0, 600),
                            .fresh = 0,
                            .says = "Months after the last travel, or after a customer's last change without one, until"
                                    " the personal data of customers without an account is erased; 0: never. Invoices"
                                    " and amounts stay.",
                            .group = "system"});
    site_.settings.declare({.key = enquiry_months,
                            .type = api::integer(0, 600),
                            .fresh = 0,
                            .says = "Months after their last change until enquiries are deleted; 0: never.",
                            .group = "system"});
}

void Feature::add_jobs() {
    site_.jobs.add(
        {.name = "retention",
         .says = "Erases personal data of customers, and deletes enquiries, whose time is over by the settings.",
         .run = [this](Instant now) { return run(now); },
         .daily_at = ClockTime::from_minutes(3 * 60 + 50)});
}

std::vector<std::string> Feature::lapsed_customers(Instant now, std::int64_t months) const {
    const Date last = site_.settings.zone().date_at(now).plus_months(-static_cast<int>(months));
    return site_.store.reading<std::vector<std::string>>([&](store::Session& session) {
        return store::values<std::string>(
            session,
            "SELECT c.email FROM svc_customers c WHERE c.erased_at IS NULL AND c.user_id IS NULL AND c.updated_at < "
            ":moment"
            " AND NOT EXISTS (SELECT 1 FROM svc_bookings b WHERE b.customer_id = c.id AND (b.end_date >= :last OR"
            " b.created_at >= :moment)) ORDER BY c.id LIMIT 100",
            {{"moment", site_.settings.zone().instant_of(last, {})}, {"last", last}});
    });
}

Result<std::int64_t> Feature::delete_enquiries(Instant now, std::int64_t months) const {
    const Date last = site_.settings.zone().date_at(now).plus_months(-static_cast<int>(months));
    return site_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        return tx.run(
            "DELETE FROM svc_enquiries WHERE id IN (SELECT id FROM svc_enquiries WHERE updated_at < :moment ORDER BY id"
            " LIMIT 500)",
            {{"moment", site_.settings.zone().instant_of(last, {})}});
    });
}

Result<json::Value> Feature::run(Instant now) {
    std::int64_t erased = 0, deleted = 0;
    if (const auto months = site_.settings.integer(customer_months); months > 0)
        for (const std::string& email : lapsed_customers(now, months)) {
            if (auto done = privacy_.erase(email); done)
                ++erased;
            else
                log::warning("customer_not_erased", {{"problem", done.error().message()}});
        }
    if (const auto months = site_.settings.integer(enquiry_months); months > 0) {
        const auto gone = delete_enquiries(now, months);
        if (!gone)
            return gone.error();
        deleted = *gone;
    }
    return json::Value::object({{"customers", erased}, {"enquiries", deleted}});
}

}  // namespace svc::retention
