// The addresses of a list's other pages (RFC 8288).
#pragma once

#include <string>
#include <string_view>

#include "shared/api/route.hpp"

namespace svc::app {

// The value of a Link header: first, prev, next and last, as far as there are such pages, as references relative to
// the server. `path` and `query` are those of the request, not decoded. Empty for a query too long to be repeated.
std::string page_links(std::string_view path, std::string_view query, const api::PageMeta& page);

}  // namespace svc::app
