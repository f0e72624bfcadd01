// The routes of consent forms.
#pragma once

#include "pro/consent/requests.hpp"
#include "pro/consent/signing.hpp"
#include "shared/api/route.hpp"

namespace svc::pro::consent {

// For staff who run the module, unless the caller says otherwise.
api::RouteSpec route(api::Method method, std::string path, std::string summary);

void add_form_routes(const Site& site, Requests& requests);
void add_request_routes(const Site& site, Requests& requests);
void add_signed_routes(const Site& site, const Signing& signing, const plugin::Documents& documents);
void add_overview_routes(const Site& site);
void add_public_routes(const Site& site, const Signing& signing);

// {"pdf_data" (base64), "filename"}
api::Type pdf_type();
json::Value pdf_json(const Signing::File& file);
api::Reply pdf_reply(Signing::File file);

}  // namespace svc::pro::consent
