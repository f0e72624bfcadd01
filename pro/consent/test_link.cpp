// Links of test e-mails: the form and the end, sealed; and what they show.
#include <charconv>

#include "pro/common/sealed_word.hpp"
#include "pro/consent/configuration.hpp"
#include "pro/consent/signing.hpp"

namespace svc::pro::consent {
namespace {

constexpr std::string_view of_test = "test-", place = "svc_consent_forms.test";
constexpr std::chrono::hours in_force{30 * 24};

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string test_token(const plugin::Secrets& secrets, std::int64_t form_id, Instant now) {
    const std::string text = std::to_string(form_id) + "." + std::to_string(now.plus(in_force).micros());
    return std::string(of_test) + sealed_word(secrets, text, place);
}

bool is_test_token(std::string_view token) { return token.starts_with(of_test); }

std::optional<std::int64_t> form_of_test(const plugin::Secrets& secrets, std::string_view token, Instant now) {
    const auto text = opened_word(secrets, token.substr(of_test.size()), place);
    const auto point = text ? text->find('.') : std::string::npos;
    if (point == std::string::npos)
        return std::nullopt;
    const auto form = number_in(std::string_view(*text).substr(0, point)),
               end = number_in(std::string_view(*text).substr(point + 1));
    return form && end && Instant::from_micros(*end) > now ? form : std::nullopt;
}

json::Value page_of_test(const ConsentForm& form, const Site& site, Instant now) {
    using json::Value;
    Value shown_form = Value::object({{"id", form.id}, {"version", form.version}});
    for (auto& [name, value] : form.content().shown().members())
        shown_form.set(name, value);
    shown_form.set("sha256", form.sha256);
    const Date day = site.today(now).plus_days(30);
    return Value::object(
        {{"form", std::move(shown_form)},
         {"booking",
          Value::object({{"reference", "SVC-TEST"}, {"trip_title", "Annapurna Circuit"}, {"travel_date", day}})},
         {"signer", Value::object({{"name", "Ada Lovelace"}, {"email", ""}})},
         {"traveler", Value::object({{"index", 1}, {"name", "Ada Lovelace"}, {"is_minor", Value()}})},
         {"adult_age", adult_age(site)},
         {"expires_at", site.zone().instant_of(day, ClockTime())},
         {"paper_note", paper_note(site)},
         {"is_test", true},
         {"language", ""}});
}

}  // namespace svc::pro::consent
