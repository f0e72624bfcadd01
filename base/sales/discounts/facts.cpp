// Facts of the tables of discounts.
#include "base/sales/discounts/facts.hpp"

namespace svc::discounts {

std::vector<facts::Table> table_facts() {
    using facts::By;
    return {
        {.name = "svc_discounts",
         .carried = {{.name = "discounts",
                      .kinds = {"discounts"},
                      .key = {"code", "name"},
                      .left_out = {"created_by", "updated_by", "deleted_by"}}}},
        {.name = "svc_discount_ranges",
         .refers = {{"discount_id", "svc_discounts"}, {"category_id", "svc_classifications"}},
         .carried = {{.name = "discount_ranges", .kinds = {"discounts"}, .parent = "discount_id"}}},
        {.name = "svc_discount_trips",
         .refers = {{"discount_id", "svc_discounts"}, {"trip_id", "svc_trips"}},
         .carried = {{.name = "discount_trips", .kinds = {"discounts"}, .parent = "discount_id"}}},
        {.name = "svc_discount_redemptions",
         .refers = {{"booking_id", "svc_bookings"},
                    {"discount_id", "svc_discounts"},
                    {.column = "customer_id", .table = "svc_customers", .merged_as = "discount_uses", .blocks = true}},
         .erased = {{.of = {{By::booking, "booking_id"}, {By::address, "email_lower"}}, .blanked = {{"email_lower"}}}},
         .carried = {{.name = "discount_redemptions", .kinds = {"bookings"}, .parent = "booking_id"}}},
    };
}

}  // namespace svc::discounts
