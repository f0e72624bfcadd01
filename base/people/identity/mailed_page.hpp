// The built-in pages behind mailed links: a form that POSTs and works without JavaScript. Opening one changes nothing,
// so a mail scanner that follows a link proves nothing (ruling "links in mails"). A site's own pages may replace them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/route.hpp"

namespace svc::identity {

// A question of such a form.
struct FormField {
    enum class Kind : std::uint8_t { line, lines, choice };  // lines: not empty
    std::string name;
    Sentence label;
    Kind kind = Kind::line;
    std::vector<std::string> choices = {};  // of a choice; the first is chosen
    int longest = 255;
};

struct MailedForm {
    Sentence title, text;
    std::string action;  // where the form posts, relative to the page: the last part of the route's path
    std::string token;   // of the link, sent along
    Sentence button;
    std::vector<FormField> fields = {};
    bool asks_password = false;  // twice: `password` and `confirm_password`
    std::string account = {};    // the account that the link concerns, masked
    std::string nonce = {};      // of the session that this browser is signed in by, sent along
    bool asks_current_password = false;
    Sentence fault = {};  // the error of the previous attempt
};

// A page with the form; `status` 200, or the fault's.
api::Reply form_page(const MailedForm& form, int status = 200);
// A page that reports an outcome, with a link to go on; an empty `link` shows none.
api::Reply message_page(int status, const Sentence& title, const Sentence& text, std::string_view link = {},
                        const Sentence& link_text = {});
// The site's own pages in place of these. `render` gets heading, text, account, fault, link, link_text and form
// (action, token, nonce, button, fields, asks_password, asks_current_password), whose words are in the language of
// `say`. Empty: the built-in look, in English. [start-up]
struct Dress {
    std::function<api::Reply(int status, const json::Value& model)> render = {};
    std::function<std::string(const Sentence&)> say = {};
};
void dress_pages(Dress dress);
// Whether such a page's form sent the request, so that a page is the answer.
bool sent_by_form(const api::Request& request);

}  // namespace svc::identity
