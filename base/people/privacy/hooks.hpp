// The filters and actions of exports and erasures of a person's data.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::privacy {

inline const hooks::Filter person_export{"svc_person_export",
                                         "Adds what a plugin stores about a person to the export, under names of its "
                                         "own; user_id and customer_id are 0 if there"
                                         " is none. booking_ids: the person's bookings.",
                                         json::Kind::object,
                                         {"email", "user_id", "customer_id", "booking_ids"}};
inline const hooks::Filter person_erasure{
    "svc_person_erasure",
    "A person's data is being erased, in this transaction: listeners erase theirs and add the number of rows they"
    " changed. user_id and customer_id are 0 if there is none. booking_ids: the person's bookings.",
    json::Kind::number,
    {"email", "user_id", "customer_id", "booking_ids"}};
inline const hooks::Action person_erased{
    "svc_person_erased",
    "A person's data was erased. Contains no personal data; user_id and customer_id are 0 if there was none.",
    {"user_id", "customer_id"}};
inline const hooks::Action privacy_link_due{
    "svc_account_privacy_link_due",
    "An account owner requested an export or erasure of their data; a link is to be mailed. account:"
    " name, email, sent_at, wants (export or erasure).",
    {"user_id", "account"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* filter : {&person_export, &person_erasure})
        hooks.declare(*filter);
    for (const auto* action : {&person_erased, &privacy_link_due})
        hooks.declare(*action);
}

}  // namespace svc::privacy
