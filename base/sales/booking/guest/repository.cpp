// SQL of whose bookings they are.
#include "base/sales/booking/guest/repository.hpp"

#include "base/people/identity/whose.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::booking {

void GuestRepository::set_verified(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_bookings SET verified_at = :now WHERE id = :id", {{"now", now}, {"id", id}});
}

std::vector<std::string> GuestRepository::references_ahead(store::Session& session,
                                                           const std::vector<std::int64_t>& ids, Date today) {
    static constexpr auto ahead = SVC_BY_IDS(
        "SELECT reference FROM svc_bookings WHERE end_date >= :today AND status IN ('pending', 'pending_verification',"
        " 'confirmed', 'processing', 'on-hold', 'waitlist') AND",
        "id", "ORDER BY id");
    std::vector<std::string> references;
    store::each_row_of(session, ahead, ids, [&](const std::string& reference) { references.push_back(reference); },
                       {{"today", today}});
    return references;
}

std::int64_t GuestRepository::count_unowned(store::Session& session, std::string_view email) {
    return session.number("SELECT COUNT(*) FROM svc_bookings WHERE user_id IS NULL AND LOWER(contact_email) = :email",
                          {{"email", text::folded(email)}});
}

std::int64_t GuestRepository::own(store::Transaction& tx, std::int64_t user_id, std::string_view email, Instant now) {
    return tx.run(SVC_CLAIM("svc_bookings", "LOWER(contact_email)",
                            ", owned_by_address = 1, row_version = row_version + 1, updated_at = :now"),
                  {{"user", user_id}, {"now", now}, {"email", text::folded(email)}});
}

}  // namespace svc::booking
