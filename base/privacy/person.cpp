// Finds a person and reads what no other feature shows of them.
#include "base/privacy/person.hpp"

#include "base/booking/guest/guests.hpp"
#include "base/identity/whose.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::privacy {

Person Repository::find(store::Session& session, std::string_view email) {
    Person person;
    const std::string folded = text::folded(email);
    person.email = folded;
    store::each_row(session,
                    "SELECT u.id, CASE WHEN r.slug = 'svc_customer' THEN 0 ELSE 1 END FROM svc_users u"
                    " JOIN svc_roles r ON r.id = u.role_id WHERE u.email_lower = :email",
                    {{"email", folded}}, [&](std::int64_t user_id, bool is_staff) {
                        person.user_id = user_id;
                        person.is_staff = is_staff;
                    });
    person.customer_id =
        store::value<std::int64_t>(session,
                                   "SELECT id FROM svc_customers WHERE " SVC_IS_OF_PERSON("user_id", "email_lower") " ORDER"
                                   " BY CASE WHEN user_id = :user THEN 0 ELSE 1 END, id LIMIT 1",
                                   {{"email", folded}, {"user", person.user_id.value_or(0)}});
    person.booking_ids = booking::Guests::of_person(session, person.user_id.value_or(0), folded);
    person.enquiry_ids = store::numbers(
        session, "SELECT id FROM svc_enquiries WHERE " SVC_IS_OF_PERSON("user_id", "email_lower") " ORDER BY id",
        {{"user", person.user_id.value_or(0)}, {"email", folded}});
    return person;
}

std::vector<std::string> Repository::bookings_ahead(store::Session& session, const Person& person, Date today) {
    static constexpr auto ahead = SVC_BY_IDS(
        "SELECT reference FROM svc_bookings WHERE end_date >= :today AND status IN ('pending', 'pending_verification',"
        " 'confirmed', 'processing', 'on-hold', 'waitlist') AND",
        "id", "ORDER BY id");
    std::vector<std::string> references;
    store::each_row_of(session, ahead, person.booking_ids,
                       [&](const std::string& reference) { references.push_back(reference); }, {{"today", today}});
    return references;
}

std::vector<std::int64_t> Repository::payments(store::Session& session, const Person& person) {
    static constexpr auto of_bookings = SVC_BY_IDS("SELECT id FROM svc_payments WHERE", "booking_id", "ORDER BY id");
    std::vector<std::int64_t> ids;
    store::each_row_of(session, of_bookings, person.booking_ids, [&](std::int64_t id) { ids.push_back(id); });
    return ids;
}

}  // namespace svc::privacy
