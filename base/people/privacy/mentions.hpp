// Finds a person in stored JSON and in texts by whole values: an address that is a part of another one is nobody's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/people/privacy/person.hpp"

namespace svc::privacy {

// Pure functions over one person, any thread. A customer record names nobody: others' bookings may hang on it.
class Mentions {
  public:
    explicit Mentions(const Person& person);

    // Whether a value is the person's address, or an id of theirs by its name: `booking_id` 12, or the `id` 12 in an
    // object called `booking`.
    [[nodiscard]] bool in(const json::Value& value, std::string_view name = {}) const;
    // The arguments of an action that has these names.
    [[nodiscard]] bool in_arguments(const json::Value& arguments, const std::vector<std::string_view>& names) const;
    // Whether a word of the text is the person's address.
    [[nodiscard]] bool among_words(std::string_view text) const;
    [[nodiscard]] bool is_address(std::string_view text) const;

  private:
    std::string email_;
    std::map<std::string, std::set<std::string>, std::less<>> ids_;  // by the name of the member
};

}  // namespace svc::privacy
