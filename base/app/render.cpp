// Envelope and error body, written straight into one string.
#include "base/app/render.hpp"

#include <utility>

#include "base/app/fields.hpp"
#include "base/platform/texts/sentences.hpp"
#include "shared/json/own.hpp"

namespace svc::app {
namespace {

// Everything on one page is one page, be it of nothing.
std::int64_t pages_of(const api::PageMeta& page) { return page.per_page ? page.pages() : 1; }

void member(std::string& out, std::string_view name, std::int64_t value) {
    json::quote_to(out, name);
    out += ':';
    out += std::to_string(value);
}

std::shared_ptr<const std::string> shared(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

void meta_to(std::string& out, const api::Reply& reply) {
    out += ",\"meta\":{";
    if (reply.page) {
        member(out, "page", reply.page->page);
        out += ',';
        member(out, "per_page", reply.page->per_page);
        out += ',';
        member(out, "total", reply.page->total);
        out += ',';
        member(out, "total_pages", pages_of(*reply.page));
    }
    if (reply.more_meta.is_object())
        for (const auto& [name, value] : reply.more_meta.members()) {
            if (out.back() != '{')
                out += ',';
            json::quote_to(out, name);
            out += ':';
            value.dump_to(out);
        }
    out += '}';
}

}  // namespace

std::string envelope(const api::Reply& reply) {
    std::string out;
    out.reserve(2048);  // grown from nothing, it would be copied a dozen times
    out += R"({"success":true,"data":)";
    reply.data.dump_to(out);
    if (!reply.message.empty()) {
        out += ",\"message\":";
        json::quote_to(out, reply.message);
    }
    if (reply.page || reply.more_meta.is_object())
        meta_to(out, reply);
    out += '}';
    return out;
}

json::Value envelope_value(api::Reply&& reply) {
    json::Value body = json::Value::object({{"success", true}, {"data", std::move(reply.data)}});
    if (!reply.message.empty())
        body.set("message", std::move(reply.message));
    if (!reply.page && !reply.more_meta.is_object())
        return body;
    json::Value meta = json::Value::object();
    if (reply.page)
        meta = json::Value::object({{"page", reply.page->page},
                                    {"per_page", reply.page->per_page},
                                    {"total", reply.page->total},
                                    {"total_pages", pages_of(*reply.page)}});
    if (reply.more_meta.is_object())
        for (auto& member : reply.more_meta.members())
            meta.members().push_back(std::move(member));
    body.set("meta", std::move(meta));
    return body;
}

json::Value error_body(const Error& error, std::string_view language) {
    json::Value data = json::Value::object({{"status", error.code().status}});
    if (!error.fields().empty()) {
        data.set("field", error.fields().front().field);
        json::Value errors = json::Value::object();
        for (const FieldError& at : error.fields()) {
            json::Value sentences = errors[at.field];
            errors.set(at.field, sentences.push(texts::say(language, at.sentence)));
        }
        data.set("errors", std::move(errors));
    }
    for (const auto& [name, text] : error.data())
        if (auto value = json::parse_own(text); value)
            data.members().emplace_back(name, std::move(*value));
    return json::Value::object(
        {{"code", error.code().name}, {"message", texts::say(language, error.message())}, {"data", std::move(data)}});
}

Rendered render(const Error& error, Form form, std::string_view language) {
    Rendered answer;
    answer.status = error.code().status;
    answer.headers.emplace_back("Content-Type", "application/json; charset=utf-8");
    answer.headers.emplace_back("Cache-Control", "no-store");
    if (error.retry_after())
        answer.headers.emplace_back("Retry-After", std::to_string(*error.retry_after()));
    if (error.code().status == 401)
        answer.headers.emplace_back("WWW-Authenticate", "Basic realm=\"svc\", charset=\"UTF-8\"");
    if (language != "en")
        answer.headers.emplace_back("Content-Language", std::string(language));
    answer.value = error_body(error, language);
    if (form == Form::text)
        answer.body = shared(std::exchange(answer.value, {}).dump());
    return answer;
}

void challenge_no_script(const std::vector<HttpHeader>& headers, HttpAnswer& answer) {
    const std::string_view mode = field(headers, "Sec-Fetch-Mode");
    if (answer.status != 401 || mode.empty() || mode == "navigate")
        return;
    for (auto& [name, value] : answer.headers)
        if (name == "WWW-Authenticate")
            value = "Session realm=\"svc\"";
}

namespace {

void add_body(Rendered& answer, api::Reply&& reply, Form form) {
    if (form == Form::value) {
        answer.held = std::move(reply.held);
        answer.value = envelope_value(std::move(reply));
        return;
    }
    if (reply.held)
        reply.data = reply.held->data();
    answer.body = shared(envelope(reply));
}

}  // namespace

Rendered render(api::Reply&& reply, Form form, std::string_view language) {
    if (reply.error) {
        Rendered answer = render(*reply.error, form, language);
        for (auto& header : reply.headers)
            answer.headers.push_back(std::move(header));
        return answer;
    }
    Rendered answer;
    answer.status = reply.status;
    reply.headers.reserve(reply.headers.size() + 8);  // those below, the gate's and the listener's
    answer.headers = std::move(reply.headers);
    if (reply.page) {
        answer.headers.emplace_back("X-Host-Total", std::to_string(reply.page->total));
        answer.headers.emplace_back("X-Host-TotalPages", std::to_string(pages_of(*reply.page)));
    }
    if (reply.status == 204 || reply.status == 304)
        return answer;
    std::string type = std::move(reply.content_type);
    if (reply.file)
        answer.file = std::move(reply.file);
    else if (reply.raw)
        answer.body = std::move(reply.raw);
    else if (reply.status < 300 || reply.status >= 400)
        add_body(answer, std::move(reply), form);
    if (answer.body || answer.file || !answer.value.is_null())
        answer.headers.emplace_back("Content-Type", std::move(type));
    return answer;
}

}  // namespace svc::app
