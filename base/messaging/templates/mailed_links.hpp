// Every link that a mail of the program carries and that proves something: docs/rules.md shows this table. What proves
// is a secret: the merge tags that carry these links are marked by this table (known_tags.cpp), so that copies of a
// mail, mails to staff and previews have the same addresses without it.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace svc::messaging {

struct MailedLink {
    std::string_view name;
    std::string_view tag;        // the merge tag that carries it
    std::string_view templates;  // keys separated by commas; "customers": every mail about a booking to its contact
    std::string_view proves, grants, needs, ends;
};

inline constexpr std::array<MailedLink, 13> mailed_links{{
    {.name = "booking",
     .tag = "booking_url",
     .templates = "customers",
     .proves = "the mailbox of the booking's contact",
     .grants = "reads the booking and its documents, also after cancellation; gives a booking_token",
     .needs = "the booking_token to act (POST /booking/open; the page's forms do it)",
     .ends = "60 days after the trip; with another contact address; with a new link by staff"},
    {.name = "pay",
     .tag = "balance_payment_url",
     .templates = "scheduled_payment_reminder, scheduled_payment_failed",
     .proves = "that the booking's contact passed it on",
     .grants = "shows reference, trip and amount; takes the payment",
     .needs = "nothing",
     .ends =
         "with the last payment, the day of travel or cancellation; after 60 days; with another contact address; with"
         " a new link by staff"},
    {.name = "waitlist offer",
     .tag = "booking_url",
     .templates = "waitlist_offer",
     .proves = "as the booking link, which it is",
     .grants = "pays for the seats or declines them",
     .needs = "as the booking link",
     .ends = "as the booking link; the offer itself after waitlist_offer_hours"},
    {.name = "guest's address",
     .tag = "verification_link",
     .templates = "guest_email_verification",
     .proves = "the mailbox of the booking's contact",
     .grants = "confirms the address; the booking goes on",
     .needs = "the page's button",
     .ends = "after 2 days (svc_guest_verification_ttl_seconds); with cancellation; with another contact address"},
    {.name = "account's address",
     .tag = "verification_link",
     .templates = "customer_email_verification",
     .proves = "the mailbox of the account's address",
     .grants = "sets the password once and signs in on that browser",
     .needs = "the page's form; to join an address to an account that has a password, that account signed in or its"
              " password",
     .ends = "after a day; with its use"},
    {.name = "password",
     .tag = "verification_link",
     .templates = "account_password_reset",
     .proves = "the mailbox of the account's address",
     .grants = "sets a new password",
     .needs = "the page's form",
     .ends = "after an hour; with its use; with a new password or address"},
    {.name = "account's new address",
     .tag = "verification_link",
     .templates = "account_email_change_request",
     .proves = "the mailbox of the new address",
     .grants = "gives the account that address",
     .needs = "the account signed in, or its password",
     .ends = "after a day; with its use; with another request or its cancellation"},
    {.name = "personal data",
     .tag = "verification_link",
     .templates = "account_privacy_link",
     .proves = "the mailbox of the account's address",
     .grants = "returns the account's data",
     .needs = "the page's button",
     .ends = "after a day; with its use; with a new password or address"},
    {.name = "erasure",
     .tag = "verification_link",
     .templates = "account_privacy_link",
     .proves = "the mailbox of the account's address",
     .grants = "erases the account and its data",
     .needs = "the page's button",
     .ends = "after a day; with its use; with a new password or address"},
    {.name = "review",
     .tag = "review_url",
     .templates = "review_request",
     .proves = "the mailbox of the booking's contact",
     .grants = "writes one review of the booked trip",
     .needs = "a trip that is over",
     .ends = "with the review; with another contact address"},
    {.name = "credit note",
     .tag = "credit_note_url",
     .templates = "booking_refunded",
     .proves = "that the booking's contact passed it on",
     .grants = "reads that document",
     .needs = "nothing",
     .ends = "after 365 days (svc_invoice_token_ttl_seconds); with another contact address"},
    {.name = "end of marketing",
     .tag = "unsubscribe_token",
     .templates = "automation_marketing",
     .proves = "the mailbox that it was sent to",
     .grants = "ends marketing to that mailbox, or takes that back",
     .needs = "the page's button; nothing for the request of mail programs (RFC 8058)",
     .ends = "never"},
    {.name = "of modules",
     .tag = "consent_link, recovery_link, recovery_stop_link, campaign_body_html, campaign_stop_link",
     .templates = "trip_consent_request, trip_consent_reminder, trip_consent_signed, abandoned_booking_recovery_first,"
                  " abandoned_booking_recovery_second, abandoned_booking_recovery_final, abandoned_booking_campaign",
     .proves = "the mailbox that it was sent to",
     .grants = "signs that form; goes on with that booking session; ends its reminders",
     .needs = "as their module says",
     .ends = "as their module says"},
}};

// Whether a merge tag carries an address with a secret.
constexpr bool carries_secret(std::string_view tag) {
    return std::any_of(mailed_links.begin(), mailed_links.end(), [tag](const MailedLink& link) {
        for (std::string_view tags = link.tag; !tags.empty();) {
            const auto end = std::min(tags.find(", "), tags.size());
            if (tags.substr(0, end) == tag)
                return true;
            tags.remove_prefix(std::min(end + 2, tags.size()));
        }
        return false;
    });
}

}  // namespace svc::messaging
