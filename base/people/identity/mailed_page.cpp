// The markup and the headers of the pages behind mailed links.
#include "base/people/identity/mailed_page.hpp"

#include <memory>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/html/html.hpp"

namespace svc::identity {
namespace {

constexpr std::string_view page_style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:12vh auto;padding:0 1rem;color:#1b1f24;"
    "background:#fff}h1{font-size:1.4rem}label{display:block;margin:1rem "
    "0}input,textarea,select{display:block;width:100%;"
    "box-sizing:border-box;padding:.6rem;font:inherit;border:1px solid #59636e;border-radius:4px}"
    "button{padding:.7rem 1.2rem;font:inherit;border:0;border-radius:4px;background:#0b5cad;color:#fff}"
    ".fault{color:#a40e26}";

std::string paragraph(std::string_view text, std::string_view attributes = {}) {
    return text.empty() ? std::string() : "<p" + std::string(attributes) + ">" + html::escaped(text) + "</p>";
}

api::Reply built_page(int status, std::string_view title, const std::string& content) {
    const std::string nonce = crypto::random_token();
    api::Reply reply;
    reply.status = status;
    reply.content_type = "text/html; charset=utf-8";
    reply.raw = std::make_shared<const std::string>(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><meta name=\"robots\" content=\"noindex\"><title>" +
        html::escaped(title) + "</title><style nonce=\"" + nonce + "\">" + std::string(page_style) +
        "</style></head><body><main><h1>" + html::escaped(title) + "</h1>" + content + "</main></body></html>");
    reply.headers.emplace_back("Content-Security-Policy", "default-src 'none'; style-src 'nonce-" + nonce +
                                                              "'; form-action 'self'; base-uri 'none'; "
                                                              "frame-ancestors 'none'");
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

Dress& dressing() {
    static Dress dress;
    return dress;
}

std::string said(const Sentence& sentence) { return dressing().say ? dressing().say(sentence) : sentence.english(); }

std::string password_field(std::string_view name, std::string_view label) {
    return "<label>" + std::string(label) + "<input type=\"password\" name=\"" + std::string(name) +
           "\" autocomplete=\"new-password\" minlength=\"8\" maxlength=\"1024\" required></label>";
}

// In the form of the site's own page.
json::Value fields_json(const std::vector<FormField>& fields) {
    using Kind = FormField::Kind;
    auto all = json::Value::array();
    for (const FormField& field : fields) {
        auto choices = json::Value::array();
        for (const std::string& choice : field.choices)
            choices.push(json::Value::object({{"value", choice}}));
        all.push(json::Value::object({{"name", field.name},
                                      {"label", said(field.label)},
                                      {"longest", std::to_string(field.longest)},
                                      {"is_line", field.kind == Kind::line},
                                      {"is_lines", field.kind == Kind::lines},
                                      {"is_choice", field.kind == Kind::choice},
                                      {"choices", std::move(choices)}}));
    }
    return all;
}

std::string control_for(const FormField& field) {
    const std::string named = " name=\"" + html::escaped(field.name) + "\"";
    const std::string bounded = named + " maxlength=\"" + std::to_string(field.longest) + "\"";
    std::string control;
    if (field.kind == FormField::Kind::line)
        control = "<input type=\"text\"" + bounded + ">";
    else if (field.kind == FormField::Kind::lines)
        control = "<textarea rows=\"8\" required" + bounded + "></textarea>";
    else {
        control = "<select" + named + ">";
        for (const std::string& choice : field.choices)
            control += "<option>" + html::escaped(choice) + "</option>";
        control += "</select>";
    }
    return "<label>" + html::escaped(said(field.label)) + control + "</label>";
}

}  // namespace

void dress_pages(Dress dress) { dressing() = std::move(dress); }

api::Reply form_page(const MailedForm& form, int status) {
    if (dressing().render)
        return dressing().render(
            status,
            json::Value::object({{"heading", said(form.title)},
                                 {"text", said(form.text)},
                                 {"account", form.account},
                                 {"fault", said(form.fault)},
                                 {"form", json::Value::object({{"action", form.action},
                                                               {"token", form.token},
                                                               {"nonce", form.nonce},
                                                               {"button", said(form.button)},
                                                               {"fields", fields_json(form.fields)},
                                                               {"asks_current_password", form.asks_current_password},
                                                               {"asks_password", form.asks_password}})}}));
    std::string content = paragraph(said(form.text)) +
                          (form.account.empty() ? "" : paragraph("Account: " + form.account)) +
                          paragraph(said(form.fault), " class=\"fault\" role=\"alert\"");
    content += "<form method=\"post\" action=\"" + html::escaped(form.action) +
               "\"><input type=\"hidden\" name=\"token\" value=\"" + html::escaped(form.token) + "\">";
    if (!form.nonce.empty())
        content += "<input type=\"hidden\" name=\"nonce\" value=\"" + html::escaped(form.nonce) + "\">";
    if (form.asks_current_password)
        content +=
            "<label>Password of this account<input type=\"password\" name=\"current_password\""
            " autocomplete=\"current-password\" maxlength=\"1024\" required></label>";
    for (const FormField& field : form.fields)
        content += control_for(field);
    if (form.asks_password)
        content += password_field("password", "New password, at least 8 characters") +
                   password_field("confirm_password", "The same password again");
    content += "<button type=\"submit\">" + html::escaped(said(form.button)) + "</button></form>";
    return built_page(status, said(form.title), content);
}

api::Reply message_page(int status, const Sentence& title, const Sentence& text, std::string_view link,
                        const Sentence& link_text) {
    if (dressing().render)
        return dressing().render(
            status,
            json::Value::object(
                {{"heading", said(title)}, {"text", said(text)}, {"link", link}, {"link_text", said(link_text)}}));
    std::string content = paragraph(said(text));
    if (!link.empty())
        content += "<p><a href=\"" + html::escaped(link) + "\">" + html::escaped(said(link_text)) + "</a></p>";
    return built_page(status, said(title), content);
}

bool sent_by_form(const api::Request& request) {
    return request.header && request.header("Content-Type").starts_with("application/x-www-form-urlencoded");
}

}  // namespace svc::identity
