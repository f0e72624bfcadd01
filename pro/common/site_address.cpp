// Reads the address of the site from the state of the system.
#include "pro/common/site_address.hpp"

#include "pro/common/sent_text.hpp"

namespace svc::pro {

Result<void> SiteAddress::learn() {
    if (!site_url_.empty())
        return {};
    try {
        SVC_ASSIGN_OR_RETURN(const auto status,
                             calls_({.path = "/tools/system-status", .as = plugin::Calls::As::system}));
        const json::Value& server = status.data()["server"];
        std::string address = sent_text(server, "site_url");
        while (address.ends_with('/'))
            address.pop_back();
        if (address.empty())
            return Error{errc::unavailable}.because("the base does not say its address");
        base_path_ = sent_text(server, "base_path");
        site_url_ = std::move(address);
    } catch (const store::Failure&) {  // the base does not answer itself yet
        return errc::unavailable;
    }
    return {};
}

Result<std::string> SiteAddress::site_url() {
    const std::lock_guard lock(mutex_);
    SVC_RETURN_IF_ERROR(learn());
    return site_url_;
}

Result<std::string> SiteAddress::base_path() {
    const std::lock_guard lock(mutex_);
    SVC_RETURN_IF_ERROR(learn());
    return base_path_;
}

}  // namespace svc::pro
