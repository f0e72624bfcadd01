// Sentences that pages pass on: of routes, which speak English, and defaults that an operator has not replaced.
#include <array>
#include <map>

#include "base/pages/page.hpp"
#include "base/pages/wording.hpp"

namespace svc::pages {
namespace {

// Marks a text for base/i18n/collect.py. `{n}` and names like it stand for digits, `{text}` and `{text2}` for anything.
constexpr std::string_view heard_text(std::string_view english) { return english; }

constexpr std::array sentences{
    // Fields (shared/api/check.cpp, base/booking/form).
    heard_text("This field is required."),
    heard_text("This number is too large."),
    heard_text("This must be a number of at least {n}."),
    heard_text("This must be a number of at most {n}."),
    heard_text("This must be a number from {least} to {most}."),
    heard_text("This must be a whole number."),
    heard_text("This must be a number."),
    heard_text("This number may have at most {n} decimals."),
    heard_text("This may have at most {n} characters."),
    heard_text("This needs at least {n} characters."),
    heard_text("This must be a date of the form YYYY-MM-DD."),
    heard_text("This must be a time of the form HH:MM."),
    heard_text("This is not a valid e-mail address."),
    heard_text("This must be one of: {text}."),
    heard_text("This must be a text."),
    heard_text("This must be true or false."),
    heard_text("Enter a valid e-mail address."),
    heard_text("Enter a valid phone number."),
    heard_text("Enter the date as YYYY-MM-DD."),
    heard_text("Enter a number."),
    heard_text("Choose one of the options."),
    heard_text("This date must not be in the future."),
    heard_text("This traveler's age on the first day of the trip is outside the trip's age limits."),
    // Pages of partners (pro/scheduled_payments/page.cpp).
    heard_text("Payments"),
    heard_text("Planned payments"),
    // (pro/consent/page.cpp, and what Signing answers.)
    heard_text("This link has ended"),
    heard_text("Already signed"),
    heard_text("Thank you"),
    heard_text("Your full name"),
    heard_text("Your relation to the child"),
    heard_text("For example mother, father or guardian."),
    heard_text("Full name of the child"),
    heard_text("Your signature: type your full name"),
    heard_text("Your initials"),
    heard_text("Your agreement"),
    heard_text("Who signs"),
    heard_text("About your health: it is stored encrypted and deleted after the trip."),
    heard_text("Please tick this box."),
    heard_text("Enter at most {n} characters."),
    heard_text("Enter a date as YYYY-MM-DD."),
    heard_text("Enter a telephone number."),
    heard_text("Please draw your signature, or type your name in its place."),
    heard_text("Please enter your initials."),
    heard_text("Please agree to sign electronically."),
    heard_text("This traveler is a minor: a parent or guardian signs."),
    heard_text("This traveler is of age and signs in person."),
    heard_text("The form was changed since this page was opened. Please read it again."),
    heard_text("This is a test. Nothing can be signed here."),
    // Choosing and booking.
    heard_text("Enter a rating from 0 to 5 with at most two decimals."),
    heard_text("It ends before it begins."),
    heard_text("Enter at least one traveler."),
    heard_text("Unknown traveler category."),
    heard_text("This trip does not have this traveler category."),
    heard_text("This category is not available on this date."),
    heard_text("This trip is priced by traveler category. Enter the number of travelers of each category."),
    heard_text("The booking has no more travelers of this category."),
    heard_text("There are more travelers than the booking is priced for."),
    heard_text("Enter the travelers, starting with the lead traveler."),
    heard_text("This trip has no such date."),
    heard_text("This date does not exist."),
    heard_text("This date is not available."),
    heard_text("Booking for this date is closed."),
    heard_text("This date is not open for booking."),
    heard_text("The number of travelers is not allowed on this trip."),
    heard_text("There are not enough seats left on this date."),
    heard_text("Your network already holds too many unpaid seats on this date."),
    heard_text("The price has changed. Please check it again."),
    heard_text("The booking session has expired. Please start again."),
    heard_text("This trip is for {n} people or more."),
    heard_text("This trip is for {n} people at most."),
    heard_text("Please accept the terms."),
    heard_text("This service does not exist."),
    heard_text("Enter a quantity of at most 100."),
    heard_text("This account cannot book."),
    heard_text("Please sign in to book."),
    heard_text("Booking requires an account. Please sign in or register."),
    // Coupons.
    heard_text("This coupon code does not exist."),
    heard_text("This coupon code is not active."),
    heard_text("This coupon code is not valid yet."),
    heard_text("This coupon code has expired."),
    heard_text("This coupon code has reached its usage limit."),
    heard_text("You have already used this coupon code the maximum number of times."),
    heard_text("This coupon code is only valid for a first booking."),
    heard_text("This coupon code does not apply to this booking."),
    heard_text("The price is below the minimum for this coupon code."),
    // Paying.
    heard_text("This payment method is not available."),
    heard_text("This gateway is paid by once the booking is made."),
    heard_text("This booking is already paid."),
    heard_text("This booking has no balance due."),
    heard_text("Payments through this gateway are recorded by our staff."),
    heard_text("The payment could not be processed."),
    heard_text("The payment failed."),
    heard_text("This booking cannot be paid in its current status."),
    heard_text("A charge for this booking is in progress."),
    heard_text("The payment provider could not be reached."),
    heard_text("No such payment was started for this booking."),
    heard_text("This change of status is not allowed."),
    // Accounts.
    heard_text("The user name or password is incorrect."),
    heard_text("The password is incorrect."),
    heard_text("Please confirm your e-mail address first."),
    heard_text("The passwords do not match."),
    heard_text("A password must have at least 8 characters."),
    heard_text("A password must have at most 1024 characters."),
    heard_text("A name must have at most 100 characters."),
    heard_text("Registration is currently disabled."),
    heard_text("This is not a valid phone number."),
    heard_text("This is not a country. Enter its name or its two letters, such as DE."),
    heard_text("Account holders must be at least 18 years old."),
    heard_text("This is already your address."),
    heard_text("There is no pending change of your address."),
    heard_text("This e-mail address is already in use."),
    heard_text("The token is invalid."),
    heard_text("This link has expired."),
    heard_text("This link is incomplete."),
    heard_text("This link has an invalid signature."),
    heard_text("Please sign in."),
    heard_text("You are not allowed to do this."),
    heard_text("The nonce is missing or expired. Request a new one."),
    heard_text("These bookings have not ended: {text}. Cancel them or wait until the trips have ended."),
    // Enquiries and reviews.
    heard_text("Write your question."),
    heard_text("The enquiry could not be stored. Please try again."),
    heard_text("The reCAPTCHA check failed. Please try again."),
    heard_text("Write what you think of the trip."),
    heard_text("Choose how many stars."),
    heard_text("Enter your name."),
    heard_text("Enter your e-mail address; it is not shown."),
    heard_text("You have already reviewed this trip."),
    heard_text("The lowest rating that is accepted is {n}."),
    heard_text("Reviews are not accepted at the moment."),
    heard_text("Only travelers whose trip is over can review it."),
    heard_text("Only its author can change a review."),
    // Anything.
    heard_text("A value is missing or invalid."),
    heard_text("The request is malformed."),
    heard_text("This record does not exist."),
    heard_text("This trip does not exist."),
    heard_text("This booking does not exist."),
    heard_text("The record was changed in the meantime or its state does not allow this. Reload it and try again."),
    heard_text("The same request is still being processed."),
    heard_text("The request is too large."),
    heard_text("Too many requests. Please try again later."),
    heard_text("Too many attempts. Please try again later."),
    heard_text("Something went wrong on our side."),
    heard_text("The service is temporarily unavailable. Please try again."),
    heard_text("An external service did not answer as expected."),
    // Trips (base/catalog/trips).
    heard_text("{n} hours"),
    heard_text("1 hour"),
    heard_text("1 day"),
    heard_text("{days} days / {nights} nights"),
    heard_text("{days} days / 1 night"),
    heard_text("per person"),
    heard_text("per group"),
    heard_text("per group ({least}-{most} pax)"),
    heard_text("From"),
    // The standard form (base/booking/form/form.cpp) and its choices.
    heard_text("Contact"),
    heard_text("Emergency contact"),
    heard_text("Travelers"),
    heard_text("First name"),
    heard_text("Last name"),
    heard_text("E-mail"),
    heard_text("Phone"),
    heard_text("Country"),
    heard_text("Nationality"),
    heard_text("Address"),
    heard_text("Name"),
    heard_text("Relationship"),
    heard_text("Date of birth"),
    heard_text("Gender"),
    heard_text("Diet"),
    heard_text("Medical conditions"),
    heard_text("Spouse"),
    heard_text("Parent"),
    heard_text("Sibling"),
    heard_text("Child"),
    heard_text("Friend"),
    heard_text("Other"),
    heard_text("Female"),
    heard_text("Male"),
    heard_text("Prefer not to say"),
    heard_text("None"),
    heard_text("Vegetarian"),
    heard_text("Vegan"),
    heard_text("Halal"),
    heard_text("Kosher"),
    heard_text("Gluten free"),
    heard_text("Lactose free"),
    // Pages behind mailed links (base/identity/mailed_page.hpp).
    heard_text("Confirm your e-mail address"),
    heard_text("Choose the password of your account. Then you are signed in on this browser."),
    heard_text("Confirm and set the password"),
    heard_text("Set a new password"),
    heard_text("This signs out all sessions and revokes application passwords."),
    heard_text("Set the password"),
    heard_text("Your address is confirmed"),
    heard_text("Your e-mail address"),
    heard_text("The e-mail address of this booking was changed."),
    heard_text("It was already confirmed and the password is unchanged. If you do not know the password, request a new"
               " one."),
    heard_text("Your password is set. You can now sign in."),
    heard_text("Your password is set. You are signed in."),
    heard_text("Continue"),
    heard_text("Your password is set"),
    heard_text("You can now sign in with it."),
    heard_text("So that we can go on with your booking."),
    heard_text("Confirm my address"),
    heard_text("Thank you, your address is confirmed. We go on with your booking {text}."),
    heard_text("Show my booking"),
    heard_text("Use this e-mail address for the account"),
    heard_text("You sign in to the account with this address from now on, and mails go there. If you do not know the"
               " account, close this page: nothing is changed."),
    heard_text("Use this address"),
    heard_text("The e-mail address is changed"),
    heard_text("The account has its new address now."),
    heard_text("The e-mail address was not changed"),
    heard_text("Sign in to this account in this browser, or enter its password."),
    heard_text("Go on"),
    heard_text("Your data"),
    heard_text("You can download a file with all data that we store about you. The link works once."),
    heard_text("This link was used before. Request another one in your account."),
    heard_text("Download the file"),
    heard_text("Erase your data"),
    heard_text("Your account is deleted and the data we store about you is erased permanently. Invoices remain, as the"
               " law requires."),
    heard_text("Erase my data now"),
    heard_text("Your data is erased"),
    heard_text("Your account was deleted."),
    heard_text("How was {text}?"),
    heard_text("Other travelers read what you write. Your e-mail address is not shown."),
    heard_text("Send the review"),
    heard_text("Stars"),
    heard_text("Title"),
    heard_text("Your review"),
    heard_text("Review"),
    heard_text("Thank you for your review."),
    // Gateways and their instructions.
    heard_text("Pay later"),
    heard_text("Book now. The next page says how to pay, and until when."),
    heard_text("Pay by card or wallet."),
    heard_text("Card"),
    heard_text("Bank transfer"),
    heard_text("Pay by transfer to our account."),
};

bool is_free(std::string_view name) { return name.starts_with("text"); }

bool is_count(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.,") == std::string_view::npos;
}

// The values of a sentence's places in a text, in order; nothing: it is another sentence.
std::optional<std::vector<texts::Argument>> places_in(std::string_view sentence, std::string_view text) {
    std::vector<texts::Argument> found;
    while (true) {
        const auto open = sentence.find('{');
        const std::string_view before = sentence.substr(0, open);
        if (!text.starts_with(before))
            return std::nullopt;
        text.remove_prefix(before.size());
        if (open == std::string_view::npos)
            return text.empty() ? std::optional(std::move(found)) : std::nullopt;
        const auto close = sentence.find('}', open);
        const std::string_view name = sentence.substr(open + 1, close - open - 1);
        sentence.remove_prefix(close + 1);
        const std::string_view next = sentence.substr(0, sentence.find('{'));
        const auto end = next.empty() ? text.size() : text.find(next);
        if (end == std::string_view::npos)
            return std::nullopt;
        if (!is_free(name) && !is_count(text.substr(0, end)))
            return std::nullopt;
        found.emplace_back(name, text.substr(0, end));
        text.remove_prefix(end);
    }
}

}  // namespace

std::string Wording::translate(std::string_view english) const {
    if (english.empty() || locale.empty() || locale == "en")
        return std::string(english);
    static const std::map<std::string_view, std::string_view> whole = [] {
        std::map<std::string_view, std::string_view> all;
        for (const std::string_view each : sentences)
            if (each.find('{') == std::string_view::npos)
                all.emplace(each, each);
        return all;
    }();
    if (const auto known = whole.find(english); known != whole.end())
        return say_text(known->second);
    for (const std::string_view each : sentences) {
        if (each.find('{') == std::string_view::npos)
            continue;
        if (const auto places = places_in(each, english))
            return texts::bundled().say(locale, "site", each, [&](std::string_view name) {
                for (const texts::Argument& one : *places)
                    if (one.name == name)
                        return one.value;
                return std::string();
            });
    }
    return std::string(english);
}

json::Value in_language(json::Value model, const Wording& words) {
    for (auto& [name, value] : model.members())
        if (value.is_string() && name != "link")
            value = words.translate(value.text());
    json::Value form = model["form"];
    if (!form.is_object())
        return model;
    form.set("button", words.translate(form.text_or("button")));
    json::Value fields = json::Value::array();
    for (json::Value field : list_of(form["fields"])) {
        field.set("label", words.translate(field.text_or("label")));
        fields.push(std::move(field));
    }
    form.set("fields", std::move(fields));
    model.set("form", std::move(form));
    return model;
}

}  // namespace svc::pages
