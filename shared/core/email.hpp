// Whether a text can be the address of a mailbox, as mail servers of today take it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc {

// RFC 5321's lengths, a dot-atom, one @ and a domain of at least two labels; ASCII alone. No quoted local parts, no
// address literals: customers do not have such addresses, and they allow injecting headers.
bool is_email(std::string_view text);

// The address as it is stored and mailed to: without blanks around it and invisible characters, an international
// domain in ASCII ("ada@müller.example" is ada@xn--mller-kva.example). Nothing for what is_email() refuses after that.
std::optional<std::string> email_address(std::string_view typed);

// The text with international domains decoded: "ada@xn--mller-kva.example" is ada@müller.example. Other labels stay
// unchanged.
std::string domains_in_letters(std::string_view text);

}  // namespace svc
