// Comparisons of whole values.
#include "base/people/privacy/mentions.hpp"

#include <algorithm>

#include "shared/core/text.hpp"

namespace svc::privacy {

Mentions::Mentions(const Person& person) : email_(person.email) {
    const auto add = [&](const char* name, std::int64_t id) { ids_[name].insert(std::to_string(id)); };
    for (const std::int64_t id : person.booking_ids)
        add("booking_id", id);
    for (const std::int64_t id : person.enquiry_ids)
        add("enquiry_id", id);
    if (person.user_id != 0)
        add("user_id", person.user_id);
}

bool Mentions::is_address(std::string_view text) const { return !email_.empty() && text::folded(text) == email_; }

bool Mentions::in(const json::Value& value, std::string_view name) const {
    if (value.is_string())
        return is_address(value.text());
    if (value.is_number()) {
        const auto known = ids_.find(name);
        return known != ids_.end() && known->second.contains(value.number_text());
    }
    if (value.is_array())
        return std::any_of(value.items().begin(), value.items().end(),
                           [&](const json::Value& each) { return in(each, name); });
    if (!value.is_object())
        return false;
    const std::string own_id = std::string(name) + "_id";
    return std::any_of(value.members().begin(), value.members().end(), [&](const auto& member) {
        return in(member.second, member.first == "id" ? std::string_view(own_id) : std::string_view(member.first));
    });
}

bool Mentions::in_arguments(const json::Value& arguments, const std::vector<std::string_view>& names) const {
    if (!arguments.is_array())
        return false;
    for (std::size_t at = 0; at < arguments.items().size(); ++at)
        if (in(arguments.items()[at], at < names.size() ? names[at] : std::string_view{}))
            return true;
    return false;
}

bool Mentions::among_words(std::string_view text) const {
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(" \n"), text.size());
        if (is_address(text.substr(0, end)))
            return true;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return false;
}

}  // namespace svc::privacy
