// Composes e-mails of what has happened and queues them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messaging/email.hpp"
#include "base/messaging/merge_tags.hpp"
#include "base/messaging/render.hpp"
#include "base/messaging/templates.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/events/events.hpp"
#include "base/platform/outbound/mail.hpp"
#include "base/settings/settings.hpp"
#include "shared/store/store.hpp"

namespace svc::messaging {

// What goes to one customer about one booking.
struct BookingNews {
    std::string_view template_key;
    std::int64_t booking_id = 0;
    const json::Value& booking;       // reference, customer_name, customer_email, trip_title, travel_date, …
    Variables more = {};              // beyond what every booking has
    std::string dedupe_key;           // empty: sent whatever was sent before
    std::string_view event_key = {};  // empty: the template's own
    bool by_hand = false;             // staff ask for it: no limit of what strangers may cause
};

// The texts an e-mail is made of, its tags not filled in yet.
struct Wording {
    std::string subject, body;
};

// An e-mail as it would be sent now.
struct Draft {
    const Template* which;
    std::optional<std::string> subject = {}, body = {};     // in place of the operator's or the built-in text
    std::optional<json::Value> booking = {}, payment = {};  // the booking it tells of and its latest completed payment
    json::Value trip = {};    // without a booking: the trip that the samples are about, as BookingSources::trip has it
    std::string locale = {};  // empty: the booking's, else the site's
};
struct Preview {
    std::string subject, html, text, locale;
};

// What became of an e-mail that was sent once more.
struct Resent {
    bool sent = false;
    std::string template_key, recipient;
    std::string reason = {};  // why it is not sent
};
const std::vector<std::string>& resendable();  // the types
struct Resend {
    BookingNews news;  // refers to the booking it was prepared for
    bool to_staff = false;
    Resent queued;  // what is answered once it is queued, which goes unless it is switched off
};

// Any thread. All that it is given outlives it.
class Service {
  public:
    // `site_url` without a slash at its end. `wake` is called after each commit that
    // queued something a mail server is waiting for. `mail_folders`: see make_mail_files.
    Service(const settings::Settings& settings, events::Events& hooks, const crypto::Keyring& keyring,
            const Clock& clock, std::string site_url, std::function<void()> wake,
            std::vector<std::filesystem::path> mail_folders = {});

    // Listens to the bookings' actions, which must have been declared. Throws std::logic_error when one is not.
    void listen();  // [start-up]
    // The address of the page that takes a booking's payment from whoever has this mail.
    using PayLink = std::function<std::string(const json::Value& booking)>;
    void listen_to_departures(PayLink pay_link);  // [start-up] to moved departures, waitlists and seats that run low

    // How a guest's address is proven: the link for that booking. Empty: no such e-mail is sent.
    using VerificationLink = std::function<std::string(const json::Value& booking)>;
    void listen_to_bookings(const VerificationLink& link);  // [start-up] to their later life

    // Reads a booking as on the wire, from the database.
    using FindBooking = std::function<std::optional<json::Value>(std::int64_t booking_id)>;
    void listen_to_payments(FindBooking find);  // [start-up] to completed ones, unless they say send_emails false
    // To money that went back. `find_note` names the credit note of a refund, `refund` as its action has it.
    struct CreditNote {
        std::string number, url;
    };
    using FindCreditNote = std::function<CreditNote(const json::Value& refund)>;
    void listen_to_refunds(FindBooking find, FindCreditNote find_note);  // [start-up]
    // To charges by the clock: what is coming, what was charged, what was refused.
    void listen_to_scheduled_payments(FindBooking find, PayLink pay_link);  // [start-up]
    // The links for what an action reports of an account.
    using AccountLink = std::function<std::string(std::int64_t user_id, const json::Value& account)>;
    struct AccountLinks {
        AccountLink proof, reset;  // that proves its address; that sets a new password
        AccountLink change;        // that gives it another address
        AccountLink privacy;       // that shows or erases its holder's data
    };
    void listen_to_accounts(AccountLinks links);  // [start-up]
    void listen_to_enquiries();                   // [start-up] to new ones and to responses (service_people.cpp)
    // The page where a booking's customer writes a review.
    using ReviewPage = std::function<std::string(const json::Value& booking)>;
    void listen_to_reviews(ReviewPage page);  // [start-up] to who is to be asked for one
    // Who travels on a booking, as their fields by key; what is sealed at rest is not among them.
    using FindTravelers = std::function<json::Array(std::int64_t booking_id)>;
    void name_travelers(FindTravelers find) { travelers_ = std::move(find); }  // [start-up]

    // Queues it, suppressed when a switch is off, unless the recipient is no address, a filter keeps it back or its
    // dedupe key is known. Not inside a transaction.
    // Answers whether it is on its way.
    bool tell_customer(const BookingNews& news);
    // The same about a booking for who gets the operator's notices.
    bool tell_staff(const BookingNews& news);
    // The same for who gets the operator's notices (setting admin_email).
    bool tell_staff(std::string_view template_key, const Wording& wording, const Variables& variables,
                    const std::string& dedupe_key, std::string_view event_key = {});  // empty: the template's own
    // The addresses of these, joined by commas.
    [[nodiscard]] std::string staff_addresses() const;

