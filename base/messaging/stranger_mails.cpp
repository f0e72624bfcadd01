// SQL on svc_email_outbox that counts e-mails by mailbox, network and kind.
#include "base/messaging/stranger_mails.hpp"

#include <algorithm>

#include "shared/core/mailbox.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::messaging::outbox {
namespace {

constexpr std::chrono::hours hour{1};

// Links are counted apart, each kind: nobody may starve them by other e-mails.
#define SVC_LINKS                                                                           \
    "'guest_email_verification', 'customer_email_verification', 'account_password_reset', " \
    "'account_email_change_request'"
#define SVC_OF_KIND "((:link = '' AND template_key NOT IN (" SVC_LINKS ")) OR template_key = :link)"

bool is_link(std::string_view template_key) {
    return std::string_view(SVC_LINKS).find("'" + std::string(template_key) + "'") != std::string_view::npos;
}

}  // namespace

std::optional<std::string> stranger_behind(store::Session& session, const NewEmail& email) {
    if (email.enquiry_id)
        return store::value<std::string>(session, "SELECT ip_hash FROM svc_enquiries WHERE id = :id",
                                         {{"id", *email.enquiry_id}})
            .value_or("");
    if (!email.booking_id)
        return "";
    const bool is_known =
        session.number(
            "SELECT COUNT(*) FROM svc_bookings b LEFT JOIN svc_users u ON u.id = b.user_id WHERE b.id = :id"
            " AND (b.source <> 'web' OR b.amount_paid_minor > 0"
            " OR (u.email_verified_at IS NOT NULL AND u.email_lower = :email))",
            {{"id", *email.booking_id}, {"email", text::folded(email.to)}}) > 0;
    if (is_known)
        return std::nullopt;
    return store::value<std::string>(session, "SELECT client FROM svc_booking_clients WHERE booking_id = :id",
                                     {{"id", *email.booking_id}})
        .value_or("");
}

std::chrono::microseconds longest_turn_of(std::string_view template_key) {
    // Its link is valid for an hour.
    return template_key == "account_password_reset" ? std::chrono::minutes(0) : longest_turn;
}

Instant turn_of(store::Session& session, const NewEmail& email, std::int64_t most, Instant now) {
    const std::string cause = email.caused_by.value_or("");
    const Instant since = now.minus(longest_turn);
    // An hour after the turn of the one that many places before; nothing while there is room.
    const auto after = [&](std::optional<Instant> before) { return before ? std::max(now, before->plus(hour)) : now; };
    const store::Params of_mailbox{{"mailbox", mailbox_key(email.to)},
                                   {"since", since},
                                   {"link", is_link(email.template_key) ? email.template_key : ""}};
    auto params = of_mailbox;
    params.emplace_back("later", most - 1);
    Instant turn = after(store::value<Instant>(
        session,
        "SELECT next_attempt_at FROM svc_email_outbox WHERE to_key = :mailbox AND created_at > :since"
        " AND caused_by IS NOT NULL AND status <> 'suppressed'"
        " AND " SVC_OF_KIND " ORDER BY next_attempt_at DESC LIMIT 1 OFFSET :later",
        params));
    if (cause.empty())
        return turn;
    params = of_mailbox;
    params.emplace_back("cause", cause);
    params.emplace_back("later", std::max<std::int64_t>(most - most / 4, 1) - 1);
    turn = std::max(
        turn, after(store::value<Instant>(session,
                                          "SELECT next_attempt_at FROM svc_email_outbox WHERE to_key = :mailbox"
                                          " AND created_at > :since AND caused_by = :cause AND status <> 'suppressed'"
                                          " AND " SVC_OF_KIND " ORDER BY next_attempt_at DESC LIMIT 1 OFFSET :later",
                                          params)));
    return std::max(turn,
                    after(store::value<Instant>(session,
                                                "SELECT next_attempt_at FROM svc_email_outbox WHERE caused_by = :cause"
                                                " AND created_at > :since AND status <> 'suppressed'"
                                                " ORDER BY next_attempt_at DESC LIMIT 1 OFFSET :later",
                                                {{"cause", cause}, {"since", since}, {"later", 6 * most - 1}})));
}

void hasten(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    tx.run(
        "UPDATE svc_email_outbox SET next_attempt_at = :now WHERE booking_id = :booking_id AND status = 'queued'"
        " AND attempts = 0 AND next_attempt_at > :now AND caused_by IS NOT NULL",
        {{"booking_id", booking_id}, {"now", now}});
}

bool is_beyond_staff(store::Session& session, const NewEmail& email, Instant now) {
    return session.number(
               "SELECT COUNT(*) FROM (SELECT id FROM svc_email_outbox WHERE template_key = :kind"
               " AND created_at > :since AND status <> 'suppressed' LIMIT :most) sent",
               {{"kind", email.template_key}, {"since", now.minus(hour)}, {"most", most_to_staff}}) >= most_to_staff;
}

std::vector<HeldBack> held_back(store::Session& session, int most) {
    return store::structs<HeldBack, std::int64_t, std::string, Instant>(
        session, "SELECT id, subject, created_at FROM svc_email_outbox WHERE for_digest = 1 ORDER BY id LIMIT :most",
        {{"most", most}});
}

void release_held(store::Transaction& tx, std::int64_t up_to_id) {
    tx.run("UPDATE svc_email_outbox SET for_digest = 0 WHERE for_digest = 1 AND id <= :id", {{"id", up_to_id}});
}

}  // namespace svc::messaging::outbox
