// Calls into a plugin's gateway.
#include "base/platform/plugins/gateway.hpp"

#include "shared/core/log.hpp"
#include "shared/plugin/codec.hpp"

namespace svc::plugins {
namespace {

using plugin::borrow;
using plugin::text_of;
using plugin::texts_of;

payment::GatewayField field_from(const json::Value& value) {
    payment::GatewayField field{.id = text_of(value, "id"),
                                .type = text_of(value, "type"),
                                .label = text_of(value, "label"),
                                .description = value.text_or("description"),
                                .fallback = value["fallback"]};
    field.options = texts_of(value, "options");
    field.secret = value.maybe_boolean("secret").value_or(false);
    field.least = value.maybe_integer("least");
    field.most = value.maybe_integer("most");
    return field;
}

}  // namespace

payment::GatewayInfo gateway_info_from(const json::Value& value) {
    payment::GatewayInfo info{.id = text_of(value, "id"),
                              .title = text_of(value, "title"),
                              .description = value.text_or("description"),
                              .icon = value.text_or("icon")};
    info.is_offline = value.maybe_boolean("is_offline").value_or(false);
    info.supports = texts_of(value, "supports");
    if (value["fields"].is_array())
        for (const auto& field : value["fields"].items())
            info.fields.push_back(field_from(field));
    info.module = value.text_or("module");
    info.requires_pro = value.maybe_boolean("requires_pro").value_or(true);
    return info;
}

bool PluginGateway::available(const json::Value& config, const Money& amount) const {
    std::int32_t answer = 0;
    const auto status = plugin::barrier(nullptr, [&] {
        guest_->must_be_here();
        const auto text = config.dump();
        answer = table_->available(table_->context, borrow(text), amount.minor(), borrow(amount.currency().code()));
        return SVC_OK;
    });
    return status == SVC_OK && answer == 1;
}

std::string PluginGateway::instructions(const json::Value& config, const json::Value& booking) const {
    if (!SVC_HAS(svc_gateway_1, table_, instructions))
        return {};
    try {
        guest_->must_be_here();
        const auto config_text = config.dump();
        const auto booking_text = booking.dump();
        plugin::Answer answer;
        const auto status = plugin::barrier(answer.table(), [&] {
            return table_->instructions(table_->context, borrow(config_text), borrow(booking_text), answer.table());
        });
        const auto words = answer.value(status);
        return words && words->is_string() ? words->text() : std::string();
    } catch (const std::exception& e) {
        log::error("plugin_gateway", {{"plugin", guest_->name()}, {"gateway", info_.id}, {"cause", e.what()}});
        return {};
    }
}

}  // namespace svc::plugins
