// The files of pro/pages: templates of pages and their scripts, by name.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "shared/plugin/host_pages.hpp"

namespace svc::pro {

// Throws plugin::Refused when there is none of that name. [start-up]
std::string page_template(std::string_view name);
// Offers the script "consent.js" to pages, which get its address as assets.consent_js. [start-up]
void add_page_script(plugin::Pages& pages, std::string_view name);
// The same made of several files, one after the other. [start-up]
void add_page_script(plugin::Pages& pages, std::string_view name, std::initializer_list<std::string_view> parts);

}  // namespace svc::pro
