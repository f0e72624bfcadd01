// Notifies a client that uses a deprecated route or field (spec 9.3): by headers and by `notices` in the envelope.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/app/render.hpp"
#include "shared/api/deprecation.hpp"

namespace svc::app {

// The deprecated routes and fields of a route table. Immutable, any thread.
class Notices {
  public:
    // Every route is known by now.
    Notices(const api::RouteTable& routes, std::string base_path);

    // Headers of each response of the route.
    [[nodiscard]] std::vector<api::Notice> of_route(const api::RouteSpec& route) const;
    // Adds the deprecated fields of this query and this body as they were sent; invalid input adds none.
    void add_used(std::vector<api::Notice>& notices, const api::RouteSpec& route, std::string_view query,
                  std::string_view body) const;
    void add_used(std::vector<api::Notice>& notices, const api::RouteSpec& route, const json::Value& query,
                  const json::Value& body) const;
    // Adds the headers Deprecation (RFC 9745) and Link, and `notices` to an envelope. The header covers the route and
    // the request's fields; fields of the response only have a notice.
    void add_to(Rendered& answer, const api::Request& request, const std::vector<api::Notice>& notices) const;

  private:
    struct Declared {
        std::vector<api::Notice> always;
        bool in_query = false, in_body = false;
    };
    const std::string base_path_;
    std::unordered_map<const api::RouteSpec*, Declared> routes_;  // those with something deprecated
};

}  // namespace svc::app
