// Gateways as the operator set them up: enabling, configuration fields, secrets at rest.
#include <algorithm>
#include <mutex>
#include <set>

#include "base/platform/store/changes.hpp"
#include "base/sales/payment/gateways/fields.hpp"
#include "base/sales/payment/gateways/hosts.hpp"
#include "base/sales/payment/gateways/said.hpp"
#include "base/sales/payment/gateways/service.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {
namespace {

using json::Value;

std::string bound_to(std::string_view gateway, std::string_view field) {
    return "payment_gateways/" + std::string(gateway) + "/" + std::string(field);
}

// Those that `config` has, by their ids.
template <class Each>
void each_secret(const GatewayInfo& info, const Value& config, const Each& each) {
    for (const GatewayField& field : info.fields)
        if (field.secret && config[field.id].is_string())
            each(field.id);
    if (has_common_secret(info) && config[common_secret].is_string())
        each(common_secret);
}

// Logged once per gateway, since every read finds it.
void log_unreadable_secrets(const std::string& gateway) {
    static std::mutex mutex;
    static std::set<std::string> logged;
    const std::lock_guard lock(mutex);
    if (logged.insert(gateway).second)
        log::error("gateway_secrets_unreadable",
                   {{"gateway", gateway}, {"cause", "encrypted with another key file; enter its secrets again"}});
}

Result<Value> without_secrets(const GatewayInfo& info, const std::string& config) {
    const auto parsed = json::parse(config);
    Value rest = parsed && parsed->is_object() ? *parsed : Value::object();
    each_secret(info, Value(rest), [&](const std::string& id) { rest.erase(id); });
    return rest;
}

}  // namespace

bool OfferedGateway::takes(const Money& amount) const {
    Value config_with_mode = config;
    config_with_mode.set("test_mode", test_mode);
    return gateway->available(config_with_mode, amount);
}

Result<Value> GatewayService::unseal(const GatewayInfo& info, const std::string& config) const {
    SVC_ASSIGN_OR_RETURN(auto parsed, json::parse(config));
    Value plain = parsed;
    std::optional<Error> unreadable;
    each_secret(info, parsed, [&](const std::string& id) {
        auto secret = parts_.keyring.open(parsed[id].text(), bound_to(info.id, id));
        if (secret)
            plain.set(id, std::move(*secret));
        else
            unreadable = secret.error();
    });
    if (unreadable)
        return *unreadable;
    return plain;
}

Result<std::int64_t> GatewayService::renew_sealed() {
    std::int64_t count = 0;
    for (const auto& gateway : parts_.gateways.all()) {
        const GatewayInfo& info = gateway->info();
        const auto done = parts_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            GatewayRepository::lock(tx);
            const auto stored = GatewayRepository::find(tx, info.id);
            const Value before = stored ? json::parse(stored->config).value() : Value::object();
            Value after = before;
            std::int64_t renewed = 0;
            each_secret(info, before, [&](const std::string& id) {
                const auto text = parts_.keyring.renewed(before[id].text(), bound_to(info.id, id));
                renewed += text ? 1 : 0;
                after.set(id, text ? Value(*text) : before[id]);
            });
            if (renewed > 0)
                GatewayRepository::save(tx, info.id, {stored->enabled, after.dump()}, parts_.clock.now());
            if (renewed > 0)
                store::touch(tx, gateways_channel);
            return renewed;
        });
        if (!done)
            return done.error();
        count += *done;
    }
    forget_configs();
    return count;
}

std::optional<StoredConfig> GatewayService::row_of(const std::string& slug, store::Session* session) {
    std::uint64_t as_of = 0;
    {
        const std::lock_guard lock(configs_mutex_);
        if (const auto known = configs_.find(slug); known != configs_.end())
            return known->second;
        as_of = configs_forgotten_;
    }
    const auto read = [&](store::Session& open) { return GatewayRepository::find(open, slug); };
    auto row = session ? read(*session) : parts_.store.reading<std::optional<StoredConfig>>(read);
    const std::lock_guard lock(configs_mutex_);
    // A change during the read may be missing from it.
    if (as_of == configs_forgotten_)
        configs_.insert_or_assign(slug, row);
    return row;
}

void GatewayService::forget_configs() {
    const std::lock_guard lock(configs_mutex_);
    configs_.clear();
    ++configs_forgotten_;
}

