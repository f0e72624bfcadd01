// Finds whose time is over.
#include "base/people/privacy/retention.hpp"

#include "base/people/enquiries/old_enquiries.hpp"
#include "shared/core/log.hpp"
#include "shared/store/read_rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::retention {
namespace {

constexpr const char* customer_months = "customer_retention_months";
constexpr const char* enquiry_months = "enquiry_retention_months";

struct Lapsed {
    std::int64_t id = 0;
    std::string email;
};

}  // namespace

void Feature::declare() {
    site_.settings.declare({.key = customer_months,
                            .type = api::integer(0, 600),
                            .initial = 0,
                            .help = "Months after the last travel, or after a customer's last change without one, until"
                                    " the personal data of customers without an account is erased; 0: never. Invoices"
                                    " and amounts stay.",
                            .group = "system"});
    site_.settings.declare({.key = enquiry_months,
                            .type = api::integer(0, 600),
                            .initial = 0,
                            .help = "Months after their last change until enquiries are deleted; 0: never.",
                            .group = "system"});
}

void Feature::add_jobs() {
    site_.housekeeping.add_chore("customers", [this](Instant now) { return erase_customers(now); });
    site_.housekeeping.add("enquiries", [this](store::Transaction& tx, Instant now, int most) -> std::int64_t {
        const auto last = last_day(now, enquiry_months);
        if (!last)
            return 0;
        return enquiries::delete_unchanged_since(tx, site_.settings.zone().instant_of(*last, {}), most);
    });
}

std::optional<Date> Feature::last_day(Instant now, const char* setting) const {
    const auto months = site_.settings.integer(setting);
    if (months == 0)
        return std::nullopt;
    return site_.settings.zone().date_at(now).plus_months(-static_cast<int>(months));
}

std::vector<std::string> Feature::other_addresses_of(std::int64_t customer_id) const {
    return site_.store.reading<std::vector<std::string>>([&](store::Session& session) {
        return store::values<std::string>(
            session,
            "SELECT DISTINCT b.contact_email FROM svc_bookings b JOIN svc_customers c ON c.id = b.customer_id WHERE"
            " b.customer_id = :id AND b.user_id IS NULL AND b.contact_email <> '' AND LOWER(b.contact_email) <>"
            " c.email_lower AND NOT EXISTS (SELECT 1 FROM svc_customers o WHERE o.email_lower = LOWER(b.contact_email))"
            " AND NOT EXISTS (SELECT 1 FROM svc_users u WHERE u.email_lower = LOWER(b.contact_email))",
            {{"id", customer_id}});
    });
}

Result<std::int64_t> Feature::erase_customers(Instant now) {
    const auto last = last_day(now, customer_months);
    std::int64_t erased = 0, after = 0;
    if (!last)
        return erased;
    // In pages by id: persons who cannot be erased do not block the others.
    for (;;) {
        const auto page = site_.store.reading<std::vector<Lapsed>>([&](store::Session& session) {
            return store::all_rows(
                session,
                "SELECT c.id, c.email FROM svc_customers c WHERE c.id > :after AND c.erased_at IS NULL AND c.user_id IS"
                " NULL AND c.updated_at < :moment AND NOT EXISTS (SELECT 1 FROM svc_bookings b WHERE b.customer_id ="
                " c.id AND (b.end_date >= :last OR b.created_at >= :moment)) ORDER BY c.id LIMIT 100",
                {{"after", after}, {"moment", site_.settings.zone().instant_of(*last, {})}, {"last", *last}},
                [](std::int64_t id, const std::string& email) {
                    return Lapsed{id, email};
                });
        });
        if (page.empty())
            return erased;
        for (const Lapsed& each : page) {
            after = each.id;
            // Of merged records: bookings by their addresses hang here.
            for (const std::string& email : other_addresses_of(each.id))
                static_cast<void>(privacy_.erase(email));
            if (auto done = privacy_.erase(each.email); done)
                ++erased;
            else
                log::warning("customer_not_erased", {{"id", each.id}, {"problem", done.error().message().english()}});
        }
    }
}

}  // namespace svc::retention
