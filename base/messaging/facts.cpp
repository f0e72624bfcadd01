// Facts of the tables of e-mails.
#include "base/messaging/facts.hpp"

namespace svc::messaging {

std::vector<facts::Table> table_facts() {
    using facts::By;
    return {
        {.name = "svc_email_outbox",
         .erased =
             {{.of = {{By::booking, "booking_id"}, {By::enquiry, "enquiry_id"}, {By::address, "LOWER(to_email)"}}}},
         .exported = {{.key = "emails",
                       .of = {By::address, "LOWER(to_email)"},
                       .members = {{"template", "template_key"},
                                   {"to", "to_email"},
                                   {"subject", "subject"},
                                   {"status", "status"},
                                   {"created_at", "created_at", facts::Exported::Kind::instant},
                                   {"sent_at", "sent_at", facts::Exported::Kind::instant}}}}},
    };
}

}  // namespace svc::messaging
