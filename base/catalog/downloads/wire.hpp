// Downloads as JSON.
#pragma once

#include "base/catalog/downloads/download.hpp"
#include "base/catalog/media/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::catalog::downloads {

json::Value to_json(Download download, const media::Service& media);
api::Type answer();
// An item of the list that is written, and what it says.
api::Type item();
Download download_of(json::Value clean);

}  // namespace svc::catalog::downloads
