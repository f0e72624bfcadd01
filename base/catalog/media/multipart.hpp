// A form with a file as browsers send it: multipart/form-data (RFC 7578).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/schema.hpp"
#include "shared/core/result.hpp"

namespace svc::catalog::media {

struct FormPart {
    std::string name;
    std::optional<std::string> file_name;  // of files alone
    std::string_view content;              // refers to the body
};

// The parts of a multipart body: svc_unsupported_media_type for another content type, invalid_request for a malformed
// body or more parts than that. Strict: rejects bodies that two parsers could read differently.
Result<std::vector<FormPart>> read_form(std::string_view content_type, std::string_view body,
                                        std::size_t most_parts = 10);

// The name of the part that is the file, in every upload.
inline constexpr const char* file_part = "file";
// The parts of an upload for RouteSpec::body: the file, and fields that are texts in the form. OpenAPI describes them,
// and read_upload takes no others.
api::Schema upload_form(const api::Schema& fields, const std::string& help);

struct UploadForm {
    FormPart file;
    json::Value fields;  // of the other parts, as they were sent
};
// svc_validation_error naming a part that is missing, empty, not of the form or there twice; else as read_form.
Result<UploadForm> read_upload(std::string_view content_type, std::string_view body, const api::Schema& form);

}  // namespace svc::catalog::media
