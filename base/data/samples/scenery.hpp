// Pictures of landscapes that never were, drawn for the sample catalogue: the same words give the same picture.
#pragma once

#include <string_view>

#include "base/platform/images/images.hpp"

namespace svc::samples {

// `kind` is one of the catalogue's words (city, sea, desert, …); another word is drawn as mountains.
images::Picture scenery(std::string_view kind, int width, int height);

}  // namespace svc::samples
