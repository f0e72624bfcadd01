// The actions and filters that payments fire.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::payment {

inline const hooks::Action payment_completed{
    "svc_payment_completed",
    "A payment was completed: captured by a gateway or recorded by staff (source manual, with payment_id and"
    " send_emails). Fired once per transition; not when a completed payment is saved"
    " again.",
    {"payment"}};
inline const hooks::Action payment_failed{"svc_payment_failed", "A payment failed.", {"payment"}};
inline const hooks::Action manual_payment_recorded{
    "svc_manual_payment_recorded", "Staff recorded a payment of any status.", {"booking_id", "amount", "gateway"}};
inline const hooks::Action payment_status_changed{"svc_payment_status_changed",
                                                  "A booking's payment status changed.",
                                                  {"booking_id", "old_status", "new_status", "booking"}};
inline const hooks::Action gateway_config_saved{
    "svc_payment_gateway_config_saved", "A gateway's configuration was saved.", {"gateway"}};

inline const hooks::Action gateways_registered{
    "svc_register_payment_gateways",
    "Fired when a server starts, with the names of registered gateways. Listeners run synchronously and may"
    " register more, a plugin through its table svc.gateways, until the last listener has "
    "returned."
    " A gateway with a duplicate name is rejected.",
    {"gateways"}};
inline const hooks::Action before_processing{
    "svc_before_payment_processing",
    "A charge is about to be created at a gateway; amount is the charged amount."
    " Listeners run synchronously before the request.",
    {"booking", "gateway", "amount"}};
inline const hooks::Action after_processing{
    "svc_after_payment_processing", "A charge was created at a gateway; nothing is paid yet.", {"booking", "result"}};
inline const hooks::Action amount_mismatch{
    "svc_payment_amount_mismatch",
    "A page sent an amount that differs from the booking's; the booking's amount was used.",
    {"booking_id", "client_amount", "server_amount"}};
inline const hooks::Action payment_in_review{"svc_payment_needs_review",
                                             "A provider reported a payment that does not match the charge:"
                                             " nothing is recorded until staff review it.",
                                             {"payment"}};
inline const hooks::Action credit_note_due{"svc_credit_note_due",
                                           "A payment was refunded by a gateway or manually; the customer should "
                                           "receive the credit note. Fired in addition to the action of"
                                           " the gateway.",
                                           {"refund"}};
inline const hooks::Action paypal_completed{
    "svc_paypal_payment_completed",
    "A PayPal payment was captured; fired in addition to svc_payment_completed.",
    {"payment"}};
inline const hooks::Action paypal_refunded{
    "svc_paypal_payment_refunded", "A refund of a PayPal payment was completed.", {"refund"}};

// Actions of scheduled charges, emitted by the scheduler.
inline const hooks::Action scheduled_success{
    "svc_scheduled_payment_success",
    "A scheduled payment was charged; svc_payment_completed reports the payment itself.",
    {"scheduled_payment_id", "result", "context"}};
inline const hooks::Action scheduled_failed{
    "svc_scheduled_payment_failed",
    "An attempt to charge a scheduled payment failed; context.permanent: whether it was the last attempt.",
    {"scheduled_payment_id", "error", "context"}};
inline const hooks::Action scheduled_due{
    "svc_scheduled_payment_reminder_due",
    "A customer should be notified of a scheduled payment: some days before the charge, or because staff sent the"
    " payment link (context.is_link).",
    {"scheduled_payment_id", "context"}};

inline const hooks::Filter remaining_offline{"svc_remaining_payment_allow_offline_gateway",
                                             "Whether a balance may be paid by an offline gateway.",
                                             json::Kind::boolean,
                                             {"booking"}};
inline const hooks::Filter remaining_amount{
    "svc_remaining_payment_amount",
    "The amount charged for a balance. Values of zero or less or above the balance are ignored.",
    json::Kind::number,
    {"booking"}};
inline const hooks::Filter confirm_on_payment{
    "svc_confirm_booking_on_payment",
    "Whether this payment confirms the booking; also applied to bookings created for an offline gateway, with "
    "fully_paid false. auto_confirm is true for mode `all` alone.",
    json::Kind::boolean,
    {"fully_paid", "booking_id", "auto_confirm"}};
inline const hooks::Filter send_manual_payment_emails{
    "svc_send_manual_payment_emails",
    "Whether e-mails are sent for a payment recorded by staff. The action fires either way.",
    json::Kind::boolean,
    {"booking_id", "payment"}};

inline const hooks::Filter pass_gateway_ids{"svc_pass_gateway_ids_for_scheduled_payments",
                                            "Whether the payment method of a charge is saved for later although the "
                                            "page did not request it; only for signed-in"
                                            " customers and gateways that can save methods.",
                                            json::Kind::boolean,
                                            {"booking_id", "gateway"}};

inline const hooks::Filter valid_gateways{"svc_valid_booking_payment_gateway_ids",
                                          "The gateways that customers may book with; gateways that are not"
                                          " available are ignored.",
                                          json::Kind::array,
                                          {"amount"},
                                          R"([""])"};

inline const hooks::Filter sanitize_gateway_config{
    "svc_sanitize_gateway_config_row",
    "A valid gateway configuration before it is stored, with secrets masked. The result"
    " is validated again; masked secrets and omitted fields keep their values.",
    json::Kind::object,
    {"gateway"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Action& action :
         {payment_completed, payment_failed, manual_payment_recorded, payment_status_changed, gateway_config_saved,
          gateways_registered, before_processing, after_processing, amount_mismatch, payment_in_review,
          paypal_completed, paypal_refunded, credit_note_due, scheduled_success, scheduled_failed, scheduled_due})
        hooks.declare(action);
    for (const hooks::Filter& filter : {confirm_on_payment, send_manual_payment_emails, remaining_offline,
                                        remaining_amount, pass_gateway_ids, valid_gateways, sanitize_gateway_config})
        hooks.declare(filter);
}

// A gateway's own action: emitted if that gateway declared it.
inline void emit_if_declared(hooks::Hooks& hooks, store::Transaction& tx, std::string_view name,
                             const json::Value& argument) {
    if (hooks.knows(name))
        hooks.emit(tx, {.name = name, .help = {}, .arguments = {}}, {argument});
}

}  // namespace svc::payment
