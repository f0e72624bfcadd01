// SQL of the methods that customers let us charge later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/sales/payment/gateways/gateway.hpp"
#include "shared/store/store.hpp"

namespace svc::payment {

struct StoredMethod {
    std::int64_t id = 0;
    std::string gateway = {};
    SavedMethod method = {};
    bool is_default = false;
    std::optional<bool> is_test = {};  // live or test mode; none: saved before this was stored
    Instant created_at = {};

    [[nodiscard]] bool is_of(bool test_mode) const { return is_test.value_or(test_mode) == test_mode; }
};

// By the account that agreed, never by a customer's record, which is found by an address that any visitor can enter.
// Skips methods that were deleted.
class SavedRepository {
  public:
    // Once a method; an account's first one at a gateway is the default there. Answers its id; none: it is another
    // account's.
    static std::optional<std::int64_t> keep(store::Transaction& tx, std::int64_t user_id, std::int64_t customer_id,
                                            std::string_view gateway, const SavedMethod& method,
                                            std::optional<bool> is_test, Instant now);
    static std::optional<StoredMethod> of_user(store::Session& session, std::int64_t user_id, std::int64_t id);
    // The newest first.
    static std::vector<StoredMethod> of_user(store::Session& session, std::int64_t user_id);
    static void detach(store::Transaction& tx, std::int64_t id);
};

}  // namespace svc::payment
