// The wire form of gateways.
#include "base/sales/payment/gateways/wire.hpp"

#include "shared/api/named.hpp"

namespace svc::payment {

using json::Value;

namespace {

api::Schema offered_answer() {
    using namespace api;
    using api::text;
    return {
        {.name = "id", .type = text(50), .required = true},
        {.name = "title", .type = text(1000), .required = true},
        {.name = "description", .type = raw_text(5000)},
        {.name = "icon", .type = text(2000)},
        {.name = "is_offline", .type = boolean(), .help = "Paid outside this server."},
        {.name = "supports", .type = list(text(50))},
        {.name = "config", .type = map(anything()), .help = "Public configuration for the customer's page."},
        {.name = "pay_by",
         .type = instant().or_null(),
         .help = "Until when a booking made with it now is to be paid; null: without end."},
        {.name = "is_configured", .type = boolean(), .help = "Whether the configuration is complete, enabled or not."}};
}

}  // namespace

api::Type gateway_answer() { return api::object("Gateway", offered_answer()); }

api::Type definition_answer() {
    using namespace api;
    using api::text;
    const Schema field{
        {.name = "id", .type = text(50), .required = true},
        {.name = "type",
         .type = text(20),
         .help = "text, email, textarea, password, number, boolean, select or multiselect."},
        {.name = "label", .type = text(200)},
        {.name = "description", .type = text(1000)},
        {.name = "default", .type = anything()},
        {.name = "options", .type = list(text(100))},
        {.name = "secret", .type = boolean(), .help = "Masked in answers."},
        {.name = "min", .type = integer().or_null()},
        {.name = "max", .type = integer().or_null(), .help = "Largest number, or longest text."},
        {.name = "placeholder", .type = text(200)},
        {.name = "help_text", .type = text(1000), .help = "Same as description."},
        {.name = "help_url", .type = text(2000), .help = "The provider's help page; empty for none."},
        {.name = "show_when",
         .type = map(anything()).or_null(),
         .help = "Configuration values under which the field applies; null: always."},
        {.name = "condition", .type = map(anything()).or_null(), .help = "Same as show_when."},
        {.name = "readonly", .type = boolean(), .help = "The field is read-only."},
        {.name = "required", .type = boolean(), .help = "Required to enable the gateway, in live or test mode."}};
    return object(
        "GatewayDefinition",
        offered_answer()
            .without({"pay_by"})
            .plus({{.name = "fields",
                    .type = list(object("GatewayField", field)),
                    .help = "The configuration fields.",
                    .required = true},
                   {.name = "config",
                    .type = map(anything()),
                    .help = "The configuration; secrets masked.",
                    .required = true},
                   {.name = "enabled", .type = boolean(), .required = true},
                   {.name = "test_mode",
                    .type = boolean(),
                    .help = "Whether it uses the test environment, by its field test_mode or"
                            " the setting payment_test_mode."},
                   {.name = "sandbox_url", .type = text(2000), .help = "The provider's sandbox pages; may be empty."},
                   {.name = "requires_pro", .type = boolean()},
                   {.name = "is_premium", .type = boolean(), .help = "Same as requires_pro."}}));
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
