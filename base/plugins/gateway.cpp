// Calls into a plugin's gateway.
#include "base/plugins/gateway.hpp"

#include "shared/core/log.hpp"
#include "shared/json/sentence.hpp"
#include "shared/plugin/codec_gateway.hpp"

namespace svc::plugins {

using plugin::borrow;

// A function of the table, null where the plugin's is shorter.
#define SVC_ENTRY(member) (SVC_HAS(svc_gateway_2, table_, member) ? table_->member : nullptr)

PluginGateway::PluginGateway(plugin::GuestPtr guest, payment::GatewayInfo info, const svc_gateway_1* table)
    : guest_(std::move(guest)),
      info_(std::move(info)),
      context_(table->context),
      available_(table->available),
      instructions_(SVC_HAS(svc_gateway_1, table, instructions) ? table->instructions : nullptr) {}

PluginGateway::PluginGateway(plugin::GuestPtr guest, payment::GatewayInfo info, const svc_gateway_2* table)
    : guest_(std::move(guest)),
      info_(std::move(info)),
      context_(table->context),
      available_(table->available),
      instructions_(SVC_HAS(svc_gateway_2, table, instructions) ? table->instructions : nullptr),
      table_(table) {}

std::vector<std::string> PluginGateway::lacking(const payment::GatewayInfo& info, const svc_gateway_2* table) {
    // Two functions of one table share its size. NOLINTBEGIN(misc-redundant-expression)
    const std::pair<std::string_view, bool> functions[] = {
        {payment::ability::payments, SVC_HAS(svc_gateway_2, table, intent) && SVC_HAS(svc_gateway_2, table, confirm)},
        {payment::ability::webhooks, SVC_HAS(svc_gateway_2, table, webhook)},
        {payment::ability::refunds, SVC_HAS(svc_gateway_2, table, refund)},
        {payment::ability::saved_methods,
         SVC_HAS(svc_gateway_2, table, charge_saved) && SVC_HAS(svc_gateway_2, table, forget_saved)},
        {payment::ability::connection, SVC_HAS(svc_gateway_2, table, probe)}};
    // NOLINTEND(misc-redundant-expression)
    std::vector<std::string> names;
    for (const auto& [name, is_there] : functions)
        if (info.can(name) && !is_there)
            names.emplace_back(name);
    return names;
}

void PluginGateway::log_failure(std::string_view what, const std::exception& failure) const {
    log::error("plugin_gateway",
               {{"plugin", guest_->name()}, {"gateway", info_.id}, {"call", what}, {"cause", failure.what()}});
}

bool PluginGateway::available(const json::Value& config, const Money& amount) const {
    std::int32_t answer = 0;
    const auto status = plugin::barrier(nullptr, [&] {
        guest_->must_be_here();
        const auto text = config.dump();
        answer = available_(context_, borrow(text), amount.minor(), borrow(amount.currency().code()));
        return SVC_OK;
    });
    return status == SVC_OK && answer == 1;
}

std::vector<Sentence> PluginGateway::instructions(const json::Value& config, const json::Value& booking) const {
    if (!instructions_)
        return {};
    try {
        guest_->must_be_here();
        const auto config_text = config.dump();
        json::Value about = booking;
        const auto booking_text = about.set("takes_sentences", true).dump();
        plugin::Answer answer;
        const auto status = plugin::barrier(answer.table(), [&] {
            return instructions_(context_, borrow(config_text), borrow(booking_text), answer.table());
        });
        const auto words = answer.value(status);
        std::vector<Sentence> lines;
        if (words && words->is_array())
            for (const json::Value& line : words->items())
                lines.push_back(json::sentence_from(line));
        else if (words && words->is_string() && !words->text().empty())  // of an older plugin
            lines.push_back(Sentence::verbatim(words->text()));
        return lines;
    } catch (const std::exception& e) {
        log_failure("instructions", e);
        return {};
    }
}

template <class Read>
auto PluginGateway::ask(const char* what, Call* call, const json::Value& request, const Read& read) const
    -> Result<decltype(read(request))> {
    if (!call)
        return errc::payment_method_unavailable;
    try {
        guest_->must_be_here();
        const auto text = request.dump();
        plugin::Answer answer;
        const auto value =
            answer.value(plugin::barrier(answer.table(), [&] { return call(context_, borrow(text), answer.table()); }));
        if (!value)
            return value.error();
        return read(*value);
    } catch (const std::exception& e) {
        log_failure(what, e);
        return Error(errc::gateway_unavailable).because(e.what());
    }
}

Result<payment::Intent> PluginGateway::intent(const payment::Situation& situation,
                                              const payment::IntentRequest& request) const {
    return ask("intent", SVC_ENTRY(intent),
               json::Value::object({{"situation", plugin::to_json(situation)}, {"wanted", plugin::to_json(request)}}),
               plugin::intent_from);
}

Result<payment::Charge> PluginGateway::confirm(const payment::Situation& situation,
                                               const payment::Inquiry& inquiry) const {
    return ask("confirm", SVC_ENTRY(confirm),
               json::Value::object({{"situation", plugin::to_json(situation)}, {"inquiry", plugin::to_json(inquiry)}}),
               plugin::charge_from);
}

Result<std::vector<payment::Event>> PluginGateway::webhook(const payment::Situation& situation,
                                                           const payment::WebhookCall& call) const {
    if (!SVC_HAS(svc_gateway_2, table_, webhook))
        return payment::Gateway::webhook(situation, call);
    try {
        guest_->must_be_here();
        const auto text =
            json::Value::object({{"situation", plugin::to_json(situation)}, {"headers", plugin::headers_json(call)}})
                .dump();
        plugin::Answer answer;
        const auto events = answer.value(plugin::barrier(answer.table(), [&] {
            return table_->webhook(context_, borrow(text), borrow(call.body), answer.table());
        }));
        if (!events)
            return events.error();
        return plugin::events_from(*events);
    } catch (const std::exception& e) {
        log_failure("webhook", e);
        return Error(errc::gateway_unavailable).because(e.what());
    }
}

Result<payment::Refund> PluginGateway::refund(const payment::Situation& situation,
                                              const payment::RefundRequest& request) const {
    return ask("refund", SVC_ENTRY(refund),
               json::Value::object({{"situation", plugin::to_json(situation)}, {"wanted", plugin::to_json(request)}}),
               plugin::refund_from);
}

Result<payment::Charge> PluginGateway::charge_saved(const payment::Situation& situation,
                                                    const payment::SavedCharge& charge) const {
    return ask("charge_saved", SVC_ENTRY(charge_saved),
               json::Value::object({{"situation", plugin::to_json(situation)}, {"wanted", plugin::to_json(charge)}}),
               plugin::charge_from);
}

Result<void> PluginGateway::forget_saved(const payment::Situation& situation,
                                         const payment::SavedMethod& method) const {
    if (!SVC_HAS(svc_gateway_2, table_, forget_saved))
        return payment::Gateway::forget_saved(situation, method);
    try {
        guest_->must_be_here();
        const auto text =
            json::Value::object({{"situation", plugin::to_json(situation)}, {"method", plugin::to_json(method)}})
                .dump();
        plugin::Answer answer;
        return answer.done(plugin::barrier(
            answer.table(), [&] { return table_->forget_saved(context_, borrow(text), answer.table()); }));
    } catch (const std::exception& e) {
        log_failure("forget_saved", e);
        return Error(errc::gateway_unavailable).because(e.what());
    }
}

Result<std::string> PluginGateway::probe(const payment::Situation& situation) const {
    return ask("probe", SVC_ENTRY(probe), json::Value::object({{"situation", plugin::to_json(situation)}}),
               [](const json::Value& answer) { return answer.is_string() ? answer.text() : std::string(); });
}

}  // namespace svc::plugins
