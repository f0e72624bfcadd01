// What names a person outside of the rows that are theirs: payloads of events; and bookings of others that name them,
// which staff decide about.
#include <algorithm>

#include "base/people/privacy/mentions.hpp"
#include "base/people/privacy/person.hpp"
#include "shared/core/words.hpp"
#include "shared/json/own.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/like.hpp"
#include "shared/store/typed.hpp"

namespace svc::privacy {
namespace {

constexpr std::string_view for_staff =
    "the data of a person named here was erased; decide whether the name may stay in this booking";

json::Value read_own(const std::string& text) {
    auto value = json::parse_own(text);
    return value ? std::move(*value) : json::Value();
}

// Events that were run, and those that wait: nobody is to be notified about an erased person any more.
std::int64_t blank_events(store::Transaction& tx, const Person& person, const Mentions& mentions,
                          const std::vector<hooks::Action>& actions, Instant now) {
    std::vector<std::int64_t> ids;
    // Payloads without a subject are looked into; others only if the address or a booking's id is somewhere in them, or
    // the subject may be the person's.
    store::each_row(
        tx,
        "SELECT id, name, arguments FROM svc_domain_events WHERE arguments <> '[]' AND (subject_id IS NULL"
        " OR subject_id = :user OR arguments LIKE '%\"booking_id\"%' OR LOWER(arguments) LIKE :part ESCAPE '\\')",
        {{"user", person.user_id}, {"part", store::like_contains(person.email)}},
        [&](std::int64_t id, const std::string& name, const std::string& arguments) {
            const auto known = std::find_if(actions.begin(), actions.end(),
                                            [&](const hooks::Action& action) { return action.name == name; });
            if (mentions.in_arguments(read_own(arguments),
                                      known == actions.end() ? std::vector<std::string_view>{} : known->arguments))
                ids.push_back(id);
        });
    static constexpr auto of_subjects = SVC_BY_IDS(
        "SELECT id, name, arguments FROM svc_domain_events WHERE arguments <> '[]' AND", "subject_id", "ORDER BY id");
    std::vector<std::int64_t> subjects = person.booking_ids;
    subjects.insert(subjects.end(), person.enquiry_ids.begin(), person.enquiry_ids.end());
    store::each_row_of(
        tx, of_subjects, subjects, [&](std::int64_t id, const std::string& name, const std::string& arguments) {
            const auto known =
                std::find_if(actions.begin(), actions.end(), [&](const auto& action) { return action.name == name; });
            if (known != actions.end() && mentions.in_arguments(read_own(arguments), known->arguments))
                ids.push_back(id);
        });
    static constexpr auto blank = SVC_BY_IDS(
        "UPDATE svc_domain_events SET arguments = CASE WHEN subject_id IS NULL THEN '[]' ELSE '[' || subject_id || ']'"
        " END, error = NULL, dispatched_at = COALESCE(dispatched_at, :now) WHERE",
        "id", "");
    return store::run_of(tx, blank, ids, {{"now", now}});
}

// Bookings of other people that name the person as their contact or as a traveler.
std::vector<std::int64_t> bookings_that_name(store::Session& session, const Person& person, const Mentions& mentions) {
    std::vector<std::int64_t> ids;
    const auto is_own = [&](std::int64_t id) {
        return std::find(person.booking_ids.begin(), person.booking_ids.end(), id) != person.booking_ids.end();
    };
    store::each_row(
        session, "SELECT id FROM svc_bookings WHERE user_id IS NOT NULL AND LOWER(contact_email) = :email ORDER BY id",
        {{"email", person.email}}, [&](std::int64_t id) {
            if (!is_own(id))
                ids.push_back(id);
        });
    store::each_row(session,
                    "SELECT booking_id, fields FROM svc_booking_travelers WHERE search LIKE :part ESCAPE '\\'"
                    " ORDER BY booking_id",
                    {{"part", store::like_contains(text::search_key(person.email))}},
                    [&](std::int64_t booking_id, const std::string& fields) {
                        if (!is_own(booking_id) && mentions.in(read_own(fields)) &&
                            std::find(ids.begin(), ids.end(), booking_id) == ids.end())
                            ids.push_back(booking_id);
                    });
    return ids;
}

}  // namespace

Traces Repository::erase_traces(store::Transaction& tx, const Person& person, const std::vector<hooks::Action>& actions,
                                Instant now) {
    const Mentions mentions(person);
    static constexpr auto flag = SVC_BY_IDS(
        "UPDATE svc_bookings SET needs_attention = 1, attention_reason = :reason, updated_at = :now,"
        " row_version = row_version + 1 WHERE",
        "id", "");
    Traces traces{.events = blank_events(tx, person, mentions, actions, now)};
    traces.bookings_of_others =
        store::run_of(tx, flag, bookings_that_name(tx, person, mentions), {{"reason", for_staff}, {"now", now}});
    return traces;
}

}  // namespace svc::privacy
