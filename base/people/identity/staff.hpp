// Users as the operator manages them from the command line: listing, roles, passwords, disabling.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"
#include "shared/store/store.hpp"

namespace svc::identity::staff {

struct Listed {
    std::string login, email, role, status;  // status: active, pending_verification, blocked
    std::optional<Instant> last_login_at;
};
// By login. Customers are left out unless they are wanted.
std::vector<Listed> list(store::Session& session, bool with_customers);

// Whether the user has another role than a customer's.
bool is_staff(store::Session& session, std::int64_t user_id);

// Each takes a login or an e-mail address, and returns svc_not_found for neither. The last active administrator stays
// one.
Result<void> set_role(store::Transaction& tx, const std::string& login, const std::string& role, Instant now);
// Ends all sessions, application passwords and mailed links of the user.
Result<void> disable(store::Transaction& tx, const std::string& login, Instant now);
Result<void> enable(store::Transaction& tx, const std::string& login, Instant now);
// As disable() does; the user signs in with the new password.
Result<void> set_password(store::Transaction& tx, const std::string& login, const std::string& hash, Instant now);

}  // namespace svc::identity::staff
