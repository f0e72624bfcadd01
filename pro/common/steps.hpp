// The storage steps of migrations/pro, embedded in this library.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "shared/core/embedded.hpp"
#include "shared/plugin/host.hpp"

namespace svc::embedded {
std::span<const Embedded> pro_steps();
}

namespace svc::pro {

inline plugin::Step step(std::string_view name) {
    for (const auto& file : embedded::pro_steps())
        if (file.name == name)
            return {file.name, file.text};
    throw std::logic_error("There is no step " + std::string(name) + ".");
}

}  // namespace svc::pro
