// SQL on svc_email_outbox that counts e-mails by mailbox, network and kind.
#include "base/messaging/outbox/stranger_mails.hpp"

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

// The first moment from `from` on whose hour before it has room: fewer than `most` of the turns that are taken, which
// are sorted. E-mails that wait for a later hour take no place of this one.
Instant first_free(const std::vector<Instant>& taken, std::int64_t most, Instant from) {
    std::size_t first = 0, beyond = 0;
    for (;;) {
        while (beyond < taken.size() && taken[beyond] <= from)
            ++beyond;
        while (first < beyond && taken[first] <= from.minus(hour))
            ++first;
        if (static_cast<std::int64_t>(beyond - first) < most)
            return from;
        from = taken[first].plus(hour);
    }
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
    const store::Params of_cause{{"cause", cause}, {"since", now.minus(longest_turn)}, {"from", now.minus(hour)}};
    store::Params of_mailbox{{"mailbox", mailbox_key(email.to)},
                             {"since", now.minus(longest_turn)},
                             {"from", now.minus(hour)},
                             {"link", is_link(email.template_key) ? email.template_key : ""}};
    struct Bound {
        std::vector<Instant> taken;
        std::int64_t most;
    };
    std::vector<Bound> bounds{
        {store::values<Instant>(session,
                                "SELECT next_attempt_at FROM svc_email_outbox WHERE"
                                " to_key = :mailbox AND created_at > :since"
                                " AND next_attempt_at > :from AND caused_by IS NOT NULL"
                                " AND status <> 'suppressed' AND " SVC_OF_KIND " ORDER BY next_attempt_at",
                                of_mailbox),
         most}};
    if (!cause.empty()) {
        of_mailbox.emplace_back("cause", cause);
        bounds.push_back(
            {store::values<Instant>(session,
                                    "SELECT next_attempt_at FROM svc_email_outbox WHERE"
                                    " to_key = :mailbox AND created_at > :since"
                                    " AND next_attempt_at > :from AND caused_by = :cause"
                                    " AND status <> 'suppressed' AND " SVC_OF_KIND " ORDER BY next_attempt_at",
                                    of_mailbox),
             std::max<std::int64_t>(most - most / 4, 1)});
        bounds.push_back({store::values<Instant>(session,
                                                 "SELECT next_attempt_at FROM svc_email_outbox WHERE"
                                                 " caused_by = :cause AND created_at > :since"
                                                 " AND next_attempt_at > :from AND status <> 'suppressed'"
                                                 " ORDER BY next_attempt_at",
                                                 of_cause),
                          6 * most});
    }
    Instant turn = now;
    for (bool has_moved = true; has_moved;) {
        const Instant before = turn;
        for (const Bound& bound : bounds)
            turn = first_free(bound.taken, bound.most, turn);
        has_moved = turn != before;
    }
    return turn;
}

void hasten(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    tx.run(
        "UPDATE svc_email_outbox SET next_attempt_at = :now WHERE booking_id = :booking_id AND status = 'queued'"
        " AND attempts = 0 AND next_attempt_at > :now AND caused_by IS NOT NULL",
        {{"booking_id", booking_id}, {"now", now}});
}

std::optional<Instant> staff_held_until(store::Session& session, std::string_view template_key, Instant now) {
    const auto sent = store::values<Instant>(
        session,
        "SELECT created_at FROM svc_email_outbox WHERE template_key = :kind AND created_at > :since"
        " AND status <> 'suppressed' ORDER BY created_at DESC LIMIT :most",
        {{"kind", std::string(template_key)}, {"since", now.minus(hour)}, {"most", most_to_staff}});
    return std::ssize(sent) < most_to_staff ? std::nullopt : std::optional(sent.back().plus(hour));
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
