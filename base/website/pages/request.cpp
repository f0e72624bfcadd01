// Cookies, forms and calls of a visitor.
#include "base/website/pages/request.hpp"

#include <algorithm>
#include <charconv>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/limits/client_address.hpp"
#include "base/sales/booking/record/pay_link.hpp"
#include "shared/api/query.hpp"
#include "shared/core/ascii.hpp"
#include "shared/json/own.hpp"

namespace svc::pages {
namespace {

constexpr std::size_t most_kept_bookings = 10;  // bookings in a cookie

// The visitor's headers that the interface reads: identity and origin.
bool goes_along(std::string_view name) {
    constexpr std::string_view known[] = {"Cookie",    "X-Forwarded-For",  "X-Forwarded-Proto",
                                          "Forwarded", "X-Forwarded-Host", "User-Agent"};
    return std::any_of(std::begin(known), std::end(known),
                       [&](std::string_view each) { return limits::same_name(name, each); });
}

std::string text_in(const json::Value& given, std::string_view name) {
    const json::Value* found = given.find(name);
    if (found && found->is_array() && found->size() > 0)
        found = &found->items().back();
    return found && found->is_string() ? found->text() : std::string();
}

bool is_cookie_value(std::string_view text) {
    return text.size() <= 3500 && std::all_of(text.begin(), text.end(), [](char c) {
               return c > ' ' && c < 0x7f && c != ';' && c != ',' && c != '"' && c != '\\';
           });
}

// "12.token+link!marks!SVC-1~15.link": the bookings that this browser made, or opened as a guest, the last ten. Marks,
// joined by dashes, and reference are there if this browser made it; there is no secret if an account did.
struct KeptBooking {
    std::string_view id, secrets, marks, reference;
};

// The member of a secret's kind.
std::string& proof_place(PageRequest::BookingProofs& proofs, std::string_view secret) {
    return secret.starts_with(booking::BookingLinks::mark) ? proofs.link
           : secret.starts_with(booking::PayLinks::mark)   ? proofs.pay
                                                           : proofs.token;
}

PageRequest::BookingProofs proofs_in(std::string_view secrets) {
    PageRequest::BookingProofs proofs;
    while (!secrets.empty()) {
        const auto end = secrets.find('+');
        const std::string_view one = secrets.substr(0, end);
        secrets = end == std::string_view::npos ? std::string_view{} : secrets.substr(end + 1);
        proof_place(proofs, one) = one;
    }
    return proofs;
}

std::string joined_proofs(const PageRequest::BookingProofs& proofs) {
    std::string all;
    for (const std::string* one : {&proofs.token, &proofs.link, &proofs.pay})
        if (!one->empty())
            all.append(all.empty() ? "" : "+").append(*one);
    return all;
}

std::vector<KeptBooking> kept_bookings(std::string_view cookie) {
    std::vector<KeptBooking> all;
    while (!cookie.empty() && all.size() < most_kept_bookings) {
        const auto end = cookie.find('~');
        std::string_view one = cookie.substr(0, end);
        cookie = end == std::string_view::npos ? std::string_view{} : cookie.substr(end + 1);
        const auto cut = [&one](char at) {
            const auto where = one.find(at);
            const auto part = one.substr(0, where);
            one = where == std::string_view::npos ? std::string_view{} : one.substr(where + 1);
            return part;
        };
        KeptBooking kept{.id = cut('.'), .secrets = cut('!'), .marks = cut('!'), .reference = {}};
        kept.reference = one;
        all.push_back(kept);
    }
    return all;
}

// The interface counts travelers from 0, forms from 1: "travelers.0.shoe" is their "travelers.1.shoe".
std::string name_in_form(const std::string& field) {
    constexpr std::string_view travelers = "travelers.";
    if (!field.starts_with(travelers))
        return field;
    std::size_t index = 0;
    const char* const from = field.data() + travelers.size();
    const auto [end, failure] = std::from_chars(from, field.data() + field.size(), index);
    return failure == std::errc{} ? std::string(travelers) + std::to_string(index + 1) + end : field;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Answered::faults() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& [field, sentences] :
         body["data"]["errors"].is_object() ? body["data"]["errors"].members() : json::Object{})
        if (sentences.is_array() && sentences.size() > 0 && sentences[0].is_string())
            all.emplace_back(name_in_form(field), sentences[0].text());
    return all;
}

std::string PageRequest::parameter(std::string_view name) const { return text_in(query, name); }
std::string PageRequest::typed(std::string_view name) const { return text_in(form, name); }

std::string PageRequest::cookie_name(std::string_view name) const {
    return (secure_ ? "__Host-" : "") + std::string(name);
}

std::string PageRequest::cookie(std::string_view name) const { return cookie_in(http, cookie_name(name)); }

namespace {

void each_cookie(const HttpRequest& http,
                 const std::function<void(std::string_view name, std::string_view value)>& take) {
    for (const auto& [field, value] : http.headers) {
        if (!limits::same_name(field, "Cookie"))
            continue;
        for (std::string_view rest = value; !rest.empty();) {
            const auto end = rest.find(';');
            const auto pair = ascii::trimmed(rest.substr(0, end));
            rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
            if (const auto equals = pair.find('='); equals != std::string_view::npos && equals > 0)
                take(pair.substr(0, equals), pair.substr(equals + 1));
        }
    }
}

}  // namespace

std::string cookie_in(const HttpRequest& http, std::string_view wanted) {
    std::optional<std::string> found;
    each_cookie(http, [&](std::string_view name, std::string_view value) {
        if (!found && name == wanted)
            found = value;
    });
    return found.value_or(std::string());
}

std::vector<std::string> cookie_names_in(const HttpRequest& http) {
    std::vector<std::string> names;
    each_cookie(http, [&](std::string_view name, std::string_view) { names.emplace_back(name); });
    return names;
}

void PageRequest::set_cookie(std::string_view name, std::string_view value, std::optional<int> seconds, bool readable) {
    if (!is_cookie_value(value))
        return;
    std::string line = cookie_name(name) + "=" + std::string(value) + "; Path=/; SameSite=Lax";
    if (!readable)
        line += "; HttpOnly";
    if (secure_)
        line += "; Secure";
    if (seconds)
        line += "; Max-Age=" + std::to_string(*seconds);
    cookies_.push_back(std::move(line));
}

void PageRequest::drop_cookie(std::string_view name) {
    const std::string gone = std::string(name) + "=; Path=/; Max-Age=0";
    cookies_.push_back(gone);
    for (const auto& [field, value] : http.headers) {
        if (!limits::same_name(field, "Host"))
            continue;
        const std::string_view host = std::string_view(value).substr(0, value.rfind(':'));
        const bool is_name = host.find_first_not_of("0123456789.") != std::string_view::npos && !host.starts_with('[');
        for (std::string_view domain = host; is_name && domain.find('.') != std::string_view::npos;
             domain.remove_prefix(domain.find('.') + 1))
            cookies_.push_back(gone + "; Domain=" + std::string(domain));
    }
}

void PageRequest::pass_cookies(const Answered& answered) {
    for (const auto& [name, value] : answered.headers)
        if (limits::same_name(name, "Set-Cookie"))
            cookies_.push_back(value);
}

std::string PageRequest::checkout_mark(std::string_view slug) const {
    const std::string secret = checkout();
    return secret.empty() ? secret : crypto::sha256_hex(secret + "/" + std::string(slug)).substr(0, 16);
}

PageRequest::BookingProofs PageRequest::booking_proofs(std::int64_t booking_id) const {
    BookingProofs proofs;
    const std::string cookie_text = cookie("svc_booked"), id = std::to_string(booking_id);
    for (const KeptBooking& one : kept_bookings(cookie_text))
        if (one.id == id)
            proofs = proofs_in(one.secrets);
    return proofs;
}

std::vector<std::int64_t> PageRequest::kept_booking_ids() const {
    std::vector<std::int64_t> ids;
    const std::string cookie_text = cookie("svc_booked");
    for (const KeptBooking& one : kept_bookings(cookie_text)) {
        std::int64_t id = 0;
        const auto [end, failure] = std::from_chars(one.id.data(), one.id.data() + one.id.size(), id);
        if (failure == std::errc{} && end == one.id.data() + one.id.size() && id > 0)
            ids.push_back(id);
    }
    return ids;
}

std::string PageRequest::booked_in(std::string_view mark) const {
    if (mark.size() != 16)
        return {};
    const std::string cookie_text = cookie("svc_booked");
    for (const KeptBooking& one : kept_bookings(cookie_text))
        if (one.marks.find(mark) != std::string_view::npos)
            return std::string(one.reference);
    return {};
}

void PageRequest::keep_booking(std::int64_t booking_id, std::string_view secret, std::string_view reference,
                               std::initializer_list<std::string_view> marks) {
    const std::string before = cookie("svc_booked"), id = std::to_string(booking_id);
    const std::vector<KeptBooking> others = kept_bookings(before);
    std::string all_marks;
    for (const std::string_view mark : marks)
        if (!mark.empty() && all_marks.find(mark) == std::string::npos)
            all_marks.append(all_marks.empty() ? "" : "-").append(mark);
    if (all_marks.empty())  // opened again, by a mailed link
        for (const KeptBooking& one : others)
            if (one.id == id)
                all_marks = one.marks;
    BookingProofs proofs = booking_proofs(booking_id);
    proof_place(proofs, secret) = secret;
    std::string kept = id + "." + joined_proofs(proofs);
    if (!all_marks.empty() && reference.find('~') == std::string_view::npos)
        kept.append("!").append(all_marks).append("!").append(reference);
    std::size_t count = 1;
    for (const KeptBooking& one : others)
        if (one.id != id && count++ < most_kept_bookings) {
            kept.append("~").append(one.id).append(".").append(one.secrets);
            if (!one.marks.empty())
                kept.append("!").append(one.marks).append("!").append(one.reference);
        }
    set_cookie("svc_booked", kept, 365 * 24 * 3600);
    booking_token_ = secret;
}

std::vector<HttpHeader> PageRequest::headers_for(bool writes, const std::string& key) const {
    std::vector<HttpHeader> headers;
    for (const HttpHeader& each : http.headers)
        if (goes_along(each.first))
            headers.push_back(each);
    headers.emplace_back("Accept-Language", words.locale);  // errors are said as the page is
    if (signed_in)
        headers.emplace_back("X-Host-Nonce", nonce);
    if (const std::string secret = checkout(); !secret.empty() && booking_token_.empty())
        headers.emplace_back("X-Svc-Session", secret);
    if (!booking_token_.empty())
        headers.emplace_back("X-Svc-Booking-Token", booking_token_);
    if (writes)
        headers.emplace_back("Content-Type", "application/json");
    if (!key.empty())
        headers.emplace_back("Idempotency-Key", key);
    return headers;
}

namespace {

const json::Value no_body;

}  // namespace

Answered PageRequest::get(std::string_view path) { return get_partly(path, {}); }

Answered PageRequest::get_partly(std::string_view path, api::Members members) {
    Answered answered = get_held(path);
    if (answered.held)
        answered.body.set("data", std::exchange(answered.held, nullptr)->data(members));
    return answered;
}

Answered PageRequest::get_held(std::string_view path) {
    return ask("GET", path, {.body = no_body, .bytes = {}, .headers = headers_for(false, {})}, true);
}

Answered PageRequest::call(std::string_view method, std::string_view path, const json::Value& body,
                           const std::string& key) {
    return ask(method, path, {.body = body, .bytes = {}, .headers = headers_for(!body.is_null(), key)});
}

Answered PageRequest::send_file(std::string_view path, const SentFile& file, std::string_view name,
                                std::string_view value) {
    const std::string edge = "svc-" + crypto::random_code(32, "0123456789abcdefghijklmnopqrstuvwxyz");
    std::string file_name;
    for (const char c : file.name)
        if (c == '"')
            file_name += "%22";
        else if (static_cast<unsigned char>(c) >= ' ')
            file_name += c;
    std::string body = "--" + edge + "\r\nContent-Disposition: form-data; name=\"" + std::string(name) + "\"\r\n\r\n" +
                       std::string(value) + "\r\n--" + edge +
                       "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + file_name + "\"\r\n\r\n";
    body.append(file.bytes);
    body += "\r\n--" + edge + "--\r\n";
    auto headers = headers_for(false, {});
    headers.emplace_back("Content-Type", "multipart/form-data; boundary=" + edge);
    return ask("POST", path, {.body = no_body, .bytes = body, .headers = headers});
}

api::InnerReply PageRequest::asked(std::string_view method, std::string_view target, const Content& content,
                                   bool takes_held) const {
    const auto mark = target.find('?');
    auto query = api::parse_query(mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1));
    if (!query)
        throw Stopped{400, words.say_text("The address cannot be read.")};
    return interface_({.method = method,
                       .path = target.substr(0, mark),
                       .query = *query,
                       .body = content.body,
                       .bytes = content.bytes,
                       .headers = content.headers,
                       .peer = http.peer,
                       .takes_held = takes_held,
                       .of_page = true});
}

