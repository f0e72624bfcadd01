// Filters of the pages.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::pages {

inline const hooks::Filter frontend_request_path{
    "svc_frontend_request_path",
    "3.0.0",
    "The path of a page as visitors asked for it, before its page is found.",
    json::Kind::string,
    {"path"}};
inline const hooks::Filter pretty_route_match{
    "svc_pretty_route_match",
    "3.0.0",
    "The type of the page found for a path; an empty text says that there is no such page.",
    json::Kind::string,
    {"type", "path"}};
inline const hooks::Filter template_path{"svc_template_path",
                                         "3.0.0",
                                         "The name of the template that a page is rendered with.",
                                         json::Kind::string,
                                         {"name", "type"}};
inline const hooks::Filter enable_enquiry{"svc_enable_enquiry",
                                          "3.0.0",
                                          "Whether visitors may enquire about a trip.",
                                          json::Kind::boolean,
                                          {"enabled", "trip_id"}};
inline const hooks::Filter enquiry_button_text{"svc_enquiry_button_text",
                                               "3.0.0",
                                               "The text of the button that opens the enquiry form.",
                                               json::Kind::string,
                                               {"text", "trip_id"}};
inline const hooks::Filter enquiry_form_show{"svc_enquiry_form_show",
                                             "3.0.0",
                                             "Whether the enquiry page shows its form.",
                                             json::Kind::boolean,
                                             {"show", "trip_id"}};
inline const hooks::Filter enquiry_form_title{
    "svc_enquiry_form_title_text", "3.0.0", "The title of the enquiry form.", json::Kind::string, {"text", "trip_id"}};
inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter* each : {&frontend_request_path, &pretty_route_match, &template_path, &enable_enquiry,
                                      &enquiry_button_text, &enquiry_form_show, &enquiry_form_title})
        hooks.declare(*each);
}

}  // namespace svc::pages
