// Templates as they are used: which one applies to an e-mail, and those of the base beside the module's own.
#pragma once

#include <map>
#include <mutex>

#include "pro/common/site.hpp"
#include "pro/email_automation/email_template.hpp"

namespace svc::pro::email_automation {

// What overrides look at.
struct TripFacts {
    std::int64_t id = 0;                   // 0: the e-mail is about no trip
    std::string type;                      // single_day, multi_day
    std::vector<std::int64_t> categories;  // with those above them
};
// `trip` as the filter svc_transactional_email_message passes it; null: no trip.
TripFacts facts_of(const json::Value& trip);

// The template that an e-mail is written by, and why: "trip", "category", "trip_type" or "global".
struct Match {
    EmailTemplate found;
    std::string matched_by;
};

// An e-mail of the base, a plugin or the sequences of this module, as it comes.
struct BuiltIn {
    std::string key, event_key, name, category, recipient_type, subject, body;
    std::string switch_setting;  // of the site that turns it off; empty: it has none
};

// Any thread, outside of transactions unless said.
class Templates {
  public:
    explicit Templates(const Site& site) : site_(site) {}

    // Stores a row for each built-in e-mail and brings those that nobody changed up to date. Asks the base.
    Result<void> refresh();
    // Of the last refresh(); nothing: none has that key.
    [[nodiscard]] std::optional<BuiltIn> built_in(std::string_view key) const;

    // Spec 2.10: of the active overrides the most specific one (trip, category, trip type), then the larger priority,
    // then the smaller id; else the template for everybody. Nothing: there is no such template.
    static std::optional<Match> find(store::Session& session, const std::string& key, const TripFacts& trip);
    // As above for a trip by its id. trip_not_found; not_found: no such template.
    Result<Match> resolve(std::int64_t trip_id, const std::string& key) const;
    // The template that an event sends, to customers first; empty: none.
    [[nodiscard]] std::string key_of_event(const std::string& event_key) const;

    // The filter svc_transactional_email_message: the texts and addresses that replace those of the base.
    [[nodiscard]] json::Value message(const json::Array& given) const;

    // Whether the base can read both texts as ones of that e-mail; the error names subject or body.
    Result<void> check_texts(const std::string& key, const std::optional<std::string>& subject,
                             const std::optional<std::string>& body) const;
    // As it would be sent: {"subject", "body", …}. `asked`: subject, body, trip_id, booking_id. In the name of that
    // user, whose bookings alone are shown.
    Result<json::Value> preview(const EmailTemplate& shown, const json::Value& asked, std::int64_t user_id) const;

    // The key by which the base renders it: its own, or that of the module's messages.
    [[nodiscard]] std::string rendered_as(const EmailTemplate& each) const;

  private:
    [[nodiscard]] Result<TripFacts> trip_of(std::int64_t trip_id) const;
    Result<void> store_all(const std::vector<BuiltIn>& all);

    const Site& site_;
    mutable std::mutex mutex_;
    std::map<std::string, BuiltIn, std::less<>> built_in_;  // by mutex_
};

}  // namespace svc::pro::email_automation
