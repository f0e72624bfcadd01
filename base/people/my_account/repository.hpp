// Reads rows of other tables that belong to an account.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/api/period.hpp"
#include "shared/api/route.hpp"
#include "shared/core/money.hpp"
#include "shared/store/store.hpp"

namespace svc::my_account {

std::vector<std::string> payment_sort_keys();  // of an account's own payments, the default first

struct OwnPayment {
    std::int64_t id = 0, booking_id = 0;
};

// Something that can be opened: a document of a booking, the invoice of a payment, a file of a trip.
struct OwnDocument {
    std::string category;  // invoice, voucher, itinerary, download
    std::int64_t id = 0;   // of the payment or the download; else the booking's
    std::int64_t booking_id = 0;
    std::string reference, trip_title, email, title;
    Instant updated_at;
};

class Repository {
  public:
    // Of the account's bookings, without cancelled, failed, refunded and trashed ones.
    struct Totals {
        std::int64_t bookings = 0, travelers = 0;
        Money spent;  // in that currency
        std::optional<Instant> last_booked_at = {};
        std::optional<Date> last_travel_date = {};
    };
    static Totals totals(store::Session& session, std::int64_t user_id, Currency currency);
    // Enquiries and reviews of that address, in lower case, that are nobody's become the account's.
    // Made in `period`.
    static std::vector<OwnPayment> payments(store::Session& session, std::int64_t user_id, const api::Period& period,
                                            const api::Page& page);
    static std::int64_t count_payments(store::Session& session, std::int64_t user_id, const api::Period& period);
    // The documents of the newest hundred active bookings, the newest first.
    static std::vector<OwnDocument> documents(store::Session& session, std::int64_t user_id);
    static std::string display_name(store::Session& session, std::int64_t user_id);
    static std::string email(store::Session& session, std::int64_t user_id);
    // The language that its holder chose; empty: none, or "en", which every record begins with.
    static std::string locale(store::Session& session, std::int64_t user_id);
};

}  // namespace svc::my_account
