// Rows of guests' bookings: whose they are, and whether the address is proven.
#pragma once

#include <string_view>

#include "shared/core/date.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

class GuestRepository {
  public:
    static void set_verified(store::Transaction& tx, std::int64_t id, Instant now);
    static std::vector<std::string> references_ahead(store::Session& session, const std::vector<std::int64_t>& ids,
                                                     Date today);
    // Guests' bookings whose own contact has that address, compared in lower case.
    static std::int64_t count_unowned(store::Session& session, std::string_view email);
    static std::int64_t own(store::Transaction& tx, std::int64_t user_id, std::string_view email, Instant now);
};

}  // namespace svc::booking
