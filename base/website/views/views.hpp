// The pages' views: each calls the interface and builds the model of its template. No HTML here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalog/classifications/permalink.hpp"
#include "base/catalog/classifications/service.hpp"
#include "base/catalog/trips/editor/service.hpp"
#include "base/feature/site.hpp"
#include "base/people/identity/human_check.hpp"
#include "base/sales/booking/record/service.hpp"
#include "base/website/pages/part_cache.hpp"
#include "base/website/pages/request.hpp"
#include "base/website/pages/router.hpp"

namespace svc::pages {

// The fields of a trip that card() reads.
inline constexpr std::string_view card_members[] = {"id",
                                                    "slug",
                                                    "title",
                                                    "permalink",
                                                    "summary",
                                                    "currency",
                                                    "duration_label",
                                                    "duration_days",
                                                    "duration_nights",
                                                    "duration_hours",
                                                    "price_unit_label",
                                                    "price_prefix",
                                                    "display_price",
                                                    "display_regular_price",
                                                    "discount_percent",
                                                    "featured_image_url",
                                                    "featured_image_srcset",
                                                    "destinations",
                                                    "difficulty",
                                                    "is_featured",
                                                    "reviews_count",
                                                    "avg_rating"};

// The services that views use. Any thread.
struct Views {
    const Site& site;
    const catalog::classifications::Service& classes;
    const catalog::trips::Service& trips;
    std::function<Bases()> bases;
    // The origins that pages with these gateways need; of all enabled gateways when none is named.
    std::function<Origins(const std::vector<std::string>& gateways)> origins;
    const identity::HumanCheck& human;
    const booking::Service& bookings;
    // Partners' pages of the account that are there now: label and word of the path.
    std::function<std::vector<std::pair<std::string, std::string>>()> account_pages;
    PartCache& kept;
    // How an offline gateway's customer pays this booking, in that language; empty for the others.
    std::function<std::string(const std::string& gateway, const json::Value& booking, std::string_view locale)>
        instructions;
    std::function<std::string(const std::string& gateway, std::string_view locale)> way;  // as customers call it
    std::function<bool(const Money& amount)> takes_payment;  // whether visitors have a way to pay it

    [[nodiscard]] const settings::Settings& settings() const { return site.settings; }
    // "/trip/nile-cruise"; slugs of any script.
    [[nodiscard]] std::string path(std::initializer_list<std::string_view> parts) const;
    // An address of this installation as a path, so that it works under every name of the host; others as they are.
    [[nodiscard]] std::string local(std::string_view address) const;

    // The copies of a picture for an <img>, local too; empty without copies. Every browser that reads the style's
    // @layer reads WebP.
    [[nodiscard]] std::string srcset(const json::Value& sets) const;

    // Layout.
    [[nodiscard]] json::Value frame(PageRequest& visit) const;

    // Parts that several pages show.
    [[nodiscard]] json::Value card(const json::Value& trip, PageRequest& visit) const;
    [[nodiscard]] json::Value cards(const json::Value& trips, PageRequest& visit) const;
    // What a card or a list of dates depends on besides the interface's answer.
    [[nodiscard]] std::string made_with(PageRequest& visit, const json::Value& trip_id) const;
    [[nodiscard]] std::string company(const Format& words) const;
    // Sets what stands between visitors and a booking of a trip for that price, so that they read it before they
    // choose: an account that it needs (`next`: where to go on with it), and that there is no way to pay.
    void set_hindrances(json::Value& model, const json::Value& price, std::string_view currency,
                        const std::string& next) const;
    // Listeners are asked once a page for each trip.
    [[nodiscard]] PriceDisplay price_display(PageRequest& visit, const json::Value& trip_id) const;
    // The address of the page and listing of a destination, an activity or a category, after filters.
    [[nodiscard]] catalog::classifications::Places class_places(catalog::classifications::Type type, std::int64_t id,
                                                                const std::string& slug) const;
    // The address of the list of all trips, after filters.
    [[nodiscard]] std::string listing_path() const;

    // Loads reCAPTCHA for the page's forms where setting and listeners protect one of `forms` ("booking").
    void add_human_check(View& view, std::initializer_list<std::string_view> forms) const;

