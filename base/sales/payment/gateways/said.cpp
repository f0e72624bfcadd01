// Texts of the domain "document": those who pay read them on pages, in e-mails and on paper.
#include "base/sales/payment/gateways/said.hpp"

#include <algorithm>
#include <array>

#include "base/platform/texts/sentences.hpp"
#include "base/platform/texts/texts.hpp"

namespace svc::payment {
namespace {

// Marks a text for base/i18n/collect.py.
constexpr std::string_view known_text(std::string_view english) { return english; }

struct Said {
    std::string_view locale;
    [[nodiscard]] std::string say_text(std::string_view english,
                                       std::initializer_list<texts::Argument> arguments = {}) const {
        return texts::bundled().say(locale, "document", english, arguments);
    }
    [[nodiscard]] std::string known(std::string_view english) const {
        return texts::bundled().say(locale, "document", english);
    }
};

// Titles that no operator replaced, and the keys of payments that staff record.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> ways{
    {{"cash", known_text("Cash")},
     {"cheque", known_text("Cheque")},
     {"card", known_text("Card")},
     {"other", known_text("Another way")},
     {"pay_later", known_text("Pay later")},
     {"bank_transfer", known_text("Bank transfer")},
     {"wallet", known_text("Wallet")},
     {"regional", known_text("Regional payment")},
     {"Card", "Card"},
     {"Pay later", "Pay later"},
     {"Bank transfer", "Bank transfer"}}};

}  // namespace

booking::TimeToPay time_to_pay_of(const json::Value& config) {
    const auto days = [&](const char* member) {
        return std::max<std::int64_t>(0, config.maybe_integer(member).value_or(0));
    };
    return {.days = days("payment_deadline_days"), .working_days = days("payment_deadline_working_days")};
}

std::string shipped_instructions(const settings::Settings& settings, std::string_view locale) {
    const Said words{locale};
    const std::string email = settings.text("company_email"), phone = settings.text("company_phone");
    std::string company = settings.text("company_name");
    if (company.empty())
        company = words.say_text("us");
    const std::string reference = "{reference}";
    if (!email.empty() && !phone.empty())
        return words.say_text(
            "Nothing is charged now. To pay, write to {company} at {email} or call {phone}, and give"
            " your booking reference {reference}.",
            {{"company", company}, {"email", email}, {"phone", phone}, {"reference", reference}});
    if (!email.empty())
        return words.say_text(
            "Nothing is charged now. To pay, write to {company} at {email}, and give your booking"
            " reference {reference}.",
            {{"company", company}, {"email", email}, {"reference", reference}});
    if (!phone.empty())
        return words.say_text(
            "Nothing is charged now. To pay, call {company} on {phone}, and give your booking"
            " reference {reference}.",
            {{"company", company}, {"phone", phone}, {"reference", reference}});
    return words.say_text(
        "Nothing is charged now. To pay, reply to our e-mail about this booking, and give your booking"
        " reference {reference}.",
        {{"reference", reference}});
}

std::string instructions_in(std::string_view locale, const std::vector<Sentence>& lines, const std::string& reference) {
    std::string out;
    for (const Sentence& line : lines)
        out += (out.empty() ? "" : "\n") + texts::say(locale, line);
    std::string_view place = reference.empty() ? " {reference}" : "{reference}";
    for (auto at = out.find(place); at != std::string::npos; at = out.find(place, at + reference.size()))
        out.replace(at, place.size(), reference);
    return out;
}

std::string way_in(std::string_view locale, const std::string& title) {
    const auto* const known =
        std::find_if(ways.begin(), ways.end(), [&](const auto& each) { return each.first == title; });
    return known == ways.end() ? title : Said{locale}.known(known->second);
}

}  // namespace svc::payment
