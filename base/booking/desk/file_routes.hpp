// Routes of the files that answer a booking form: sent by visitors in their checkout and by staff, fetched by staff and
// by the booking's owner. They exist while the module of form fields is on.
#pragma once

#include "base/booking/checkout/routes.hpp"
#include "base/booking/desk/routes.hpp"

namespace svc::booking {

struct FileRoutes {
    Service& records;
    const Forms& forms;
    Sessions& sessions;
    store::Store& store;
    const settings::Settings& settings;
    const crypto::Keyring& keyring;
    limits::RateLimits& limits;
    const Clock& clock;
    api::Permission reads_own;  // decides by the path's id
};
void add_file_routes(api::RouteTable& routes, const FileRoutes& files);

}  // namespace svc::booking
