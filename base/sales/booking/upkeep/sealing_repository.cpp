// SQL that seals answers stored before there was sealing, and seals with the key in use what another key sealed.
#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/upkeep/repository.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {

std::int64_t UpkeepRepository::seal_travelers(store::Transaction& tx, const Sealing& sealing, std::int64_t most) {
    struct Plain {
        std::int64_t id, booking_id, index;
        json::Value fields;
    };
    const auto rows = store::all_rows(
        tx,
        "SELECT id, booking_id, traveler_index, fields FROM svc_booking_travelers WHERE sealed IS NULL"
        " ORDER BY id LIMIT :most",
        {{"most", most}}, [](std::int64_t id, std::int64_t booking_id, std::int64_t index, const std::string& fields) {
            return Plain{id, booking_id, index, json::parse(fields).value()};
        });
    for (const Plain& row : rows) {
        const Sealing::AtRest rest = sealing.seal(row.fields, Sealing::of_traveler(row.booking_id, row.index));
        tx.run(
            "UPDATE svc_booking_travelers SET fields = :fields, sealed = :sealed, search = :search"
            " WHERE id = :id AND sealed IS NULL",
            {{"fields", rest.plain.dump()},
             {"sealed", rest.sealed},
             {"search", traveler_search_text(rest.plain)},
             {"id", row.id}});
    }
    return static_cast<std::int64_t>(rows.size());
}

std::int64_t UpkeepRepository::seal_bookings(store::Transaction& tx, const Sealing& sealing, std::int64_t most) {
    struct Plain {
        std::int64_t id;
        json::Value contact, emergency;
    };
    const auto rows = store::all_rows(
        tx,
        "SELECT id, contact_data, emergency_contact FROM svc_bookings WHERE contact_sealed IS NULL"
        " ORDER BY id LIMIT :most",
        {{"most", most}}, [](std::int64_t id, const std::string& contact, const std::string& emergency) {
            return Plain{id, json::parse(contact).value(), json::parse(emergency).value()};
        });
    for (const Plain& row : rows) {
        const Sealing::AtRest contact = sealing.seal(row.contact, Sealing::of_contact(row.id));
        const Sealing::AtRest emergency = sealing.seal(row.emergency, Sealing::of_emergency(row.id));
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

std::int64_t UpkeepRepository::renew_travelers(store::Transaction& tx, const crypto::Keyring& keyring,
                                               std::int64_t most, std::int64_t& last) {
    struct Sealed {
        std::int64_t id, booking_id, index;
        std::string text;
    };
    std::int64_t count = 0;
    for (const Sealed& row : store::all_rows(
             tx,
             "SELECT id, booking_id, traveler_index, sealed FROM svc_booking_travelers WHERE id > :last AND "
             "sealed <> ''"
             " ORDER BY id LIMIT :most",
             {{"last", last}, {"most", most}},
             [](std::int64_t id, std::int64_t booking_id, std::int64_t index, const std::string&text) {
                 return Sealed{id, booking_id, index, text};
             })) {
        last = row.id;
        const auto text = keyring.renewed(row.text, Sealing::of_traveler(row.booking_id, row.index));
        if (text)
            count += tx.run("UPDATE svc_booking_travelers SET sealed = :text WHERE id = :id AND sealed = :before",
                            {{"text", *text}, {"id", row.id}, {"before", row.text}});
    }
    return count;
}

std::int64_t UpkeepRepository::renew_bookings(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                              std::int64_t& last) {
    struct Sealed {
        std::int64_t id;
        std::string contact, emergency;
    };
    std::int64_t count = 0;
    for (const Sealed& row :
         store::all_rows(tx,
                         "SELECT id, COALESCE(contact_sealed, ''), COALESCE(emergency_sealed, '') FROM svc_bookings "
                         "WHERE id > :last"
                         " AND (contact_sealed <> '' OR emergency_sealed <> '') ORDER BY id LIMIT :most",
                         {{"last", last}, {"most", most}},
                         [](std::int64_t id, const std::string&contact, const std::string&emergency) {
                             return Sealed{id, contact, emergency};
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

}  // namespace svc::booking
