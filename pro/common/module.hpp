// A module of this edition by its row in the list that both editions have.
#pragma once

#include "shared/plugin/host.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::pro {

// Throws std::logic_error for a slug that the list lacks.
inline plugin::Module module_named(std::string_view slug, std::vector<plugin::Step> steps = {}) {
    for (const plugin::ProModule& row : plugin::pro_modules)
        if (row.slug == slug) {
            plugin::Module module{.slug = std::string(row.slug),
                                  .name = std::string(row.name),
                                  .description = std::string(row.description),
                                  .category = std::string(row.category),
                                  .plan = std::string(row.plan),
                                  .steps = std::move(steps)};
            if (!row.depends_on.empty())
                module.depends_on.emplace_back(row.depends_on);
            return module;
        }
    throw std::logic_error("no module is called " + std::string(slug));
}

}  // namespace svc::pro
