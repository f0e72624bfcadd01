// Filters of the pages.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::pages {

inline const hooks::Filter frontend_request_path{
    "svc_frontend_request_path",
    "The path of a page as visitors asked for it, before its page is found.",
    json::Kind::string,
    {"path"}};
inline const hooks::Filter pretty_route_match{
    "svc_pretty_route_match",
    "The page found for a path: its type, base and the names of its path; an empty type says that there is none."
    " Also called for paths of no page.",
    json::Kind::object,
    {"path"},
    R"({"type": "", "base": "", "names": {}})"};
inline const hooks::Filter plain_route_match{
    "svc_plain_route_match",
    "The page that the query of /?svc_page=type names, as in svc_pretty_route_match.",
    json::Kind::object,
    {"query"},
    R"({"type": "", "base": "", "names": {}})"};
inline const hooks::Filter price_display_settings{
    "svc_get_dynamic_pricing_display_settings",
    "What pages show beside a trip's price: show_original_price, show_savings_badge, show_urgency_messages.",
    json::Kind::object,
    {"trip_id"},
    R"({"show_original_price": true, "show_savings_badge": true, "show_urgency_messages": true})"};
inline const hooks::Filter template_path{"svc_template_path",
                                         "The name of the template that a page is rendered with.",
                                         json::Kind::string,
                                         {"name", "type"}};
inline const hooks::Filter saved_trips_page{
    "svc_saved_trips_page",
    "The path of the page with the trips that a visitor saved; empty, the default: pages offer no saving. Browsers send"
    " that page changes as a form (add, remove: ids of trips) and read the ids from its element with data-saved.",
    json::Kind::string,
    {}};
inline const hooks::Filter enable_enquiry{
    "svc_enable_enquiry", "Whether visitors may enquire about a trip.", json::Kind::boolean, {"enabled", "trip_id"}};
inline const hooks::Filter enquiry_button_text{"svc_enquiry_button_text",
                                               "The text of the button that opens the enquiry form.",
                                               json::Kind::string,
                                               {"text", "trip_id"}};
inline const hooks::Filter enquiry_form_show{
    "svc_enquiry_form_show", "Whether the enquiry page shows its form.", json::Kind::boolean, {"show", "trip_id"}};
inline const hooks::Filter enquiry_form_title{
    "svc_enquiry_form_title_text", "The title of the enquiry form.", json::Kind::string, {"text", "trip_id"}};
inline const hooks::Filter booking_page_parts{
    "svc_booking_page_parts",
    "Parts that plugins add to the page of a booking's details and to its last step. Each names the type of a page that"
    " the plugin brings, whose template is shown with the model. checkout: {id, trip_id, country, language}.",
    json::Kind::array,
    {"type", "checkout"},
    R"([{"page": "", "model": {}}])"};
inline const hooks::Filter sitemap_pages{"svc_sitemap_pages",
                                         "Pages that the sitemap lists besides those of the base, by their paths.",
                                         json::Kind::array,
                                         {},
                                         R"([{"path": "", "updated_at": ""}])"};
inline const hooks::Filter sitemap_left_out{
    "svc_sitemap_left_out",
    "Paths that the sitemap does not list, although a page of the base leads there.",
    json::Kind::array,
    {},
    R"([""])"};
inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter* each :
         {&frontend_request_path, &pretty_route_match, &plain_route_match, &price_display_settings, &template_path,
          &saved_trips_page, &enable_enquiry, &enquiry_button_text, &enquiry_form_show, &enquiry_form_title,
          &booking_page_parts, &sitemap_pages, &sitemap_left_out})
        hooks.declare(*each);
}

}  // namespace svc::pages