    // Catalogue.
    View home(PageRequest& visit) const;
    View listing(PageRequest& visit) const;
    View classes_of(PageRequest& visit, catalog::classifications::Type type) const;
    View of_class(PageRequest& visit, catalog::classifications::Type type) const;
    View trip(PageRequest& visit) const;
    View compare(PageRequest& visit) const;
    View embed(PageRequest& visit) const;

    // Booking.
    View book(PageRequest& visit) const;
    View book_submit(PageRequest& visit) const;
    View book_price(PageRequest& visit) const;  // the summary's lines for what is chosen, before it is sent
    View book_details(PageRequest& visit) const;
    View book_details_submit(PageRequest& visit) const;
    View book_pay(PageRequest& visit) const;
    View book_pay_submit(PageRequest& visit) const;
    View book_waitlist(PageRequest& visit) const;  // one short form for a date that is sold out
    View book_waitlist_submit(PageRequest& visit) const;
    View book_start(PageRequest& visit) const;
    View confirmation(PageRequest& visit) const;
    View confirmation_submit(PageRequest& visit) const;
    View find_booking(PageRequest& visit) const;  // a guest has the booking's link mailed again
    View find_booking_submit(PageRequest& visit) const;

    // Consent to tags: asked by the banner of other pages, changed here.
    View privacy_choices(PageRequest& visit) const;
    View privacy_choices_submit(PageRequest& visit) const;

    // Enquiry.
    View enquiry(PageRequest& visit) const;
    View enquiry_submit(PageRequest& visit) const;

    // Account.
    View login(PageRequest& visit) const;
    View login_submit(PageRequest& visit) const;
    View logout_submit(PageRequest& visit) const;
    View register_form(PageRequest& visit) const;
    View register_submit(PageRequest& visit) const;
    View forgot(PageRequest& visit) const;
    View forgot_submit(PageRequest& visit) const;
    View account(PageRequest& visit) const;
    View account_booking(PageRequest& visit) const;
    View account_booking_submit(PageRequest& visit) const;
    View profile(PageRequest& visit) const;
    View profile_submit(PageRequest& visit) const;
    View enquiries(PageRequest& visit) const;
    View me(PageRequest& visit) const;  // who is signed in, for a script of pages that all visitors share

    // Reviews.
    View review(PageRequest& visit) const;
    View review_submit(PageRequest& visit) const;
    View my_reviews(PageRequest& visit) const;
    View my_reviews_submit(PageRequest& visit) const;
    // The operator's pages: entries of the settings with a content, by their slugs.
    std::optional<View> content(PageRequest& visit) const;

    // Search engines.
    View sitemap(PageRequest& visit) const;
    View robots(PageRequest& visit) const;
    View manifest(PageRequest& visit) const;
};

// Rejected fields with a sentence each; an empty name means the whole form.
using Faults = std::vector<std::pair<std::string, std::string>>;
// Name and value pairs as hidden fields or links need them.
using Pairs = std::vector<std::pair<std::string, std::string>>;
// "?a=1&b=x%20y"; empty without pairs.
std::string query_of(const Pairs& pairs);
std::string encoded(std::string_view text);  // for a query's value
// The not-found page; a view returns it when the record does not exist.
[[noreturn]] void missing();

// A field of a form as templates show it.
struct Shown {
    std::string name = {}, label = {}, type = "text", value = {}, error = {}, help = {}, autocomplete = {};
    bool required = false;
    std::string width = {};
};
json::Value to_json(const Shown& field);
// The options of a field of type "select" that asks for a country, by their names in the page's language. A stored name
// is read as its code; one that is no country's stays as it is, so that saving the form does not lose it.
json::Value country_options(const std::string& value, bool is_required, const Format& words);
// The error summary on top of a form: links to the fields, by the labels of `fields` (see to_json) or of a function.
json::Value faults_json(const std::vector<std::pair<std::string, std::string>>& faults, const json::Value& fields);
json::Value faults_json(const std::vector<std::pair<std::string, std::string>>& faults,
                        const std::function<std::string(std::string_view field)>& label = {});
std::string fault_of(const std::vector<std::pair<std::string, std::string>>& faults, std::string_view field);

}  // namespace svc::pages
