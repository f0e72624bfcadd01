// Forms with files, as browsers send them: multipart/form-data.
#pragma once

#include "base/website/pages/request.hpp"

namespace svc::pages {

// Fills visit.form and visit.files from the body; throws Stopped for one that cannot be read.
void read_files(PageRequest& visit, std::string_view content_type);

}  // namespace svc::pages
