// Shared parts of the account pages.
#pragma once

#include "base/website/views/views.hpp"

namespace svc::pages {

// A page with the account's menu; `now`: the part of the menu that it is.
View account_page(const Views& views, PageRequest& visit, std::string page, std::string_view now);
// Puts that menu into the model of a partner's page.
void add_account_menu(const Views& views, PageRequest& visit, View& view, std::string_view now);

}  // namespace svc::pages
