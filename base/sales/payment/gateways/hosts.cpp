// Which fields of a gateway are secrets.
#include "base/sales/payment/gateways/hosts.hpp"

#include "base/settings/values/secret_hosts.hpp"

namespace svc::payment {

Result<void> check_gateway_hosts(const GatewayInfo& info, const json::Value& before, const json::Value& changes,
                                 const json::Value& after) {
    std::vector<std::string> secrets{"webhook_secret"};  // every gateway's
    for (const GatewayField& field : info.fields)
        if (field.secret)
            secrets.push_back(field.id);
    return settings::check_secret_hosts(secrets, before, changes, after);
}

}  // namespace svc::payment
