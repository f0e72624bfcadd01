// Routes of the files that answer a booking form: sent by visitors in their checkout and by staff, fetched by staff and
// by the booking's owner. They exist while the module of form fields is on.
#pragma once

#include "base/sales/booking/checkout/routes.hpp"
#include "base/sales/booking/desk/later_answers.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/form/files.hpp"

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
    std::shared_ptr<LaterAnswers> later;
    api::Permission reads_own;  // decides by the path's id
};
void add_file_routes(api::RouteTable& routes, const FileRoutes& files);
// Of the booking's owner: what can still be answered, and the answers.
void add_later_answer_routes(api::RouteTable& routes, const FileRoutes& files);

// -- shared by both
api::Type form_file_answer();
json::Value file_json(const form::KeptFile& file, const crypto::Keyring& keyring);

}  // namespace svc::booking
