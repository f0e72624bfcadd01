// The only way in which this program requests other servers (promise S9).
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/platform/outbound/address.hpp"
#include "shared/core/result.hpp"

namespace svc::outbound {

struct FetchRequest {
    std::string url;             // http or https, no user and password, ports 80 and 443
    std::string method = "GET";  // GET, HEAD, POST, PUT, PATCH, DELETE
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
    std::chrono::milliseconds timeout{5000};  // for everything, redirects included; connecting has 3 s of it
    std::size_t most_bytes = 1 << 20;         // of the answer's body, counted after decompression
    int redirects = 0;                        // followed for GET and HEAD alone; else the 3xx is the answer
    std::string ca_file = {};                 // instead of the system's certificates
};

struct FetchAnswer {
    int status = 0;                                            // any; a 404 is an answer too
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case, of the last hop
    std::string body;

    // The first value of that name (lower case), empty when absent.
    [[nodiscard]] std::string_view header(std::string_view name) const;
};

// svc_upstream_error without a complete response; its cause has the reason, without the address. Rejects a target
// outside the public Internet after resolving its name, at each hop, unless `allowed` has it. Only a few requests wait
// for a host that left the last ones unanswered, the others fail at once (base/platform/outbound/partners.hpp). Blocks:
// never inside a transaction. Any thread.
Result<FetchAnswer> fetch(const FetchRequest& request, const Allowed& allowed);

}  // namespace svc::outbound
