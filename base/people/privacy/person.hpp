// A person as the database knows them: by an address, and by the records that belong to it.
#pragma once

#include <string>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/json/value.hpp"
#include "shared/record/facts.hpp"
#include "shared/store/store.hpp"

namespace svc::privacy {

struct Person : facts::Person {
    bool is_staff = false;  // the account has another role than a customer's

    [[nodiscard]] bool is_known() const {
        return user_id != 0 || customer_id != 0 || !booking_ids.empty() || !enquiry_ids.empty();
    }
};

// Changed rows that are not the person's own.
struct Traces {
    std::int64_t events = 0, bookings_of_others = 0;
};

class Repository {
  public:
    static Person find(store::Session& session, std::string_view email);
    // Account, e-mails and consents of the person, as members of the export.
    static json::Value account(store::Session& session, const Person& person);
    static json::Value emails(store::Session& session, const Person& person);
    static json::Value tracking_consents(store::Session& session, const Person& person);

    // Blanks the person's data in the tables, as their facts say; erasure.cpp names the data that stays. `actions`: all
    // that are declared. Returns the rows changed by table, and as `bookings_of_others` how many bookings of other
    // people that name the person were marked for staff.
    static json::Value erase(store::Transaction& tx, const Person& person, const std::vector<hooks::Action>& actions,
                             Instant now);

  private:
    static Traces erase_traces(store::Transaction& tx, const Person& person, const std::vector<hooks::Action>& actions,
                               Instant now);
};

}  // namespace svc::privacy
