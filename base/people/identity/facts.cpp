// Facts of the tables of accounts.
#include "base/people/identity/facts.hpp"

namespace svc::identity {

std::vector<facts::Table> table_facts() {
    using facts::By;
    return {
        // Sessions, application passwords and rights go with the account.
        {.name = "svc_users",
         .erased = {{.of = {{By::user, "id"}}},
                    // Whoever waits for a proof of the address waits in vain.
                    {.of = {{By::address, "LOWER(pending_email)", "id <> :user"}},
                     .blanked = {{"pending_email", facts::null}}}},
         .exported = {{.key = "account",
                       .of = {By::user, "id"},
                       .members = {{"login", "login"},
                                   {"email", "email"},
                                   {"display_name", "display_name"},
                                   {"status", "status"},
                                   {"email_verified_at", "email_verified_at", facts::Exported::Kind::instant},
                                   {"pending_email", "pending_email"},
                                   {"last_login_at", "last_login_at", facts::Exported::Kind::instant},
                                   {"locale", "locale"},
                                   {"created_at", "created_at", facts::Exported::Kind::instant}}}},
         .known = {{By::user, "SELECT id FROM svc_users WHERE email_lower = :email"}}},
        {.name = "svc_access_tokens",
         .erased = {{.of = {{By::booking, "subject_id", "subject_type = 'booking'"},
                            {By::user, "subject_id", "subject_type = 'user'"},
                            {By::address, "LOWER(email)"}}}}},
    };
}

}  // namespace svc::identity