Value GatewayService::plain_config(store::Session& session, const std::string& gateway) {
    const auto row = row_of(gateway, &session);
    auto config = row ? json::parse(row->config) : Result<Value>(errc::not_found);
    return config ? std::move(*config) : Value::object();
}

OfferedGateway GatewayService::stored(const Gateway& gateway) { return as_stored(gateway, row_of(gateway.info().id)); }

OfferedGateway GatewayService::as_stored(const Gateway& gateway, const std::optional<StoredConfig>& row) {
    const GatewayInfo& info = gateway.info();
    OfferedGateway offered{.gateway = &gateway, .config = Value::object()};
    offered.config.set("test_mode", false);
    for (const GatewayField& field : info.fields)
        if (!field.secret && !field.proposed)
            offered.config.set(field.id, field.fallback);
    bool readable = true;
    if (row) {
        auto config = unseal(info, row->config);
        readable = static_cast<bool>(config);
        // Encrypted with another key: shows the other members and disables the gateway until its secrets are entered
        // again. A gateway must not run on half of its configuration, nor block the others.
        if (!readable) {
            log_unreadable_secrets(info.id);
            config = without_secrets(info, row->config);
        }
        for (const auto& [name, value] : config->members())
            if (!is_retired(name))
                offered.config.set(name, value);
    }
    offered.enabled = readable && is_listed(parts_.settings.get("payment_gateways"), info.id);
    offered.test_mode = in_test_mode(offered.config);
    return offered;
}

std::optional<std::string> GatewayService::shipped_text(std::string_view id) const {
    return id == "pay_later"
               ? std::optional(shipped_instructions(parts_.settings, parts_.settings.text("site_language")))
               : std::nullopt;
}

Value GatewayService::masked_config(const OfferedGateway& offered) {
    Value config = offered.config;
    each_secret(offered.gateway->info(), offered.config,
                [&](const std::string& id) { config.set(id, settings::masked(offered.config[id].text())); });
    return config;
}

// The setting alone decides which gateways are offered.
Result<void> GatewayService::list(store::Transaction& tx, const std::string& id, bool enabled) {
    // Not from memory, which another process may be ahead of.
    const auto stored = GatewayRepository::listed(tx);
    const auto parsed = stored ? json::parse(*stored) : Result<Value>(errc::not_found);
    const Value before = parsed && parsed->is_array() ? *parsed : parts_.settings.get("payment_gateways");
    Value after = Value::array();
    bool was_listed = false;
    for (const Value& one : before.items()) {
        const bool is_it = one.text() == id;
        was_listed = was_listed || is_it;
        if (!is_it || enabled)
            after.push(one);
    }
    if (enabled == was_listed)
        return {};
    if (enabled)
        after.push(id);
    const auto written = parts_.settings.write(tx, Value::object({{"payment_gateways", std::move(after)}}), 0);
    return written ? Result<void>{} : written.error();
}

// Else customers would choose a way to pay that nobody can take.
Result<void> GatewayService::may_offer(store::Session& session, const Value& listed) {
    const Value present = parts_.settings.get("payment_gateways");
    for (const Value& id : listed.items()) {
        const Gateway* gateway = is_listed(present, id.text()) ? nullptr : parts_.gateways.find(id.text());
        if (!gateway)
            continue;  // unknown ones are named by may_list
        const auto complete = is_complete(as_stored(*gateway, GatewayRepository::find(session, id.text())));
        if (complete)
            continue;
        std::vector<Sentence> all;
        for (const FieldError& fault : complete.error().fields())
            all.push_back(fault.sentence);
        return invalid("payment_gateways",
                       "{gateway}: {faults}"_sentence.with("gateway", gateway->info().title).with("faults", all));
    }
    return {};
}

