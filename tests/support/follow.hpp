// Follows a mail's link as its reader does: opens the page and presses the button.
#pragma once

#include "tests/support/test_base.hpp"

namespace svc::tests {

// Posts the token of `target` ("/booking/verify-email?token=…"), with `more`, where the page's form would.
inline Answered follow(TestBase& base, const std::string& target, json::Value more = json::Value::object(),
                       const Visitor& by = {}) {
    const auto at = target.find("?token=");
    more.set("token", at == std::string::npos ? std::string() : target.substr(at + 7));
    return base.post(target.substr(0, at), more, by);
}

}  // namespace svc::tests