    // `payment`: the latest completed one, for the types that tell of it. Errors name `type`.
    Result<Resend> prepare_resend(const std::string& type, const json::Value& booking,
                                  const std::optional<json::Value>& payment) const;
    // Answers what `queued` says, unless an extension keeps it back or nothing can be sent.
    Resent resend(const Resend& prepared);

    // What would be sent, with samples for what no booking tells; links that prove something are samples always.
    // Errors name subject or body: it cannot be read, or it has a tag that the e-mail lacks.
    [[nodiscard]] Result<Preview> preview(const Draft& draft) const;
    // The e-mail that shows that the mail server works.
    [[nodiscard]] outbound::Mail test_mail(const std::string& to) const;

    [[nodiscard]] const templates::Library& files() const { return *files_; }  // of the texts

    void ask(BookingSources sources) { sources_ = std::move(sources); }  // [start-up]

  private:
    // The booking's language, else its account's, else the site's.
    [[nodiscard]] Words words_of(const json::Value& booking) const;
    [[nodiscard]] Words words_of_site() const;
    [[nodiscard]] Words words_of_enquiry(const json::Value& enquiry) const;  // its language, else the site's
    [[nodiscard]] Words words_of_account(std::int64_t user_id) const;
    [[nodiscard]] Variables of_event(const Template& which, const json::Value& booking,
                                     const std::optional<json::Value>& payment, const Words& words) const;
    [[nodiscard]] Variables sampled(const Template& which, const Words& words) const;
    [[nodiscard]] Told told(std::int64_t id, const json::Value& booking, const json::Value& answers,
                            const Words& words) const;
    // Everything that an e-mail about a booking may show, as the filters leave it.
    [[nodiscard]] Variables variables_of(const Template& which, const Wording& wording, const BookingNews& news,
                                         const Words& words) const;
    // As svc_send_booking_status_email_html wants it.
    void replace_html(const Template& which, const json::Value& booking, NewEmail& email) const;
    [[nodiscard]] std::string gateway_title(const std::string& gateway) const;
    [[nodiscard]] std::string how_to_pay(const json::Value& booking) const;
    // What only some e-mails and texts show.
    void add_details(const Template& which, const Wording& wording, std::int64_t id, const json::Value& booking,
                     const Words& words, Variables& variables) const;
    [[nodiscard]] std::string shown_day(const std::string& day, const Words& words = {}) const;
    [[nodiscard]] bool notifies_staff_of_new(const json::Value& booking) const;
    [[nodiscard]] std::string why_not(const Template& which, bool to_staff, const std::string& recipient) const;
    [[nodiscard]] Variables reminding(const json::Value& booking, std::int64_t days) const;
    [[nodiscard]] Variables of_payment(const json::Value& payment) const;
    void on(std::string_view action, std::string_view template_key);
    static Variables received(std::string_view status, const Words& words);
    static Variables of_account(std::string_view template_key, const Words& words);
    void tell_of_enquiry(std::string_view template_key, const json::Value& enquiry, Variables more,
                         const std::string& dedupe_key);
    // About no booking; `account` has name and email.
    void tell_account(std::string_view template_key, const json::Value& account, const Words& words, Variables more,
                      const std::string& dedupe_key);
    // `is_bounded`: somebody who has proven nothing can cause it, so that setting unproven_mails_per_hour holds.
    void queue(NewEmail email, bool is_bounded = false);
    [[nodiscard]] std::string dedupe_key(std::string_view template_key, std::int64_t id) const;
    [[nodiscard]] Variables general() const;
    [[nodiscard]] Variables of_booking(std::int64_t id, const json::Value& booking, const Words& words) const;
    // Their names and what else they said, where that e-mail has a place for it.
    [[nodiscard]] Variables of_travelers(const Wording& wording, std::int64_t booking_id,
                                         const json::Value& booking) const;
    [[nodiscard]] Variables filtered(Variables variables, const json::Value& booking) const;
    [[nodiscard]] bool switched_off(const Template& which) const;
    // A listener that has taken it over says whether it is on its way; nothing: nobody has.
    [[nodiscard]] std::optional<bool> sent_by_another(const Template& which, const std::string& to,
                                                      const Variables& variables) const;
    [[nodiscard]] bool is_sent_by_another(const Template& which, const std::string& to,
                                          const Variables& variables) const {
        return sent_by_another(which, to, variables).has_value();
    }
    // What the operator wrote, else what is built in, as listeners want it for this booking and this trip. Without a
    // trip_id it is the booking's.
    [[nodiscard]] Wording wording_of(const Template& which, const json::Value& booking = {},
                                     std::optional<std::int64_t> trip_id = std::nullopt) const;
    void write_text(const Template& which, const Wording& wording, const Variables& variables, NewEmail& email) const;
    void address(const Template& which, NewEmail& email) const;

    BookingSources sources_;
    const std::unique_ptr<templates::Library> files_;
    const settings::Settings& settings_;
    events::Events& hooks_;
    const crypto::Keyring& keyring_;
    const Clock& clock_;
    const std::string site_url_;
    const std::function<void()> wake_;
    FindTravelers travelers_;
};

// Addresses of a list with commas or semicolons, those that are none left out, each once.
std::vector<std::string> addresses_of(std::string_view list);

}  // namespace svc::messaging
