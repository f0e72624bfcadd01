// Requests by hand, their links and their e-mails.
#include "pro/consent/requests.hpp"

#include <algorithm>

#include "pro/consent/mails.hpp"
#include "pro/crypto/hmac.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::consent {
namespace {

std::string lower_case(std::string text) {
    for (char& c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

// Where the request can go out at all.
Result<Party> open_party(store::Session& session, std::int64_t booking_id, const Zone& zone, Instant now) {
    auto party = party_of(session, booking_id);
    if (!party)
        return invalid("booking_id", "There is no such booking."_sentence);
    if (party->has_ended())
        return Error{errc::conflict, "This booking was called off. There is nothing to sign."_sentence};
    if (party->end_of_trip(zone) <= now)
        return Error{errc::conflict, "This trip is over. There is nothing to sign any more."_sentence};
    return std::move(*party);
}

}  // namespace

std::string new_token() { return crypto::random_hex(32); }

bool is_token(std::string_view text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string hash_of_token(std::string_view token) {
    return crypto::sha256_hex("svc_consent_links:" + std::string(token));
}

Instant Requests::end_of_link(const ConsentForm& form, const Party& party, Instant now) const {
    return form.expiry_hours ? now.plus(std::chrono::hours(*form.expiry_hours)) : party.end_of_trip(site_.zone());
}

void Requests::invite(store::Transaction& tx, ConsentRequest& request, const Party& party, const std::string& form_name,
                      const std::string& site_url, std::optional<std::int64_t> days_left, Instant now) const {
    const std::string token = new_token();
    tx.run("INSERT INTO svc_consent_links (token_hash, request_id, created_at) VALUES (:hash, :id, :now)",
           {{"hash", hash_of_token(token)}, {"id", request.id}, {"now", now}});
    ++request.mails_sent;
    if (days_left) {
        ++request.reminders_sent;
        request.last_reminder_at = now;
    } else {
        request.sent_at = now;
    }
    request_record().update(tx, request, {.user_id = {}, .now = now});
    queue_invitation(site_, tx,
                     {.request = request,
                      .party = party,
                      .form_name = form_name,
                      .link = site_url + "/consent/" + token,
                      .days_left = days_left});
}

std::optional<ConsentRequest> Requests::add(store::Transaction& tx, const ConsentForm& form, const Party& party,
                                            std::int64_t index, const std::string& site_url, Instant now) const {
    static const std::string statement = request_record().insert_statement(
        "ON CONFLICT (form_id, booking_id, traveler_index) WHERE status <> 'revoked' DO NOTHING");
    ConsentRequest request{.form_id = form.id,
                           .form_version = form.version,
                           .booking_id = party.booking_id,
                           .traveler_index = index,
                           .booking_reference = party.reference,
                           .name = std::string(text::first(party.name_of(index), most_of_name)),
                           .email = party.email_of(index),
                           .email_lower = lower_case(party.email_of(index)),
                           .locale = party.locale,
                           .end_reason = {},
                           .expires_at = end_of_link(form, party, now),
                           .ends_with_trip = !form.expiry_hours,
                           .form_name = {},
                           .trip_title = {}};
    if (request.email.empty() || !request_record().insert_new(tx, statement, request, {.user_id = {}, .now = now}))
        return std::nullopt;
    invite(tx, request, party, form.name, site_url, std::nullopt, now);
    return request_record().find(tx, request.id);
}

Result<Requests::Made> Requests::create(std::int64_t form_id, std::int64_t booking_id,
                                        const std::optional<std::vector<std::int64_t>>& indexes, Instant now) {
    SVC_ASSIGN_OR_RETURN(const auto address, site_url());
    const Zone zone = site_.zone();
    return site_.store.transact<Made>([&](store::Transaction& tx) -> Result<Made> {
        const auto form = form_record().find(tx, form_id);
        if (!form || form->status == "trash")
            return invalid("form_id", "There is no such form."_sentence);
        if (!form->is_published())
            return invalid("form_id", "Publish this form before you send it."_sentence);
        SVC_ASSIGN_OR_RETURN(const auto party, open_party(tx, booking_id, zone, now));
        Made made;
        for (const std::int64_t index : indexes ? *indexes : party.asked_by(*form)) {
            if (index != 0 && !party.find(index))
                return invalid("traveler_indexes",
                               "This booking has no traveler {index}."_sentence.with("index", index));
            if (auto request = add(tx, *form, party, index, address, now))
                made.requests.push_back(std::move(*request));
            else
                made.existing.push_back(index);
        }
        if (made.requests.empty())
            return Error{errc::conflict,
                         "All of them were asked to sign this form already. Send the request again instead."_sentence};
        return made;
    });
}

Result<ConsentRequest> Requests::send_again(std::int64_t id, Instant now) {
    SVC_ASSIGN_OR_RETURN(const auto address, site_url());
    const Zone zone = site_.zone();
    return site_.store.transact<ConsentRequest>([&](store::Transaction& tx) -> Result<ConsentRequest> {
        request_record().lock(tx, id, false);
        auto request = request_record().find(tx, id);
        if (!request)
            return errc::not_found;
        if (request->status == status::signed_)
            return already_signed;
        if (request->status == status::revoked)
            return Error{errc::conflict, "This request was revoked. Make a new one."_sentence};
        const auto form = form_record().find(tx, request->form_id);
        if (!form || form->status == "trash")
            return Error{errc::conflict, "This form is in the trash."_sentence};
        SVC_ASSIGN_OR_RETURN(const auto party, open_party(tx, request->booking_id, zone, now));
        tx.run("UPDATE svc_consent_links SET ended_at = :now WHERE request_id = :id AND ended_at IS NULL",
               {{"id", id}, {"now", now}});
        if (form->is_published())
            request->form_version = form->version;
        request->status = status::pending;
        request->email = party.email_of(request->traveler_index);
        request->email_lower = lower_case(request->email);
        request->name = std::string(text::first(party.name_of(request->traveler_index), most_of_name));
        request->locale = party.locale;
        request->expires_at = end_of_link(*form, party, now);
        request->ends_with_trip = !form->expiry_hours;
        invite(tx, *request, party, form->name, address, std::nullopt, now);
        return std::move(*request_record().find(tx, id));
    });
}

Result<ConsentRequest> Requests::revoke(std::int64_t id, Instant now) {
    return site_.store.transact<ConsentRequest>([&](store::Transaction& tx) -> Result<ConsentRequest> {
        request_record().lock(tx, id, false);
        auto request = request_record().find(tx, id);
        if (!request)
            return errc::not_found;
        if (request->status == status::signed_)
            return Error{already_signed, "This form is signed. Revoke the signed copy instead."_sentence};
        if (request->status != status::revoked) {
            request->status = status::revoked;
            request->end_reason = why::staff;
            request_record().update(tx, *request, {.user_id = {}, .now = now});
        }
        return std::move(*request);
    });
}

void Requests::revoke_of_booking(std::int64_t booking_id, Instant now) {
    const auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run(
            "UPDATE svc_consent_requests SET status = 'revoked', end_reason = :why, updated_at = :now"
            " WHERE booking_id = :id AND status = 'pending'",
            {{"id", booking_id}, {"now", now}, {"why", why::booking}});
        return {};
    });
    if (!written)
        throw std::runtime_error(written.error().message().english());  // the event is delivered again
}

Result<bool> Requests::send_test(const std::string& form_name, const std::string& email, std::int64_t form_id,
                                 Instant now) {
    SVC_ASSIGN_OR_RETURN(const auto address, site_url());
    const std::string link = address + "/consent/" + test_token(site_.secrets, form_id, now);
    constexpr int days_ahead = 30;
    return site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        queue_test(site_, tx, form_name, email, link, crypto::random_hex(16), site_.today(now).plus_days(days_ahead));
        return true;
    });
}

void Requests::note_failure(const char* event, std::int64_t id, const std::exception& failure) const {
    if (site_.log)
        site_.log->write(log::Level::error, event, {{"id", id}, {"cause", log::redacted(failure.what())}});
}

}  // namespace svc::pro::consent
