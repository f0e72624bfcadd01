// A plugin's gateways behind the plugin interface.
#include "shared/json/sentence.hpp"
#include "shared/plugin/codec_gateway.hpp"
#include "shared/plugin/host_charges.hpp"

namespace svc::plugin {
namespace {

const Gateway& gateway_at(void* context) { return *static_cast<const Gateway*>(context); }

std::int32_t available(void* context, svc_text config, std::int64_t amount_minor, svc_text currency) noexcept {
    bool is_available = false;
    const auto status = barrier(nullptr, [&] {
        const auto money = Currency::parse(view(currency));
        is_available = money && gateway_at(context).available(read_json(config), {amount_minor, *money});
        return SVC_OK;
    });
    return status == SVC_OK && is_available ? 1 : 0;
}

svc_status instructions(void* context, svc_text config, svc_text booking, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const json::Value about = read_json(booking);
        const auto lines = gateway_at(context).instructions(read_json(config), about);
        if (about.maybe_boolean("takes_sentences").value_or(false))
            return answer_value(answer,
                                json::array_of(lines, [](const Sentence& line) { return json::to_json(line); }));
        std::string text;  // for a base that reads no sentences
        for (const Sentence& line : lines)
            text += (text.empty() ? "" : "\n") + line.english();
        return answer_value(answer, json::Value(text));
    });
}

template <class T>
svc_status write_answer(const svc_answer* answer, const Result<T>& result) {
    return result ? answer_value(answer, to_json(*result)) : answer_error(answer, result.error());
}

svc_status intent(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto body = read_json(request);
        return write_answer(
            answer, gateway_at(context).intent(situation_from(body["situation"]), intent_request_from(body["wanted"])));
    });
}

svc_status confirm(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto body = read_json(request);
        return write_answer(
            answer, gateway_at(context).confirm(situation_from(body["situation"]), inquiry_from(body["inquiry"])));
    });
}

svc_status webhook(void* context, svc_text request, svc_text body, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto arguments = read_json(request);
        return write_answer(answer, gateway_at(context).webhook(situation_from(arguments["situation"]),
                                                                webhook_call_from(arguments["headers"], view(body))));
    });
}

svc_status refund(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto body = read_json(request);
        return write_answer(
            answer, gateway_at(context).refund(situation_from(body["situation"]), refund_request_from(body["wanted"])));
    });
}

svc_status charge_saved(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto body = read_json(request);
        return write_answer(answer, gateway_at(context).charge_saved(situation_from(body["situation"]),
                                                                     saved_charge_from(body["wanted"])));
    });
}

svc_status forget_saved(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto body = read_json(request);
        return answer_result(answer, gateway_at(context).forget_saved(situation_from(body["situation"]),
                                                                      saved_method_from(body["method"])));
    });
}

svc_status probe(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto outcome = gateway_at(context).probe(situation_from(read_json(request)["situation"]));
        return outcome ? answer_value(answer, json::Value(*outcome)) : answer_error(answer, outcome.error());
    });
}

void registered(svc_status status, const GatewayInfo& info) {
    if (status != SVC_OK)
        throw Refused("The base refused the gateway " + info.id + ".");
}

}  // namespace

void Gateways::add(std::unique_ptr<Gateway> gateway) {
    auto& held = offered_.emplace_back(Offered{std::move(gateway), {}});
    held.table = {
        sizeof(svc_gateway_2), held.gateway.get(), &available, &instructions, &intent, &confirm, &webhook, &refund,
        &charge_saved,         &forget_saved,      &probe};
    const auto text = to_json(held.gateway->info()).dump();
    registered(table_->add(table_->self, borrow(text), &held.table), held.gateway->info());
}

Result<BookingCharges::AgreedMethod> BookingCharges::agreed_method(std::int64_t payment_id) const {
    Answer answer;
    SVC_ASSIGN_OR_RETURN(const auto crossed, answer.value(table_->kept(table_->self, payment_id, answer.table())));
    return AgreedMethod{.method_id = crossed.maybe_integer("method_id"),
                        .gateway = crossed.text_or("gateway"),
                        .keeps_methods = crossed.maybe_boolean("keeps_methods").value_or(false)};
}

Result<BookingCharges::Charged> BookingCharges::charge(const Request& request) const {
    auto asked = json::Value::object({{"booking_id", request.booking_id},
                                      {"method_id", request.method_id},
                                      {"amount", to_json(request.amount)},
                                      {"key", request.key}});
    if (request.balance)
        asked.set("balance", to_json(*request.balance));
    const std::string text = asked.dump();
    Answer answer;
    SVC_ASSIGN_OR_RETURN(const auto crossed, answer.value(table_->charge(table_->self, borrow(text), answer.table())));
    return Charged{.progress = progress_named(crossed, "progress"),
                   .payment_id = crossed.maybe_integer("payment_id"),
                   .transaction_id = crossed.text_or("transaction_id"),
                   .gateway = crossed.text_or("gateway"),
                   .method = crossed.text_or("method"),
                   .reason = crossed.text_or("reason")};
}

void OfflineGateways::add(std::unique_ptr<Gateway> gateway) {
    if (!gateway->info().is_offline)
        throw Refused("The base cannot charge by the gateway " + gateway->info().id + ".");
    auto& held = offered_.emplace_back(Offered{std::move(gateway), {}});
    held.table = {sizeof(svc_gateway_1), held.gateway.get(), &available, &instructions};
    const auto text = to_json(held.gateway->info()).dump();
    registered(table_->add(table_->self, borrow(text), &held.table), held.gateway->info());
}

}  // namespace svc::plugin
