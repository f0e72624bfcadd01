// From a composed e-mail to a row in the outbox.
#include "base/messaging/mails/mailer.hpp"

#include "base/messaging/outbox/bodies.hpp"
#include "base/messaging/outbox/repository.hpp"
#include "base/messaging/outbox/stranger_mails.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/messaging/templates/template_keys.hpp"
#include "base/platform/outbound/header.hpp"
#include "shared/core/log.hpp"

namespace svc::messaging {

// When the e-mail goes; nothing: not at all. Strangers must not use up what the address's owner may get: their e-mails
// are delayed before they are dropped.
static std::optional<Instant> turn_of(store::Transaction& tx, NewEmail& email, std::int64_t most, Instant now) {
    if (is_for_staff(email.template_key))
        return email.for_digest ? std::nullopt : std::optional(now);
    email.caused_by = most > 0 ? outbox::stranger_behind(tx, email) : std::nullopt;
    if (!email.caused_by) {
        if (email.booking_id)
            outbox::hasten(tx, *email.booking_id, now);
        return now;
    }
    const Instant turn = outbox::turn_of(tx, email, most, now);
    return turn <= now.plus(outbox::longest_turn_of(email.template_key)) ? std::optional(turn) : std::nullopt;
}

std::string Mailer::dedupe_key(std::string_view template_key, std::int64_t id) const {
    return std::string(template_key) + ":" + std::to_string(id) + ":" + std::to_string(parts_.hooks.event_id());
}

bool Mailer::notify_customer(const BookingMail& mail) {
    const Template& which = parts_.plugin_templates->any(mail.template_key);
    NewEmail email;
    email.event_key = mail.event_key;
    email.to = mail.booking.text_or("customer_email");
    email.booking_id = mail.booking_id;
    if (!mail.dedupe_key.empty())
        email.dedupe_key = mail.dedupe_key;
    if (!outbound::is_address(email.to)) {
        log::warning("email_without_recipient", {{"template", which.key}, {"booking", mail.booking_id}});
        return false;
    }
    const Words words = values_.words_of(mail.booking);
    const Wording wording =
        composer_.wording_of(which, mail.booking, std::nullopt, words.locale, which.offered ? &mail.more : nullptr);
    email.locale = words.locale;
    Content content{.wording = wording, .variables = values_.of_booking(which, wording, mail, words)};
    if (const hooks::Filter* filter = html_filter_of(which); filter && parts_.hooks.filtered(filter->name)) {
        content.html_filter = filter;
        content.filter_arguments = {which.key, mail.booking};
    }
    return send(which, std::move(email), content, !mail.by_hand);
}

bool Mailer::notify_staff(const BookingMail& mail) {
    const Template& which = parts_.plugin_templates->any(mail.template_key);
    const Words words = values_.words_of_site();
    Wording wording = composer_.wording_of(which, mail.booking, std::nullopt, words.locale);
    if (is_held_back(which))
        wording.body.clear();  // so that only the subject's values are made
    return notify_staff(mail.template_key, wording, values_.of_booking(which, wording, mail, words), mail.dedupe_key,
                        mail.event_key);
}

bool Mailer::notify_staff(std::string_view template_key, Wording wording, Variables variables,
                          const std::string& dedupe_key, std::string_view event_key) {
    NewEmail email;
    email.event_key = event_key;
    email.to = composer_.staff_addresses();
    if (email.to.empty())
        return false;  // the operator wants none
    if (!dedupe_key.empty())
        email.dedupe_key = dedupe_key;
    email.locale = values_.words_of_site().locale;
    variables.merge(values_.of_site());
    return send(parts_.plugin_templates->any(template_key), std::move(email),
                {.wording = std::move(wording), .variables = std::move(variables)});
}

bool Mailer::send(const Template& which, NewEmail email, const Content& content, bool is_bounded) {
    email.template_key = which.key;
    if (email.event_key.empty())
        email.event_key = which.event_key;
    email.suppressed = is_off(which);
    if (!email.suppressed && is_rejected(which, email.to, content.variables))
        return false;
    email.for_digest = !email.suppressed && is_held_back(which);
    const bool is_sent = !email.suppressed;
    std::vector<NewEmail> copies;
    if (email.suppressed || email.for_digest)
        composer_.compose_subject(which, content, email);
    else
        copies = composer_.compose(which, content, email);
    queue(std::move(email), std::move(copies), is_bounded);
    return is_sent;
}

bool Mailer::is_rejected(const Template& which, const std::string& to, const Variables& variables) const {
    if (!parts_.hooks.filtered(send_transactional_email.name))
        return false;
    const auto answer = parts_.hooks.apply(send_transactional_email, {}, {which.key, to, to_json(variables)});
    return answer.is_boolean() && !answer.boolean();
}

void Mailer::queue(NewEmail email, std::vector<NewEmail> copies, bool is_bounded) {
    struct Sealed {
        NewEmail email;
        std::string body;
    };
    const bool is_sent = !email.suppressed && parts_.settings.flag("smtp_enabled");
    const auto now = parts_.clock.now();
    std::vector<Sealed> all;
    copies.insert(copies.begin(), std::move(email));
    for (NewEmail& each : copies) {
        auto body = each.body_html.empty() ? std::string() : sealed_body(keyring_, each, now);
        all.push_back({std::move(each), std::move(body)});
    }
    parts_.hooks.write([this, is_sent, all = std::move(all), now,
                        most = is_bounded ? parts_.settings.integer("unproven_mails_per_hour")
                                          : 0](store::Transaction& tx) -> Result<void> {
        NewEmail first = all.front().email;
        if (is_for_staff(first.template_key) && !first.suppressed && !first.for_digest)
            first.for_digest = hold_back(tx, first.template_key, now);
        const auto turn = turn_of(tx, first, most, now);
        first.suppressed = first.suppressed || !turn;
        if (!outbox::queue(tx, first, all.front().body, now, turn))
            return {};
        // The copies go when it goes.
        for (auto copy = all.begin() + 1; copy != all.end(); ++copy) {
            NewEmail row = copy->email;
            row.suppressed = first.suppressed;
            outbox::queue(tx, row, copy->body, now, turn);
        }
        // Those after the first that waits for the digest would say the same.
        if (turn != now && !all.front().email.for_digest)
            log::warning("email_limited", {{"template", first.template_key},
                                           {"cause", first.for_digest ? "digest" : "unproven_mails_per_hour"}});
        if (is_sent && turn == now)
            tx.after_commit([this] { wake_(); });
        return {};
    });
}

bool Mailer::is_held_back(const Template& which) const {
    if (!is_for_staff(which.key))
        return false;
    const std::lock_guard lock(mutex_);
    const auto found = held_until_.find(which.key);
    return found != held_until_.end() && parts_.clock.now() < found->second;
}

bool Mailer::hold_back(store::Session& session, const std::string& template_key, Instant now) {
    const auto until = outbox::staff_held_until(session, template_key, now);
    if (!until)
        return false;
    const std::lock_guard lock(mutex_);
    held_until_[template_key] = *until;
    return true;
}

bool Mailer::is_off(const Template& which) const {
    const auto& settings = parts_.settings;
    if (!settings.flag(is_for_staff(which.key) ? "enable_admin_notifications" : "enable_customer_notifications"))
        return true;
    if (settings.flag(keys_of(which, parts_.hooks, settings).switched_by))
        return false;
    return !parts_.hooks.apply(automation_owns_type, false, {which.key}).boolean();
}

}  // namespace svc::messaging
