// Downloads as JSON.
#pragma once

#include "base/catalog/downloads/download.hpp"
#include "base/catalog/media/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::catalog::downloads {

json::Value to_json(Download download, const media::Service& media);
api::Type answer();
// The schema of an item in a body.
api::Type item();
Download download_of(json::Value clean);

}  // namespace svc::catalog::downloads
