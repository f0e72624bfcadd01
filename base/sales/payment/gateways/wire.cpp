// The wire form of gateways.
#include "base/sales/payment/gateways/wire.hpp"

#include "shared/api/named.hpp"

namespace svc::payment {

using json::Value;

namespace {

api::Schema offered_answer() {
    using namespace api;
    using api::text;
    return {{"id", text(50), "", true},
            {"title", text(1000), "", true},
            {"description", raw_text(5000)},
            {"icon", text(2000)},
            {"is_offline", boolean(), "Paid outside this server."},
            {"supports", list(text(50))},
            {"config", map(anything()), "Public configuration for the customer's page."},
            {"pay_by", instant().or_null(), "Until when a booking made with it now is to be paid; null: without end."},
            {"is_configured", boolean(), "Whether the configuration is complete, enabled or not."}};
}

}  // namespace

api::Type gateway_answer() { return api::object("Gateway", offered_answer()); }

api::Type definition_answer() {
    using namespace api;
    using api::text;
    const Schema field{
        {"id", text(50), "", true},
        {"type", text(20), "text, email, textarea, password, number, boolean, select or multiselect."},
        {"label", text(200)},
        {"description", text(1000)},
        {"default", anything()},
        {"options", list(text(100))},
        {"secret", boolean(), "Masked in answers."},
        {"min", integer().or_null()},
        {"max", integer().or_null(), "Largest number, or longest text."},
        {"placeholder", text(200)},
        {"help_text", text(1000), "Same as description."},
        {"help_url", text(2000), "The provider's help page; empty for none."},
        {"show_when", map(anything()).or_null(), "Configuration values under which the field applies; null: always."},
        {"condition", map(anything()).or_null(), "Same as show_when."},
        {"readonly", boolean(), "The field is read-only."},
        {"required", boolean(), "Required to enable the gateway, in live or test mode."}};
    return object("GatewayDefinition",
                  offered_answer()
                      .without({"pay_by"})
                      .plus({{"fields", list(object("GatewayField", field)), "The configuration fields.", true},
                             {"config", map(anything()), "The configuration; secrets masked.", true},
                             {"enabled", boolean(), "", true},
                             {"test_mode", boolean(),
                              "Whether it uses the test environment, by its field test_mode or"
                              " the setting payment_test_mode."},
                             {"sandbox_url", text(2000), "The provider's sandbox pages; may be empty."},
                             {"requires_pro", boolean()},
                             {"is_premium", boolean(), "Same as requires_pro."}}));
}

namespace {

Value strings(const std::vector<std::string>& texts) { return json::array_of(texts); }

// Of the world it works in.
Value public_config(const OfferedGateway& offered) {
    Value config = Value::object();
    for (const GatewayField& field : offered.gateway->info().fields)
        if (field.is_public && !field.secret && field.test_mode.value_or(offered.test_mode) == offered.test_mode)
            config.set(field.id, offered.config[field.id]);
    return config;
}

}  // namespace

Value to_json(const OfferedGateway& offered, std::optional<Instant> pay_by) {
    Value value = to_json(offered);
    value.set("pay_by", pay_by);
    return value;
}

Value to_json(const OfferedGateway& offered) {
    const GatewayInfo& info = offered.gateway->info();
    const std::string title = offered.config.text_or("title", info.title);
    const std::string icon = offered.config.text_or("icon");
    const std::string description = offered.config.text_or("description", info.description);
    return Value::object({{"id", info.id},
                          {"title", title.empty() ? info.title : title},
                          {"description", description.empty() ? info.description : description},
                          {"icon", icon.empty() ? info.icon : icon},
                          {"is_offline", info.is_offline},
                          {"supports", strings(info.supports)},
                          {"config", public_config(offered)},
                          {"is_configured", offered.takes(Money{100, Currency::usd()})}});
}

Value to_definition(const OfferedGateway& offered, const std::optional<std::string>& shipped) {
    const GatewayInfo& info = offered.gateway->info();
    Value definition = to_json(offered);
    Value fields = Value::array();
    const auto add = [&](const GatewayField& field) {
        const Value when = field.test_mode ? Value::object({{"test_mode", *field.test_mode}}) : Value();
        fields.push(Value::object({{"id", field.id},
                                   {"type", field.type},
                                   {"label", field.label},
                                   {"description", field.description},
                                   {"default", field.fallback},
                                   {"options", strings(field.options)},
                                   {"secret", field.secret},
                                   {"min", field.least},
                                   {"max", field.most},
                                   {"placeholder", field.placeholder},
                                   {"help_text", field.description},
                                   {"help_url", field.help_url},
                                   {"show_when", when},
                                   {"condition", when},
                                   {"readonly", field.readonly},
                                   {"required", field.required || field.filled}}));
    };
    for (const GatewayField& field : fields_of(info))
        add(field);
    definition.set("fields", std::move(fields));
    Value config = GatewayService::masked_config(offered);
    for (const GatewayField& field : info.fields)
        if (field.proposed && !offered.enabled && !config.find(field.id))
            config.set(field.id, field.fallback);
    if (shipped && config.text_or("instructions").empty())
        config.set("instructions", *shipped);
    definition.set("config", std::move(config));
    definition.set("enabled", offered.enabled);
    definition.set("test_mode", offered.test_mode);
    definition.set("sandbox_url", info.sandbox_url);
    definition.set("requires_pro", info.requires_pro);
    definition.set("is_premium", info.requires_pro);
    return definition;
}

}  // namespace svc::payment
