// The routes of consent forms.
#pragma once

#include "pro/consent/requests.hpp"
#include "pro/consent/signing.hpp"
#include "shared/api/route.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::consent {

// For staff who run the module, unless the caller says otherwise.
api::RouteSpec route(api::Method method, std::string path, std::string summary);

void add_form_routes(const Site& site, Requests& requests);
void add_request_routes(const Site& site, Requests& requests);
void add_signed_routes(const Site& site, const Signing& signing, const plugin::Documents& documents);
void add_overview_routes(const Site& site);
void add_public_routes(const Site& site, const Signing& signing);

// A list for staff who run the module, by form and booking; its rows are written by routes of their own.
template <class T>
resource::Resource<T> listed_resource(const Site& site, const record::Record<T>& record, std::string path,
                                      std::string one, std::string many) {
    const auto may = api::Permission::can(std::string(capability));
    return {record,
            resource::Options{.store = site.store,
                              .path = std::move(path),
                              .one = std::move(one),
                              .many = std::move(many),
                              .reads = may,
                              .writes = may,
                              .removes = may,
                              .module = std::string(module_slug),
                              .filters = {{.name = "form_id", .type = api::id().referring_to("consent/forms")},
                                          {.name = "booking_id", .type = api::id()}},
                              .zone = [&site] { return site.zone(); }},
            resource::Rules<T>{}};
}

// {"pdf_data" (base64), "filename"}
api::Type pdf_type();
json::Value pdf_json(const Signing::File& file);
api::Reply pdf_reply(Signing::File file);

}  // namespace svc::pro::consent
