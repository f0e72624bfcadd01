// The answers of the reports' routes, for OpenAPI. Any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shared/api/schema.hpp"

namespace svc::reports {

// Names as the choices of a field.
std::vector<std::string> words(std::span<const std::string_view> names);

api::Type report_answer();
api::Type rows_answer();
api::Type export_answer();  // one row of the file as JSON

}  // namespace svc::reports