Answered PageRequest::ask(std::string_view method, std::string_view target, const Content& content, bool takes_held) {
    api::InnerReply reply = asked(method, target, content, takes_held);
    Answered answered{.status = reply.status, .body = std::move(reply.body), .held = std::move(reply.held)};
    if (reply.is_json()) {  // a handler's own text
        auto body = json::parse_own(*reply.bytes);
        if (!body)
            throw std::runtime_error("the answer to " + std::string(target) + ": " + body.error().cause());
        answered.body = std::move(*body);
    }
    answered.headers = std::move(reply.headers);
    if (answered.status == 429 || answered.status >= 500) {
        const auto after = std::find_if(answered.headers.begin(), answered.headers.end(), [](const HttpHeader& each) {
            return limits::same_name(each.first, "Retry-After");
        });
        throw Stopped{answered.status, answered.message(), after == answered.headers.end() ? "" : after->second};
    }
    return answered;
}

RawAnswer PageRequest::raw(std::string_view path) {
    constexpr std::size_t most_bytes = std::size_t{8} << 20;
    const api::InnerReply reply = asked("GET", path, {.body = no_body, .bytes = {}, .headers = headers_for(false, {})});
    RawAnswer raw{.status = reply.status,
                  .type = std::string(reply.header("Content-Type")),
                  .disposition = std::string(reply.header("Content-Disposition")),
                  .message = reply.status == 200 ? std::string() : reply.body.text_or("message")};
    auto content = api::content_of(reply, most_bytes);
    if (!content)
        throw Stopped{content.error().code().status, texts::say(words.locale, content.error().message())};
    raw.body = std::move(*content);
    return raw;
}

}  // namespace svc::pages
