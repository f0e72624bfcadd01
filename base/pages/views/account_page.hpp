// Shared parts of the account pages.
#pragma once

#include "base/pages/views/views.hpp"

namespace svc::pages {

// A page with the account's menu; `now`: the part of the menu that it is.
View account_page(const Views& views, Visit& visit, std::string page, std::string_view now);
// Puts that menu into the model of a partner's page.
void add_account_menu(const Views& views, Visit& visit, View& view, std::string_view now);

}  // namespace svc::pages
