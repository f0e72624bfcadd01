// The one table of rights and of the roles that hold them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/people/identity/hooks.hpp"

namespace svc::identity {

// A built-in role. Its letter is in the table below; its permissions are always those of this release, whatever the
// database contains.
struct SystemRole {
    std::string_view slug, label;
    char letter;
};

inline constexpr std::array system_roles{
    SystemRole{"administrator", "Administrator", '*'},
    SystemRole{"owner", "Owner", 'O'},
    SystemRole{"manager", "Manager", 'M'},
    SystemRole{"sales_agent", "Sales agent", 'S'},
    SystemRole{"front_desk", "Front desk", 'F'},
    SystemRole{"guide", "Guide", 'G'},
    SystemRole{"accountant", "Accountant", 'A'},
    SystemRole{"marketing", "Marketing", 'K'},
    SystemRole{"auditor", "Auditor", 'U'},
    SystemRole{"svc_customer", "Customer", '-'},
};

// A right and the letters of the roles that hold it. An administrator holds the host's rights alone, as
// manage_options passes every svc_ check.
struct Right {
    std::string_view capability, roles;
};

inline constexpr std::array rights{
    Right{"manage_options", "*"},
    Right{"create_users", "*"},
    Right{"edit_posts", "*"},
    Right{"manage_svc", "*O"},
    Right{"svc_access_admin", "OMSFGAKU"},
    Right{"svc_view_trips", "OMSFGAKU"},
    Right{"svc_create_trips", "OMK"},
    Right{"svc_edit_trips", "OMK"},
    Right{"svc_publish_trips", "OM"},
    Right{"svc_delete_trips", "O"},
    Right{"svc_manage_trip_taxonomies", "OMK"},
    Right{"svc_view_departures", "OMSFGU"},
    Right{"svc_manage_departures", "OMF"},
    Right{"svc_cancel_departures", "OM"},
    Right{"svc_view_bookings", "OMSFGAU"},
    // Answers about health and papers, and files of booking forms and consents, of the bookings that one may view. A
    // guide has those of the departures that they guide: an allergy matters on the way.
    Right{"svc_view_sensitive_answers", "OMG"},
    Right{"svc_create_bookings", "OMSF"},
    Right{"svc_edit_bookings", "OMS"},
    Right{"svc_change_booking_status", "OMSF"},
    Right{"svc_refund_bookings", "OA"},
    Right{"svc_delete_bookings", "O"},
    Right{"svc_manage_discounts", "OMK"},
    Right{"svc_view_customers", "OMSFAKU"},
    Right{"svc_edit_customers", "OMSF"},
    Right{"svc_delete_customers", "O"},
    Right{"svc_view_enquiries", "OMSFKU"},
    Right{"svc_respond_to_enquiries", "OMSF"},
    Right{"svc_delete_enquiries", "OM"},
    Right{"svc_view_reviews", "OMSKU"},
    Right{"svc_edit_reviews", "OMK"},
    Right{"svc_manage_reviews", "OMK"},
    Right{"svc_delete_reviews", "OM"},
    Right{"svc_view_operational_reports", "OMFGAU"},
    Right{"svc_view_financial_reports", "OAU"},
    Right{"svc_view_audit_log", "OU"},
    Right{"svc_manage_emails", "OMK"},
    Right{"svc_manage_email_automation", "OMK"},
    Right{"svc_manage_settings", "O"},
    Right{"svc_manage_modules", "O"},
    Right{"svc_manage_payment_gateways", "O"},
    Right{"svc_manage_webhooks", "O"},
    Right{"svc_manage_channel_manager", "O"},
    Right{"svc_manage_messaging", "O"},
    Right{"svc_manage_whatsapp", "O"},
    Right{"svc_manage_ai", "O"},
    Right{"svc_manage_team", "O"},
    Right{"svc_manage_white_label", "O"},
};

// The permission to edit trips implies viewing and creating them, since the interface gives it all of trip
// administration.
struct Implied {
    std::string_view capability, implies;
};
inline constexpr std::array implied{
    Implied{"svc_edit_trips", "svc_view_trips"},
    Implied{"svc_edit_trips", "svc_create_trips"},
};

bool is_capability(std::string_view name);
// Sorted; null for a role that does not come with the service. Lives as long as the program.
const std::vector<std::string>* capabilities_of(std::string_view system_role);
// Sorted, distinct, with implied ones; unknown names are dropped, except the additional ones.
std::vector<std::string> expanded(std::vector<std::string> capabilities, const std::vector<std::string>& besides = {});
// Those that listeners add to ours: names of lower-case letters, digits and underscores.
std::vector<std::string> declared_capabilities(const hooks::Hooks& hooks);

}  // namespace svc::identity
