// Faults under other names of their fields.
#pragma once

#include <utility>

#include "shared/core/result.hpp"

namespace svc::api {

// The error with each field named as `rename` returns it.
template <class Rename>
Error rename_fields(const Error& error, const Rename& rename) {
    Error renamed(error.code(), error.message());
    for (const FieldError& fault : error.fields())
        renamed.at(rename(fault.field), fault.sentence);
    for (const auto& [name, text] : error.data())
        renamed.with(name, text);
    if (error.retry_after())
        renamed.after(*error.retry_after());
    return std::move(renamed.because(error.cause()));
}

}  // namespace svc::api
