// The template from the files of mails/, and its values.
#include "pro/additional_services/mails.hpp"

#include <span>
#include <stdexcept>

#include "pro/additional_services/additional_service.hpp"
#include "pro/common/mail_files.hpp"
#include "pro/common/markup.hpp"
#include "shared/core/embedded.hpp"

namespace svc::embedded {
std::span<const Embedded> additional_services_mails();  // {key}.{language}.html: the subject, then the body
}

namespace svc::pro::additional_services {
namespace {

using json::Value;
using mails::LanguageText;

const std::string added_later = "booking_services_added";

std::string amount_of(const Value& of, const char* member, const Look& look) {
    const auto currency = Currency::parse(of.text_or("currency"));
    const auto money = currency && of[member].is_number() ? Money::parse(of[member].number_text(), *currency)
                                                          : Result<Money>(errc::not_found);
    return money ? look.amount(*money) : std::string();
}

// Names of services and taxes are the operator's, so the rows are the same in each language.
std::string rows_html(const Value& added, const Look& look) {
    std::string rows;
    const auto add = [&](Value line) {
        const std::int64_t quantity = line.maybe_integer("quantity").value_or(1);
        line.set("currency", added["currency"]);
        rows += "<tr><th>" + escape_html(line.text_or("label")) +
                (quantity > 1 ? " × " + std::to_string(quantity) : std::string()) + "</th><td>" +
                escape_html(amount_of(line, "amount", look)) + "</td></tr>";
    };
    for (const Value& line : added["lines"].items())
        add(line);
    if (!added.maybe_boolean("tax_inclusive").value_or(false))  // else the prices hold it
        for (const Value& tax : added["taxes"].items())
            add(tax);
    return rows;
}

mails::OfferedTag tag(const char* key, const char* label, const char* sentence, const char* sample) {
    return {.key = key, .label = label, .sentence = sentence, .sample = {{"en", sample}}};
}

}  // namespace

void declare_mails(const Site& site) {
    if (!site.mails)
        return;  // customers see them on the page of their booking alone
    mails::OfferedTemplate offered{
        .key = added_later,
        .event_key = "booking.services_added",
        .name = "Services added to a booking",
        .module = std::string(module_slug),
        .subject = {},
        .body = {},
        .category = "services",
        .tags = {tag("added_services_html", "Rows of the added services",
                     "The services that were added and the taxes on them, one table row each.",
                     "<tr><th>Airport transfer × 2</th><td>USD 40.00</td></tr>"),
                 tag("added_amount_formatted", "Price of the added services",
                     "By how much the booking's total grew, with its currency.", "USD 40.00")},
        .is_about_booking = true};
    add_mail_texts(offered, embedded::additional_services_mails(), offered.key);
    site.mails->declare(offered);
}

// A booking's version rises with each change, so it tells one from the next.
void mail_added(const Site& site, store::Transaction& tx, std::int64_t booking_id, const Value& added) {
    if (!site.mails)
        return;
    const Look look = site.look();
    mails::QueuedMail mail{
        .template_key = added_later,
        .dedupe_key = std::to_string(booking_id) + ":" + std::to_string(added.maybe_integer("row_version").value_or(0)),
        .booking_id = booking_id};
    mail.values.emplace("added_services_html", LanguageText{{"en", rows_html(added, look)}});
    mail.values.emplace("added_amount_formatted", LanguageText{{"en", amount_of(added, "amount", look)}});
    if (const auto queued = site.mails->queue(tx, mail); !queued)
        throw std::runtime_error("The base refused the e-mail " + added_later + ": " +
                                 queued.error().message().english());
}

}  // namespace svc::pro::additional_services
