// Facts of the tables of customers.
#include "base/people/customers/facts.hpp"

#include "base/people/identity/whose.hpp"

namespace svc::customers {

std::vector<facts::Table> table_facts() {
    using facts::By;
    return {
        {.name = "svc_customers",
         // The address is replaced by a generated one, since each customer needs one of their own.
         .erased = {{.of = {{By::customer, "id"}},
                     .blanked = {{"user_id", facts::null},
                                 {"email", "'erased-' || id || '@erased.invalid'"},
                                 {"email_lower", "'erased-' || id || '@erased.invalid'"},
                                 {"first_name"},
                                 {"last_name"},
                                 {"full_name"},
                                 {"name_order"},
                                 {"search", "'erased-' || id"},
                                 {"email_key"},
                                 {"phone_key"},
                                 {"person_key"},
                                 {"tag_key"},
                                 {"phone"},
                                 {"secondary_phone", facts::null},
                                 {"country"},
                                 {"address"},
                                 {"city"},
                                 {"state", facts::null},
                                 {"postal_code", facts::null},
                                 {"date_of_birth", facts::null},
                                 {"gender", facts::null},
                                 {"nationality", facts::null},
                                 {"emergency_name"},
                                 {"emergency_phone"},
                                 {"emergency_relationship"},
                                 {"dietary_requirements"},
                                 {"medical_conditions"},
                                 {"special_needs"},
                                 {"extra_fields"},
                                 {"newsletter_optin", facts::zero},
                                 {"newsletter_optin_at", facts::null},
                                 {"marketing_optin", facts::zero},
                                 {"marketing_optin_at", facts::null},
                                 {"notes", facts::null},
                                 {"tags", facts::no_items},
                                 {"loyalty_points", facts::zero},
                                 {"created_by", facts::null},
                                 {"updated_by", facts::null},
                                 {"erased_at", ":now"}},
                     .is_record = true}},
         .carried = {{.name = "customers",
                      .kinds = {"customers"},
                      .key = {"email_lower"},
                      .left_out = {"user_id", "dietary_requirements", "medical_conditions", "special_needs",
                                   "extra_fields", "created_by", "updated_by", "deleted_by"}}},
         // Their account's record comes before one with the address alone.
         .known = {{By::customer,
                    "SELECT id FROM svc_customers WHERE " SVC_IS_OF_PERSON(
                        "user_id",
                        "email_lower") " ORDER BY CASE WHEN user_id = :user THEN 0 ELSE 1 END, id LIMIT 1"}}},
        {.name = "svc_customer_addresses",
         .erased = {{.of = {{By::customer, "customer_id"}, {By::address, "email_lower"}}}}},
    };
}

}  // namespace svc::customers
