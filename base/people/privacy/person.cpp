// Finds a person by what the features' facts know of an address.
#include "base/people/privacy/person.hpp"

#include "base/feature/facts.hpp"
#include "base/people/identity/staff.hpp"
#include "shared/core/text.hpp"

namespace svc::privacy {

Person Repository::find(store::Session& session, std::string_view email) {
    Person person{facts::of_base().person(session, text::folded(email))};
    person.is_staff = person.user_id != 0 && identity::staff::is_staff(session, person.user_id);
    return person;
}

}  // namespace svc::privacy
