// Links in e-mails that let whoever has them read or act: which tags hold them, and the same addresses without tokens.
//
// A tag that is such a link, or the token of one alone, is marked by its row in mailed_links.hpp; one whose text may
// contain one by `secret({key, label, sample})` in known_tags.cpp, or by "is_secret" in a definition that a listener of
// svc_email_merge_tag_definitions returns. All else follows from the mark: an e-mail to a
// customer in which such a link occurs has one recipient, its copies are messages of their own without the token, and
// e-mails to staff and previews never hold one.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/messaging/templates/render.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::messaging {

using SecretTags = std::set<std::string, std::less<>>;
// Marked by the base or by a listener. Any thread.
SecretTags secret_tags(const hooks::Hooks& hooks);

// The values with the marked ones' links shortened, and empty where a marked one is a token alone; `tokens`, if given,
// receives what was cut out.
Variables without_secrets(Variables variables, const SecretTags& tags, std::vector<std::string>* tokens = nullptr);
// The same with the tags that secret_tags() would return.
Variables without_secrets(Variables variables, const hooks::Hooks& hooks, std::vector<std::string>* tokens = nullptr);
// Every web address in a text or in HTML without its token: parameters named or looking like one are dropped, and a
// last part of the path that looks like one.
std::string without_tokens(std::string_view text, std::vector<std::string>* tokens = nullptr);

}  // namespace svc::messaging
