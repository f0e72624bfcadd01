// The gateway registry.
#include "base/sales/payment/gateways/gateways.hpp"

#include <stdexcept>

namespace svc::payment {

bool Gateways::is_id(std::string_view text) {
    return !text.empty() && text.size() <= 64 && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == text.npos;
}

void Gateways::add(std::shared_ptr<Gateway> gateway) {
    const auto& id = gateway->info().id;
    if (!is_open_)
        throw std::logic_error("The gateway " + id + " came after the start.");
    if (!is_id(id))
        throw std::logic_error("\"" + id + "\" is no gateway id.");
    if (find(id))
        throw std::logic_error("There are two gateways " + id + ".");
    gateways_.push_back(std::move(gateway));
}

const Gateway* Gateways::find(std::string_view id) const {
    for (const auto& gateway : gateways_)
        if (gateway->info().id == id)
            return gateway.get();
    return nullptr;
}

Result<void> may_list(const Gateways& gateways, const std::string& key, const json::Value& requested,
                      const json::Value& present) {
    for (const json::Value& id : requested.items()) {
        bool is_listed = false;  // of an edition that is away now, perhaps
        for (const json::Value& other : present.items())
            is_listed = is_listed || other == id;
        if (!is_listed && !gateways.find(id.text()))
            return invalid(key, "There is no payment gateway {id}."_sentence.with("id", id.text()));
    }
    return {};
}

}  // namespace svc::payment
