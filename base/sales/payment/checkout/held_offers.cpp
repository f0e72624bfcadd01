// Charges prepared before there is a booking, for a session's quote or an amount that staff name.
#include "base/sales/payment/checkout/offers.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/record/intent_repository.hpp"

namespace svc::payment {

Result<Offers::Offer> Offers::hold(const Request& given, const Holder& holder) {
    Request request = given;
    request.is_proven = true;  // by its session's secret, or staff
    SVC_RETURN_IF_ERROR(own_urls(request));
    SVC_ASSIGN_OR_RETURN(const auto gateway, parts_.payments.gateways.bookable(request.gateway, holder.amount));
    const GatewayInfo& info = gateway.gateway->info();
    if (info.is_offline)
        return Offer{.amount = holder.amount,
                     .instructions = parts_.payments.gateways.instructions(gateway, json::Value::object(),
                                                                           parts_.settings.text("site_language"))};
    if (!info.can(ability::holds))
        return Error{errc::payment_method_unavailable, "This gateway is paid by once the booking is made."_sentence};
    SVC_ASSIGN_OR_RETURN(auto held, prepare_held(request, gateway, holder));
    PaymentIntent& charge = held.charge;
    if (charge.page) {
        auto page = open_page(charge);
        return offer_page(std::move(charge), std::move(page), gateway);
    }
    const auto answer = ask(gateway, charge,
                            {.key = charge.key,
                             .amount = charge.amount,
                             .booking_reference = "CHECKOUT",
                             .description = holder.description,
                             .hold = true},
                            json::Value::object());
    const bool refused = !answer && &answer.error().code() == &errc::payment_error;
    if (!answer && !refused)
        return answer.error();
    const json::Value page = answer ? page_of(*answer) : json::Value();
    const std::string sealed = answer ? seal_page(charge, page) : std::string();
    auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (refused) {
            HeldRepository::settle(tx, charge.id, held_status::released, reconciliation::settled,
                                   answer.error().message().english());
            return {};
        }
        const auto other = HeldRepository::by_provider(tx, charge.gateway, answer->id);
        if (answer->id.empty() || (other && other->charge.id != charge.id) ||
            IntentRepository::by_provider(tx, charge.gateway, answer->id))
            return Error{errc::gateway_unavailable}.because("the gateway named no charge or one that it gave before");
        HeldRepository::store_answer(tx, charge.id, answer->id, sealed);
        if (!other)
            parts_.hooks.emit(tx, after_processing,
                              {json::Value::object(), json::Value::object({{"payment_id", answer->id},
                                                                           {"gateway", charge.gateway},
                                                                           {"amount", charge.amount}})});
        return {};
    });
    if (!written)
        return written.error();
    if (refused)
        return answer.error();
    charge.provider_id = answer->id;
    return offer_page(std::move(charge), page, gateway);
}

Result<HeldCharge> Offers::prepare_held(const Request& request, const OfferedGateway& gateway, const Holder& holder) {
    const HeldCharge fresh{.charge = fresh_charge(request, gateway, holder.amount, parts_.clock.now()),
                           .session_id = holder.session_id,
                           .user_id = holder.session_id ? std::nullopt : holder.user_id};
    return parts_.store.transact<HeldCharge>([&](store::Transaction& tx) -> Result<HeldCharge> {
        HeldCharge held = fresh;
        compare(tx, request, holder.amount, json::Value());
        if (holder.session_id)
            for (HeldCharge& open : HeldRepository::open_of(tx, *holder.session_id, held.charge.created_at)) {
                if (open.charge.gateway == request.gateway && open.charge.amount == holder.amount &&
                    open.charge.save_method == request.save_method && open.charge.is_test == held.charge.is_test) {
                    if (replace_addresses(open.charge, request))
                        HeldRepository::return_to(tx, open.charge);
                    return std::move(open);
                }
                HeldRepository::release(tx, open.charge.id, held.charge.created_at);
            }
        held.charge.id = HeldRepository::insert(tx, held);
        return held;
    });
}

}  // namespace svc::payment
