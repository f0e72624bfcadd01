// SMTP by libcurl.
#include "base/platform/outbound/mail.hpp"

#include <algorithm>
#include <cctype>

#include "base/platform/outbound/curl.hpp"
#include "base/platform/outbound/header.hpp"

namespace svc::outbound {
namespace {

bool is_message_id(std::string_view id) {
    return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("@._-+=").find(c) != std::string_view::npos;
    });
}

// Line ends as the wire has them; NUL and a lone CR have no place in a text.
std::string with_crlf(std::string_view body) {
    std::string out;
    out.reserve(body.size() + body.size() / 32);
    for (const char c : body) {
        if (c == '\r' || c == '\0')
            continue;
        if (c == '\n')
            out += '\r';
        out += c;
    }
    return out;
}

Result<std::string> address_list(std::string_view field, const std::vector<std::string>& addresses) {
    std::string all;
    for (const auto& address : addresses) {
        SVC_ASSIGN_OR_RETURN(const auto one, mailbox(field, {}, address));
        all += (all.empty() ? "" : ",\r\n ") + one;
    }
    return all;
}

Result<List> headers_of(const Mail& mail) {
    List list;
    Result<void> outcome;
    const auto add = [&](const char* name, const Result<std::string>& value) {
        if (!value)
            outcome = value.error();
        else if (!value->empty())
            append(list, std::string(name) + ": " + *value);
    };
    if (mail.to.empty())
        return missing("to");
    if (!is_message_id(mail.message_id))
        return invalid("message_id", "This is not a message id."_sentence);
    add("Date", mail_date(mail.date));
    add("From", mailbox("from", mail.from_name, mail.from_address));
    add("To", address_list("to", mail.to));
    add("Cc", address_list("cc", mail.cc));
    if (!mail.reply_to.empty())
        add("Reply-To", mailbox("reply_to", {}, mail.reply_to));
    add("Subject", header_value("subject", mail.subject));
    add("Message-ID", "<" + mail.message_id + ">");
    if (!mail.unsubscribe_url.empty()) {
        if (std::any_of(mail.unsubscribe_url.begin(), mail.unsubscribe_url.end(),
                        [](char c) { return c <= ' ' || c > '~' || c == '<' || c == '>'; }))
            return invalid("unsubscribe_url", "An address in a header has printable ASCII characters alone."_sentence);
        add("List-Unsubscribe", "<" + mail.unsubscribe_url + ">");  // whole: an encoded address is none
        add("List-Unsubscribe-Post", std::string("List-Unsubscribe=One-Click"));
    }
    add("Auto-Submitted", std::string("auto-generated"));
    add("Content-Type", std::string("multipart/alternative"));
    if (!outcome)
        return outcome.error();
    return list;
}

Result<List> recipients_of(const Mail& mail) {
    List list;
    for (const auto* some : {&mail.to, &mail.cc, &mail.bcc})
        for (const auto& address : *some) {
            if (!is_address(address))
                return invalid("bcc", "This is not an e-mail address."_sentence);
            append(list, "<" + address + ">");
        }
    return list;
}

void add_part(curl_mime* mime, const std::string& body, const char* type) {
    if (body.empty())
        return;
    curl_mimepart* added = curl_mime_addpart(mime);
    if (!added || curl_mime_data(added, body.c_str(), body.size()) != CURLE_OK ||
        curl_mime_type(added, type) != CURLE_OK || curl_mime_encoder(added, "quoted-printable") != CURLE_OK)
        throw std::bad_alloc();
}

// Text first: the last alternative is the one a reader prefers. Its Content-Type is among the headers.
Mime body_of(Transfer& transfer, const Mail& mail) {
    Mime alternatives(curl_mime_init(transfer.handle()));
    if (!alternatives)
        throw std::bad_alloc();
    add_part(alternatives.get(), with_crlf(mail.text), "text/plain; charset=utf-8");
    add_part(alternatives.get(), with_crlf(mail.html), "text/html; charset=utf-8");
    return alternatives;
}

Result<Url> server_of(const SmtpSettings& settings) {
    auto url = new_url();
    const bool direct = settings.encryption == SmtpSettings::Encryption::ssl;
    const auto port = std::to_string(settings.port);
    if (curl_url_set(url.get(), CURLUPART_SCHEME, direct ? "smtps" : "smtp", 0) != CURLUE_OK ||
        curl_url_set(url.get(), CURLUPART_HOST, settings.host.c_str(), 0) != CURLUE_OK ||
        curl_url_set(url.get(), CURLUPART_PORT, port.c_str(), 0) != CURLUE_OK || settings.host.empty())
        return upstream("the mail server's name or port cannot be used");
    return url;
}

std::size_t discard(char*, std::size_t size, std::size_t count, void*) { return size * count; }

}  // namespace

Result<void> send(const Mail& mail, const SmtpSettings& settings) {
    if (mail.html.empty() && mail.text.empty())
        return missing("body");
    SVC_ASSIGN_OR_RETURN(const auto headers, headers_of(mail));
    SVC_ASSIGN_OR_RETURN(const auto recipients, recipients_of(mail));
    SVC_ASSIGN_OR_RETURN(const auto server, server_of(settings));

    Transfer transfer(settings.allowed.has(part(server.get(), CURLUPART_HOST), settings.port), settings.timeout);
    const auto mime = body_of(transfer, mail);
    const auto from = "<" + mail.from_address + ">";
    transfer.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    transfer.set(CURLOPT_CURLU, server.get());
    transfer.set(
        CURLOPT_USE_SSL,
        static_cast<long>(settings.encryption == SmtpSettings::Encryption::none ? CURLUSESSL_NONE : CURLUSESSL_ALL));
    if (!settings.ca_file.empty())
        transfer.set(CURLOPT_CAINFO, settings.ca_file.c_str());
    if (!settings.username.empty()) {
        transfer.set(CURLOPT_USERNAME, settings.username.c_str());
        transfer.set(CURLOPT_PASSWORD, settings.password.c_str());
    }
    transfer.set(CURLOPT_MAIL_FROM, from.c_str());
    transfer.set(CURLOPT_MAIL_RCPT, recipients.get());
    transfer.set(CURLOPT_HTTPHEADER, headers.get());
    transfer.set(CURLOPT_MIMEPOST, mime.get());
    transfer.set(CURLOPT_WRITEFUNCTION, &discard);
    auto done = transfer.perform();
    if (!done && transfer.status() >= 400)
        done.error().because(done.error().cause() + ", SMTP " + std::to_string(transfer.status()));
    return done;
}

}  // namespace svc::outbound
