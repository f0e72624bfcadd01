// SQL of whose bookings they are and what those have answered.
#include "base/booking/repository.hpp"
#include "shared/core/text.hpp"
#include "shared/store/later.hpp"

namespace svc::booking {

void Repository::set_answers(store::Transaction& tx, std::int64_t id, const Particulars& answers,
                             const Sealing& sealing) {
    const Sealing::AtRest contact = sealing.closed(answers.contact_data, Sealing::of_contact(id));
    const Sealing::AtRest emergency = sealing.closed(answers.emergency_contact, Sealing::of_emergency(id));
    store::run_later(tx,
                     "UPDATE svc_bookings SET contact_data = :contact_data, contact_sealed = :contact_sealed,"
                     " emergency_contact = :emergency_contact, emergency_sealed = :emergency_sealed,"
                     " newsletter_optin = :newsletter_optin, terms_accepted_at = :terms_accepted_at WHERE id = :id",
                     {{"contact_data", contact.plain.dump()},
                      {"contact_sealed", contact.sealed},
                      {"emergency_contact", emergency.plain.dump()},
                      {"emergency_sealed", emergency.sealed},
                      {"newsletter_optin", answers.newsletter_optin},
                      {"terms_accepted_at", answers.terms_accepted_at},
                      {"id", id}});
}

std::int64_t Repository::seal_bookings(store::Transaction& tx, const Sealing& sealing, std::int64_t most) {
    struct Plain {
        std::int64_t id;
        json::Value contact, emergency;
    };
    const auto rows = tx.all<Plain>(
        "SELECT id, contact_data, emergency_contact FROM svc_bookings WHERE contact_sealed IS NULL"
        " ORDER BY id LIMIT :most",
        "itt", {{"most", most}}, [](const store::Row& row) {
            return Plain{row.integer(0), json::parse(row.text(1)).value(), json::parse(row.text(2)).value()};
        });
    for (const Plain& row : rows) {
        const Sealing::AtRest contact = sealing.closed(row.contact, Sealing::of_contact(row.id));
        const Sealing::AtRest emergency = sealing.closed(row.emergency, Sealing::of_emergency(row.id));
        tx.run(
            "UPDATE svc_bookings SET contact_data = :contact_data, contact_sealed = :contact_sealed,"
            " emergency_contact = :emergency_contact, emergency_sealed = :emergency_sealed"
            " WHERE id = :id AND contact_sealed IS NULL",
            {{"contact_data", contact.plain.dump()},
             {"contact_sealed", contact.sealed},
             {"emergency_contact", emergency.plain.dump()},
             {"emergency_sealed", emergency.sealed},
             {"id", row.id}});
    }
    return static_cast<std::int64_t>(rows.size());
}

std::int64_t Repository::renew_travelers(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                         std::int64_t& last) {
    struct Sealed {
        std::int64_t id, booking_id, index;
        std::string text;
    };
    std::int64_t count = 0;
    for (const Sealed& row :
         tx.all<Sealed>("SELECT id, booking_id, traveler_index, sealed FROM svc_booking_travelers WHERE id > :last AND "
                        "sealed <> ''"
                        " ORDER BY id LIMIT :most",
                        "iiit", {{"last", last}, {"most", most}}, [](const store::Row& row) {
                            return Sealed{row.integer(0), row.integer(1), row.integer(2), row.text(3)};
                        })) {
        last = row.id;
        const auto text = keyring.renewed(row.text, Sealing::of_traveler(row.booking_id, row.index));
        if (text)
            count += tx.run("UPDATE svc_booking_travelers SET sealed = :text WHERE id = :id AND sealed = :before",
                            {{"text", *text}, {"id", row.id}, {"before", row.text}});
    }
    return count;
}

std::int64_t Repository::renew_bookings(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                        std::int64_t& last) {
    struct Sealed {
        std::int64_t id;
        std::string contact, emergency;
    };
    std::int64_t count = 0;
    for (const Sealed& row :
         tx.all<Sealed>("SELECT id, COALESCE(contact_sealed, ''), COALESCE(emergency_sealed, '') FROM svc_bookings "
                        "WHERE id > :last"
                        " AND (contact_sealed <> '' OR emergency_sealed <> '') ORDER BY id LIMIT :most",
                        "itt", {{"last", last}, {"most", most}}, [](const store::Row& row) {
                            return Sealed{row.integer(0), row.text(1), row.text(2)};
                        })) {
        last = row.id;
        if (const auto text = keyring.renewed(row.contact, Sealing::of_contact(row.id)); text && !row.contact.empty())
            count +=
                tx.run("UPDATE svc_bookings SET contact_sealed = :text WHERE id = :id AND contact_sealed = :before",
                       {{"text", *text}, {"id", row.id}, {"before", row.contact}});
        if (const auto text = keyring.renewed(row.emergency, Sealing::of_emergency(row.id));
            text && !row.emergency.empty())
            count +=
                tx.run("UPDATE svc_bookings SET emergency_sealed = :text WHERE id = :id AND emergency_sealed = :before",
                       {{"text", *text}, {"id", row.id}, {"before", row.emergency}});
    }
    return count;
}

void Repository::set_verified(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_bookings SET verified_at = :now WHERE id = :id", {{"now", now}, {"id", id}});
}

void Repository::set_payable_since(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_bookings SET payable_since = :now WHERE id = :id", {{"now", now}, {"id", id}});
}

std::int64_t Repository::count_unowned(store::Session& session, std::string_view email) {
    return session.number(
        "SELECT COUNT(*) FROM svc_bookings b JOIN svc_customers c ON c.id = b.customer_id"
        " WHERE c.email_lower = :email AND b.user_id IS NULL",
        {{"email", text::folded(email)}});
}

std::int64_t Repository::own(store::Transaction& tx, std::int64_t user_id, std::string_view email, Instant now) {
    return tx.run(
        "UPDATE svc_bookings SET user_id = :user_id, row_version = row_version + 1, updated_at = :now"
        " WHERE user_id IS NULL AND customer_id IN (SELECT id FROM svc_customers WHERE email_lower = :email)",
        {{"user_id", user_id}, {"now", now}, {"email", text::folded(email)}});
}

}  // namespace svc::booking
