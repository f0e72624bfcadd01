// Facts of the tables of enquiries.
#include "base/people/enquiries/facts.hpp"

#include "base/people/identity/whose.hpp"

namespace svc::enquiries {

std::vector<facts::Table> table_facts() {
    using facts::By;
    return {
        {.name = "svc_enquiries",
         .refers = {{"trip_id", "svc_trips"},
                    {.column = "customer_id", .table = "svc_customers", .merged_as = "enquiries"},
                    {"booking_id", "svc_bookings"}},
         .erased = {{.of = {{By::enquiry, "id"}},
                     .blanked = {{"user_id", facts::null},
                                 {"name"},
                                 {"name_folded"},
                                 {"email"},
                                 {"email_lower"},
                                 {"phone"},
                                 {"message"},
                                 {"response_notes", facts::null},
                                 {"referrer"},
                                 {"ip_hash"},
                                 {"user_agent"},
                                 {"search"},
                                 {"traveler_counts", facts::null},
                                 {"created_by", facts::null}},
                     .is_record = true}},
         .carried = {{.name = "enquiries",
                      .kinds = {"enquiries"},
                      .key = {"email_lower", "created_at"},
                      .left_out = {"responded_by", "ip_hash", "user_agent", "referrer", "created_by", "updated_by",
                                   "deleted_by"}}},
         .noticed = {{"enquiries", "svc_view_enquiries", "status <> 'trash' AND status <> 'spam'"}},
         .claimed = {{.account = "user_id", .address = "email_lower"}},
         .known = {{By::enquiry,
                    "SELECT id FROM svc_enquiries WHERE " SVC_IS_OF_PERSON("user_id", "email_lower") " ORDER BY id"}}},
        {.name = "svc_enquiry_messages",
         .refers = {{"enquiry_id", "svc_enquiries"}},
         .erased = {{.of = {{By::enquiry, "enquiry_id"}}}},
         .carried =
             {{.name = "enquiry_messages", .kinds = {"enquiries"}, .parent = "enquiry_id", .left_out = {"author_id"}}}},
    };
}

}  // namespace svc::enquiries
