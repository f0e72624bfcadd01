// The further fields of customers: which ones the operator declares (setting customer_fields), and their values.
#pragma once

#include "base/settings/values/settings.hpp"
#include "shared/core/faults.hpp"

namespace svc::customers {

void declare_settings(settings::Settings& settings);

// The declared fields as answers show them: id, label, type and, of a select, options.
api::Type extra_fields_type();

// `stored` with the values of `given`, both texts by id. An empty or null value removes one; values that are not sent
// stay, also those of fields that are no longer declared. A value that differs from the stored one must belong to a
// declared field and be of its type; faults are named fields.ID, and `stored` keeps its value there.
json::Value with_extra_fields(json::Value stored, const json::Value& given, const json::Value& declared,
                              Faults& faults);

}  // namespace svc::customers
