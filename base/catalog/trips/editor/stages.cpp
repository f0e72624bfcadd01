// Applies the filters of a write and validates their results.
#include "base/catalog/trips/editor/stages.hpp"

#include <algorithm>
#include <functional>

#include "base/catalog/trips/record/hooks.hpp"
#include "shared/core/log.hpp"

namespace svc::catalog::trips {
namespace {

using json::Value;

class Stages {
  public:
    Stages(const Service& trips, const api::Request& request, bool fresh)
        : hooks_(trips.hooks()), schema_(request.route->body) {
        for (const auto& part : trips.showing().parts)
            relations_.emplace_back(part->name());
        if (!fresh)
            arguments_.push_back(request.path_id());
    }

    // Passes the members that `is_selected` selects through the filter; leaves the others.
    void pass(Value& body, const hooks::Filter& filter,
              const std::function<bool(const std::string&)>& is_selected) const {
        Value about = Value::object(), rest = Value::object();
        for (const auto& [name, value] : body.members())
            (is_selected(name) ? about : rest).set(name, value);
        const Value filtered = hooks_.apply(filter, about, arguments_);
        if (filtered == about)
            return;
        for (const auto& [name, value] : filtered.members())
            if (is_selected(name))
                rest.set(name, value);
        auto clean = schema_.check(rest);
        if (clean)
            body = std::move(*clean);
        else
            log::warning("filter_ignored", {{"filter", filter.name}, {"why", clean.error().message().english()}});
    }

    [[nodiscard]] bool is_relation(const std::string& name) const {
        return std::find(relations_.begin(), relations_.end(), name) != relations_.end();
    }

  private:
    const hooks::Hooks& hooks_;
    const api::Schema& schema_;
    std::vector<std::string> relations_;
    json::Array arguments_;
};

}  // namespace

Value staged_body(const Service& trips, const api::Request& request, bool fresh) {
    const Stages stages(trips, request, fresh);
    const auto is_version = [](const std::string& name) { return name == "row_version"; };
    Value body = request.body;
    stages.pass(body, fresh ? trip_create_raw_data : trip_update_raw_data,
                [&](const std::string& name) { return !is_version(name); });
    stages.pass(body, fresh ? trip_create_sanitized_data : trip_update_sanitized_data,
                [&](const std::string& name) { return !is_version(name) && !stages.is_relation(name); });
    stages.pass(body, fresh ? trip_create_relationships : trip_update_relationships,
                [&](const std::string& name) { return stages.is_relation(name); });
    return body;
}

}  // namespace svc::catalog::trips
