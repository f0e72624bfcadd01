// The wire form of payments and gateways.
#include "base/payment/wire.hpp"

#include "shared/api/named.hpp"

namespace svc::payment {

using json::Value;

std::optional<Currency> currency_named(std::string_view code) {
    std::string upper(code);
    for (char& c : upper)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    const auto currency = Currency::parse(upper);
    return currency ? std::optional(*currency) : std::nullopt;
}

Value to_own_json(const Payment& p) {
    return Value::object({{"id", p.id},
                          {"reference", p.reference()},
                          {"booking_id", p.booking_id},
                          {"booking_reference", p.booking_reference},
                          {"customer_name", p.customer_name},
                          {"customer_email", p.customer_email},
                          {"trip_title", p.trip_title},
                          {"transaction_id", p.transaction_id},
                          {"gateway", p.gateway},
                          {"method", p.gateway},
                          {"method_label", p.method},
                          {"amount", p.amount},
                          {"currency", p.amount.currency().code()},
                          {"amount_refunded", p.refunded},
                          {"status", p.status},
                          {"type", p.type},
                          {"source", p.source},
                          {"date", p.date},
                          {"processed_at", p.processed_at},
                          {"created_at", p.created_at},
                          {"updated_at", p.updated_at}});
}

Value to_json(const Payment& payment) {
    Value json = to_own_json(payment);
    json.set("notes", payment.notes);
    json.set("fee", payment.fee);
    json.set("reconciliation", payment.reconciliation);
    return json;
}

namespace {

api::Schema payment_members() {
    using namespace api;
    using api::text;
    return {
        {"id", id(), "", true},
        {"reference", text(20), "PAY- and six digits.", true},
        {"booking_id", id(), "", true},
        {"booking_reference", text(32)},
        {"customer_name", text(201)},
        {"customer_email", text(254)},
        {"trip_title", text(255)},
        {"transaction_id", text(191).or_null(), "The provider's transaction id."},
        {"gateway", text(50)},
        {"method", text(50), "Same as gateway."},
        {"method_label", text(100), "Name of the payment method for customers."},
        {"amount", money(), "", true},
        {"currency", text(3), "", true},
        {"amount_refunded", money(), "The refunded amount."},
        {"fee", money().or_null(), "The provider's fee; staff only."},
        {"reconciliation", choice({"manual", "matched", "refund_due"}),
         "manual: recorded by hand; matched: reported by the provider; refund_due: without a matching charge."},
        {"status", choice({std::begin(status::all), std::end(status::all)}), "", true},
        {"type", choice({"initial", "partial", "final"}), "Derived from its position among the booking's payments."},
        {"source", text(20), "manual: recorded by staff."},
        {"notes", raw_text(5000), "Notes for staff."},
        {"date", date(), "The payment date."},
        {"processed_at", instant().or_null(), "When it was completed."},
        {"created_at", instant(), "", true},
        {"updated_at", instant()}};
}

}  // namespace

api::Type payment_answer() { return api::object("Payment", payment_members()); }

api::Type told_payment_answer() {
    return api::object(
        "OwnPayment",
        payment_members().plus({{"invoice_token", api::text(200), "Grants access to this payment's invoice."}}));
}

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
    return object(
        "GatewayDefinition",
        offered_answer().plus({{"fields", list(object("GatewayField", field)), "The configuration fields.", true},
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

Value strings(const std::vector<std::string>& texts) {
    Value list = Value::array();
    for (const std::string& text : texts)
        list.push(text);
    return list;
}

// Of the world it works in.
Value public_config(const OfferedGateway& offered) {
    Value config = Value::object();
    for (const GatewayField& field : offered.gateway->info().fields)
        if (field.is_public && !field.secret && field.test_mode.value_or(offered.test_mode) == offered.test_mode)
            config.set(field.id, offered.config[field.id]);
    return config;
}

}  // namespace

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

Value to_definition(const OfferedGateway& offered) {
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
                                   {"required", field.required}}));
    };
    for (const GatewayField& field : fields_of(info))
        add(field);
    definition.set("fields", std::move(fields));
    definition.set("config", Service::shown(offered));
    definition.set("enabled", offered.enabled);
    definition.set("test_mode", offered.test_mode);
    definition.set("sandbox_url", info.sandbox_url);
    definition.set("requires_pro", info.requires_pro);
    definition.set("is_premium", info.requires_pro);
    return definition;
}

}  // namespace svc::payment
