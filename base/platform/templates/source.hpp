// A template's text made ready to be compiled: checked, its partials put in, its texts set aside.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/templates/template.hpp"

namespace svc::templates {

struct Source {
    std::string text;                         // mustache without partials, comments and texts; `{{&t:3}}` is texts[3]
    std::vector<std::string> texts;           // the English of each {{#t}}…{{/t}}
    std::set<std::string, std::less<>> tags;  // the names that it reads from its data, arguments of texts included
};

// Its errors are svc_validation_error with one sentence that names the file and the line.
Result<Source> prepare(std::string_view name, std::string_view text, const Reading& reading);

}  // namespace svc::templates
