// A form with a file as browsers send it: multipart/form-data (RFC 7578).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"

namespace svc::catalog::media {

struct FormPart {
    std::string name;
    std::optional<std::string> file_name;  // of files alone
    std::string_view content;              // refers to the body
};

// The parts of a multipart body: svc_unsupported_media_type for another content type, invalid_request for a malformed
// body or more than ten parts. Strict: rejects bodies that two parsers could read differently.
Result<std::vector<FormPart>> read_form(std::string_view content_type, std::string_view body);

}  // namespace svc::catalog::media
