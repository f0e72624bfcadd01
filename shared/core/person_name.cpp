// The rule of people's names.
#include "shared/core/person_name.hpp"

#include "shared/core/text.hpp"

namespace svc {

Result<void> check_person_name(const char* field, std::string_view name) {
    if (text::holds_address(name))
        return invalid(field,
                       "A name must not contain an e-mail or web address. Put a space after a full stop."_sentence);
    return {};
}

}  // namespace svc
