// Facts of the tables of reviews.
#include "base/people/reviews/facts.hpp"

namespace svc::reviews {

std::vector<facts::Table> table_facts() {
    return {
        // Feature::forget() deletes the author's, since the ratings of trips follow.
        {.name = "svc_reviews",
         .refers = {{"trip_id", "svc_trips"},
                    {.column = "customer_id", .table = "svc_customers", .merged_as = "reviews"},
                    {"booking_id", "svc_bookings"}},
         .carried = {{.name = "reviews",
                      .kinds = {"reviews"},
                      .key = {"trip_id", "email_lower", "created_at"},
                      .left_out = {"user_id", "replied_by", "moderated_by", "ip_hash", "created_by", "updated_by",
                                   "deleted_by"}}},
         .noticed = {{"reviews", "svc_view_reviews", "status <> 'trash' AND status <> 'spam'"}},
         .claimed = {{.account = "user_id", .address = "email_lower"}}},
    };
}

}  // namespace svc::reviews
