// The services that a plugin calls while it runs.
#include <algorithm>

#include "base/plugins/registration.hpp"
#include "shared/core/log.hpp"
#include "shared/plugin/codec.hpp"
#include "shared/plugin/codec_gateway.hpp"

namespace svc::plugins {
namespace {

using plugin::answer_error;
using plugin::answer_result;
using plugin::answer_value;
using plugin::barrier;
using plugin::read_json;
using plugin::view;

Registration& of(void* self) {
    auto& registration = *static_cast<Registration*>(self);
    registration.guest->must_be_present();
    return registration;
}

template <class List>
auto named(const List& list, std::string_view name) {
    return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

// Sealed for one plugin: data that another plugin or the base sealed cannot be opened through here.
std::string place_of(const Registration& r, svc_text bound_to) {
    return "plugin:" + r.guest->name() + ":" + std::string(view(bound_to));
}

svc_status seal(void* self, svc_text secret, svc_text bound_to, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        auto& r = of(self);
        return answer_value(answer, json::Value(r.services.keyring.seal(view(secret), place_of(r, bound_to))));
    });
}

svc_status open(void* self, svc_text sealed, svc_text bound_to, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        auto& r = of(self);
        auto secret = r.services.keyring.open(view(sealed), place_of(r, bound_to));
        return secret ? answer_value(answer, json::Value(std::move(*secret))) : answer_error(answer, secret.error());
    });
}

svc_status fetch(void* self, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto reply = of(self).services.fetch(fetch_request_from(read_json(request)));
        if (!reply)
            return answer_error(answer, reply.error());
        return answer_value(answer, json::Value::object({{"status", reply->status},
                                                         {"headers", plugin::headers_json(reply->headers)},
                                                         {"body", reply->body}}));
    });
}

svc_status confirms(void* self, std::int64_t booking_id, std::int32_t settles_in_full, std::int32_t* confirms,
                    svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto decided = of(self).services.confirms(booking_id, settles_in_full != 0);
        if (!decided)
            return answer_error(answer, decided.error());
        *confirms = *decided ? 1 : 0;
        return SVC_OK;
    });
}

svc_status kept_method(void* self, std::int64_t payment_id, svc_answer* answer) noexcept {
    return barrier(answer, [&] { return answer_result(answer, of(self).services.charges.kept(payment_id)); });
}

svc_status charge(void* self, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto body = read_json(request);
        return answer_result(
            answer, of(self).services.charges.charge(
                        {.booking_id = body["booking_id"].integer(),
                         .method_id = body["method_id"].integer(),
                         .amount = plugin::money_from(body, "amount"),
                         .key = plugin::text_of(body, "key"),
                         .balance = body["balance"].is_object() ? std::optional(plugin::money_from(body, "balance"))
                                                                : std::nullopt}));
    });
}

void write_log(void* self, std::uint32_t level, svc_text event, svc_text fields) noexcept {
    (void)barrier(nullptr, [&] {
        const auto& name = static_cast<const Registration*>(self)->guest->name();
        const auto value = read_json(fields);
        std::vector<log::Field> list{{"plugin", log::Value(name)}};
        if (value.is_object())
            for (const auto& [key, item] : value.members()) {
                log::Value field(item.is_string() ? item.text() : item.dump());
                field.quoted = !item.is_number();
                list.emplace_back(key, std::move(field));
            }
        log::write_line(static_cast<log::Level>(std::min(level, SVC_LOG_ERROR)), view(event), list.data(), list.size());
        return SVC_OK;
    });
}

}  // namespace

namespace serving {

svc_status keep_reply(void* self, svc_session* transaction, std::int64_t reply_key, svc_text reply,
                      svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        return answer_result(answer, of(self).guest->keep_reply(reply_key, plugin::transaction_of(transaction),
                                                                plugin::reply_from(read_json(reply))));
    });
}

std::int32_t knows(void* self, svc_text name) noexcept {
    const auto& r = *static_cast<const Registration*>(self);
    return named(r.known_actions, view(name)) != r.known_actions.end() ||
                   named(r.known_filters, view(name)) != r.known_filters.end()
               ? 1
               : 0;
}

