// Addresses of other servers that a page needs, as its content security policy names them.
#pragma once

#include <string>
#include <vector>

namespace svc::pages {

// Each is scheme and host, "https://js.stripe.com"; a host may begin with "*.". Declared once by the gateway or the
// integration that needs them, and added to the pages where it is used.
struct Origins {
    std::vector<std::string> form = {};     // where a form may lead to
    std::vector<std::string> script = {};   // where scripts come from
    std::vector<std::string> frame = {};    // servers of framed pages
    std::vector<std::string> connect = {};  // servers that scripts may call
    std::vector<std::string> image = {};    // where pictures come from, besides https
};

}  // namespace svc::pages
