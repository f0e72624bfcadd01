// The wire form of payments and gateways.
#include "base/payment/wire.hpp"

namespace svc::payment {

using json::Value;

Value to_json(const Payment& p) {
    return Value::object({{"id", p.id},
                          {"reference", p.reference()},
                          {"booking_id", p.booking_id},
                          {"booking_reference", p.booking_reference},
                          {"customer_name", p.customer_name},
                          {"customer_email", p.customer_email},
                          {"trip_title", p.trip_title},
                          {"transaction_id", p.transaction_id},
                          {"gateway", p.gateway},
                          {"method", p.method},
                          {"method_label", p.method},
                          {"amount", p.amount},
                          {"currency", p.amount.currency().code()},
                          {"status", p.status},
                          {"type", p.type},
                          {"source", p.source},
                          {"notes", p.notes},
                          {"date", p.date},
                          {"processed_at", p.processed_at},
                          {"created_at", p.created_at},
                          {"updated_at", p.updated_at}});
}

namespace {

Value strings(const std::vector<std::string>& texts) {
    Value list = Value::array();
    for (const std::string& text : texts)
        list.push(text);
    return list;
}

}  // namespace

Value to_json(const OfferedGateway& offered) {
    const GatewayInfo& info = offered.gateway->info();
    const std::string title = offered.config.text_or("title", info.title);
    const std::string description = offered.config.text_or("description", info.description);
    return Value::object({{"id", info.id},
                          {"title", title.empty() ? info.title : title},
                          {"description", description.empty() ? info.description : description},
                          {"icon", info.icon},
                          {"is_offline", info.is_offline},
                          {"supports", strings(info.supports)},
                          {"is_configured", offered.enabled}});
}

Value to_definition(const OfferedGateway& offered) {
    const GatewayInfo& info = offered.gateway->info();
    Value definition = to_json(offered);
    Value fields = Value::array();
    for (const GatewayField& field : info.fields)
        fields.push(Value::object({{"id", field.id},
                                   {"type", field.type},
                                   {"label", field.label},
                                   {"description", field.description},
                                   {"default", field.fallback},
                                   {"options", strings(field.options)},
                                   {"secret", field.secret},
                                   {"min", field.least},
                                   {"max", field.most}}));
    definition.set("fields", std::move(fields));
    definition.set("config", Service::shown(offered));
    definition.set("enabled", offered.enabled);
    definition.set("requires_pro", info.requires_pro);
    definition.set("is_premium", info.requires_pro);
    return definition;
}

}  // namespace svc::payment
