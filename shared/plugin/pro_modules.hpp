// The modules that the Pro edition brings: Pro declares them by these rows, and a base lists those that it lacks as
// unavailable.
#pragma once

#include <string_view>

namespace svc::plugin {

struct ProModule {
    std::string_view slug, name, description, category;
    std::string_view plan = "personal";  // the lowest plan of a licence that has it
    std::string_view depends_on = {};    // another slug
};

// Those that settings, prices and routes of the base exist for; it asks by these names and by no others.
namespace slugs {
inline constexpr const char *additional_services = "additional_services", *flexible_payments = "flexible_payments",
                            *advanced_discount = "advanced_discount", *dynamic_form_field = "dynamic_form_field",
                            *scheduled_payments = "scheduled_payments", *dynamic_pricing = "dynamic_pricing";
}  // namespace slugs

// All of them, those too that no release of Pro contains yet.
inline constexpr ProModule pro_modules[] = {
    {slugs::additional_services, "Additional services", "Extras sold with a trip.", "booking"},
    {slugs::flexible_payments, "Flexible payments", "Deposits and part payments at checkout.", "payment"},
    {slugs::advanced_discount, "Advanced discounts", "Discounts for groups, by party size or traveler category.",
     "pricing"},
    {slugs::dynamic_form_field, "Form conditions", "Other booking fields for some trips, categories or types of trip.",
     "booking"},
    {slugs::scheduled_payments, "Scheduled payments", "Charges the balance of a booking automatically later.",
     "payment", "personal", slugs::flexible_payments},
    {slugs::dynamic_pricing, "Dynamic pricing", "Prices that depend on season, demand, party size and lead time.",
     "pricing"},
    {"trip_consent", "Consent forms", "Waivers and consents that travelers sign before a trip.", "booking"},
    {"abandoned_booking_recovery", "Abandoned bookings", "Reminds visitors of unfinished bookings.", "marketing"},
    {"email_automation", "E-mail automation", "Templates, sequences and a log of e-mails.", "communication"},
    {"messaging", "Messaging", "Messages to travelers by text message and chat.", "communication", "growth"},
    {"mailchimp", "Mailchimp", "Adds customers who agree to a newsletter.", "marketing"},
    {"facebook_pixel", "Facebook Pixel", "Reports visits and purchases to Meta.", "marketing"},
    {"google_analytics", "Google Analytics", "Reports visits and purchases to Google Analytics.", "marketing"},
    {"custom_landing_pages", "Landing pages", "Custom landing pages for destinations, activities and categories.",
     "marketing"},
    {"google_calendar", "Google Calendar", "Copies departures and bookings to a Google calendar.", "integration"},
    {"saved_trips", "Saved trips", "Hearts on trips: visitors save them, account holders find them again everywhere.",
     "marketing"},
    {"webhooks", "Webhooks", "Sends events to your own endpoints.", "integration", "agency"},
    {"channel_manager", "Channel manager", "Sells departures through online travel agencies.", "integration", "agency"},
    {"team", "Team", "Roles and limited access for staff and partners.", "administration", "agency"},
    {"white_label", "White label", "Your own name and colors instead of the product's.", "administration", "agency"}};

}  // namespace svc::plugin
