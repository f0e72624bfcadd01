// The proof of a person on protected forms: part-hidden.html holds its field, human.js fills it when the form is sent.
#include <algorithm>

#include "base/people/identity/provider_script.hpp"
#include "base/website/pages/scripts.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {

void Views::add_human_check(View& view, std::initializer_list<std::string_view> forms) const {
    const auto* form =
        std::find_if(forms.begin(), forms.end(), [&](std::string_view each) { return human.protects(each); });
    if (form == forms.end())
        return;
    const std::string address = settings().text("recaptcha_script_url"), origin = identity::origin_of_script(address),
                      key = settings().text("recaptcha_site_key");
    view.model.set("human", json::Value::object({{"key", key},
                                                 {"for_account", *form == "registration" && view.page != "register"},
                                                 {"action", *form},
                                                 {"provider", address + query_of({{"render", key}})},
                                                 {"script", script_of("human").path}}));
    // Its script loads a second one from there, and both ask in a frame of its own.
    add_origins(view,
                {.script = {origin, "https://www.gstatic.com"}, .frame = {origin, "https://recaptcha.google.com"}});
}

}  // namespace svc::pages
