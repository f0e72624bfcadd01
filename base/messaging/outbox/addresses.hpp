// Lists of e-mail addresses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::messaging {

// The valid addresses of a list with commas or semicolons, each once; upper and lower case are the same mailbox.
std::vector<std::string> addresses_of(std::string_view list);
bool contains_address(const std::vector<std::string>& addresses, std::string_view one);
// The addresses separated by commas.
std::string joined_addresses(const std::vector<std::string>& addresses);

}  // namespace svc::messaging
