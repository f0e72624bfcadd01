// Actions of reviews.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::reviews {

inline const hooks::Action review_created{
    "svc_review_created", "A review was written, by its author or by staff.", {"review"}};
inline const hooks::Action review_updated{
    "svc_review_updated", "A review was changed, moderated or moved to the trash.", {"review", "before"}};
inline const hooks::Action review_deleted{
    "svc_review_deleted", "A review was deleted permanently.", {"review_id", "review"}};
inline const hooks::Action review_request_due{"svc_review_request_due",
                                              "Some days after a completed trip: its customer is asked for a review."
                                              " Once per booking.",
                                              {"booking_id", "booking"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action : {&review_created, &review_updated, &review_deleted, &review_request_due})
        hooks.declare(*action);
}

}  // namespace svc::reviews
