// The routes of webhooks.
#pragma once

#include "pro/webhooks/service.hpp"

namespace svc::pro::webhooks {

void add_routes(const Site& site, Service& service);

// The three parts of them.
void add_endpoint_routes(const Site& site, Service& service);
void add_event_routes(const Site& site, Service& service);
void add_delivery_routes(const Site& site, Service& service);

// Of client certificates, where the base can send one.
void add_certificate_routes(const Site& site, const resource::Resource<Endpoint>& endpoints);

// A route of the module for those who manage webhooks.
api::RouteSpec route(api::Method method, std::string path, std::string summary);

}  // namespace svc::pro::webhooks