svc_status fire(void* self, svc_session* transaction, svc_text action, svc_text arguments,
                svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        auto& r = of(self);
        const auto known = named(r.known_actions, view(action));
        if (known == r.known_actions.end())
            return answer_error(answer, errc::not_found);
        r.services.hooks.emit(plugin::transaction_of(transaction), *known, read_json(arguments).items());
        return SVC_OK;
    });
}

svc_status apply(void* self, svc_session* transaction, svc_text filter, svc_text value, svc_text arguments,
                 svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        auto& r = of(self);
        const auto known = named(r.known_filters, view(filter));
        if (known == r.known_filters.end())
            return answer_error(answer, errc::not_found);
        return answer_value(answer,
                            r.services.hooks.apply(*known, read_json(value), read_json(arguments).items(),
                                                   transaction ? &plugin::transaction_of(transaction) : nullptr));
    });
}

svc_status get_setting(void* self, svc_text key, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        auto& settings = of(self).services.settings;
        try {
            return answer_value(answer, settings.get(view(key)));
        } catch (const std::logic_error&) {  // Settings: an undeclared key
            return answer_error(answer, errc::not_found);
        }
    });
}

svc_status write_settings(void* self, svc_session* transaction, svc_text values, std::int64_t user_id,
                          svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        auto& settings = of(self).services.settings;
        const auto object = read_json(values);
        const auto written = transaction ? settings.write(plugin::transaction_of(transaction), object, user_id)
                                         : settings.write(object, user_id);
        if (!written)
            return answer_error(answer, written.error());
        return answer_value(answer, json::Value::object({{"updated", plugin::texts(written->updated)},
                                                         {"rejected_keys", plugin::texts(written->rejected_keys)}}));
    });
}

std::int32_t module_enabled(void* self, svc_text slug) noexcept {
    bool enabled = false;
    (void)barrier(nullptr, [&] {
        enabled = of(self).services.modules.enabled(view(slug));
        return SVC_OK;
    });
    return enabled ? 1 : 0;
}

svc_status module_settings(void* self, svc_text slug, svc_answer* answer) noexcept {
    return barrier(answer, [&] { return answer_result(answer, of(self).services.modules.settings(view(slug))); });
}

void wake_job(void* self, svc_text name) noexcept {
    (void)barrier(nullptr, [&] {
        of(self).services.jobs.wake(std::string(view(name)));
        return SVC_OK;
    });
}

}  // namespace serving

FetchRequest fetch_request_from(const json::Value& value) {
    constexpr std::int64_t longest_wait_ms = 20'000, largest_answer = 8 << 20;
    FetchRequest request{plugin::text_of(value, "method"), plugin::text_of(value, "url"), {}, value.text_or("body")};
    request.headers = plugin::headers_from(value);
    request.timeout_ms = static_cast<int>(
        std::clamp<std::int64_t>(value.maybe_integer("timeout_ms").value_or(request.timeout_ms), 1, longest_wait_ms));
    request.limit = static_cast<std::size_t>(
        std::clamp<std::int64_t>(value.maybe_integer("limit").value_or(256 * 1024), 1, largest_answer));
    return request;
}

svc_log_1 log_table_of(Registration& r) { return {sizeof(svc_log_1), &r, &write_log}; }
svc_secrets_1 secrets_table_of(Registration& r) { return {sizeof(svc_secrets_1), &r, &seal, &open}; }
svc_fetch_1 fetch_table_of(Registration& r) { return {sizeof(svc_fetch_1), &r, &fetch}; }
svc_confirm_modes_1 confirm_modes_table_of(Registration& r) { return {sizeof(svc_confirm_modes_1), &r, &confirms}; }
svc_booking_charges_1 charges_table_of(Registration& r) {
    return {sizeof(svc_booking_charges_1), &r, &kept_method, &charge};
}

}  // namespace svc::plugins