// Reads a member into the configuration; the error names it. Keeps the secret when its mask is sent back.
Result<void> GatewayService::take(const std::vector<GatewayField>& fields, const std::string& name, const Value& value,
                                  Value& config) {
    if (is_retired(name))
        return {};
    const GatewayField* field = field_named(fields, name == "sandbox" ? "test_mode" : name);
    if (!field)
        return invalid(name, "This gateway has no such setting."_sentence);
    if (field->readonly)
        return invalid(name, "This field is read-only."_sentence);
    if (field->secret && value.is_string() && settings::is_masked(value.text()))
        return {};
    if (field->proposed && is_blank(value)) {
        config.erase(field->id);
        return {};
    }
    if (field->filled && is_blank(value))
        return invalid(name, "{label} must not be empty: it is all that customers read about how to pay."_sentence.with(
                                 "label", field->label));
    GatewayField as_named = *field;
    as_named.id = name;
    SVC_ASSIGN_OR_RETURN(auto clean, checked(as_named, value));
    config.set(field->id, std::move(clean));
    return {};
}

// A listener's values are checked like an operator's.
void GatewayService::sanitize(const std::vector<GatewayField>& fields, OfferedGateway& now) const {
    if (!parts_.hooks.filtered(sanitize_gateway_config.name))
        return;
    const std::string& id = now.gateway->info().id;
    const Value shown = masked_config(now);
    const Value answer = parts_.hooks.apply(sanitize_gateway_config, shown, {id});
    for (const auto& [name, value] : answer.members())
        if (const auto taken = shown[name] == value ? Result<void>{} : take(fields, name, value, now.config); !taken)
            log::warning("gateway_config_answer_refused", {{"gateway", id}, {"field", name}});
}

Result<OfferedGateway> GatewayService::configure(std::string_view id, const Value& changes) {
    const Gateway* gateway = parts_.gateways.find(id);
    if (!gateway)
        return errc::invalid_gateway;
    // Retries on top of changes that others saved meanwhile.
    constexpr int most_tries = 50;
    for (int tries = 0; tries < most_tries; ++tries)
        if (auto done = configured(*gateway, changes))
            return std::move(*done);
    return Error{errc::conflict, "This gateway's configuration was changed at the same time. Try again."_sentence};
}

std::optional<Result<OfferedGateway>> GatewayService::configured(const Gateway& gateway, const Value& changes) {
    const GatewayInfo& info = gateway.info();
    const std::vector<GatewayField> fields = fields_of(info);
    forget_configs();  // the database is the basis of a change
    const auto before = row_of(info.id);
    OfferedGateway now = as_stored(gateway, before);
    bool says_enabled = false;
    for (const auto& [name, value] : changes.members()) {
        if (name == "enabled") {
            const api::Schema flag{{.name = "enabled", .type = api::boolean(), .required = true}};
            SVC_ASSIGN_OR_RETURN(auto clean, flag.check(Value::object({{name, value}})));
            now.enabled = clean["enabled"].boolean();
            says_enabled = true;
            continue;
        }
        SVC_RETURN_IF_ERROR(take(fields, name, value, now.config));
    }
    sanitize(fields, now);
    SVC_RETURN_IF_ERROR(check_gateway_hosts(info, as_stored(gateway, before).config, changes, now.config));
    now.test_mode = in_test_mode(now.config);
    if (now.enabled && (says_enabled || empties_required(fields, changes)))
        SVC_RETURN_IF_ERROR(is_complete(now));
    if (says_enabled && now.enabled)
        SVC_RETURN_IF_ERROR(take_proposals(fields, changes, now.config));
    // The text that ships follows the reader's language and the company's data.
    if (const auto shipped = shipped_text(info.id); shipped && now.config.text_or("instructions") == *shipped)
        now.config.erase("instructions");
    Value at_rest = now.config;
    each_secret(info, now.config, [&](const std::string& name) {
        at_rest.set(name, parts_.keyring.seal(now.config[name].text(), bound_to(info.id, name)));
    });
    bool overtaken = false;
    auto saved = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        GatewayRepository::lock(tx);
        const auto present = GatewayRepository::find(tx, info.id);
        overtaken = present != before;
        if (overtaken)
            return {};
        GatewayRepository::save(tx, info.id, {.enabled = now.enabled, .config = at_rest.dump()}, parts_.clock.now());
        if (says_enabled)  // which looks at what was saved
            SVC_RETURN_IF_ERROR(list(tx, info.id, now.enabled));
        parts_.hooks.emit(tx, gateway_config_saved, {info.id});
        store::touch(tx, gateways_channel);
        return {};
    });
    forget_configs();
    if (!saved)
        return saved.error();
    if (overtaken)
        return std::nullopt;
    return now;
}

}  // namespace svc::payment
