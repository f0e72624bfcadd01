// Declares settings and hooks of the pages, and the pages themselves.
#include "base/website/feature.hpp"

#include <algorithm>

#include "base/catalog/classifications/permalink.hpp"
#include "base/people/identity/mailed_page.hpp"
#include "base/website/pages/former_bases.hpp"
#include "base/website/pages/hooks.hpp"
#include "base/website/pages/site_templates.hpp"
#include "base/website/views/account_page.hpp"

namespace svc::pages {
namespace {

using catalog::classifications::Type;

Bases bases_now(const Site& site) {
    const auto of_trips = catalog::classifications::bases_of(site.settings, site.hooks);
    return {.trip = of_trips.trip,
            .destination = of_trips.destination,
            .activity = of_trips.activity,
            .trip_category = of_trips.trip_category,
            .book = site.settings.text("booking_base"),
            .account = site.settings.text("account_base")};
}

Result<void> check_unclaimed(const json::Value& value) {
    const std::string& text = value.text();
    const bool leads = text.starts_with("accel:@") && text.size() > 7 &&
                       text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-", 7) == std::string::npos;
    return text == "404" || leads
               ? Result<void>{}
               : Error{errc::validation_error, "Enter 404, or accel:@ and the name of an nginx location."_sentence};
}

}  // namespace

Feature::~Feature() { identity::dress_pages({}); }

Feature::Feature(const Site& site, const Needs& below, std::string base_path, std::string theme_folder)
    : svc::Feature(site),
      theme(std::move(theme_folder)),
      partners(site, router, theme),
      tags(site, partners),
      views{site,
            below.classes.service,
            below.trips.service,
            [&site] { return bases_now(site); },
            [this](const std::vector<std::string>& wanted) { return origins_of(wanted); },
            below.identity.human,
            below.bookings.records,
            [this] { return partners.account_pages(); },
            kept,
            [this](const std::string& gateway, const json::Value& booking, std::string_view locale) {
                return payments_.service.gateways.offline_instructions(gateway, booking, locale);
            },
            [this](const std::string& gateway, std::string_view locale) {
                return payments_.service.gateways.way(gateway, locale);
            },
            [this](const Money& amount) { return !payments_.service.gateways.bookable(amount).empty(); }},
      pages({.site = site,
             .gatekeeper = below.identity.gatekeeper,
             .router = router,
             .theme = theme,
             .base_path = std::move(base_path),
             .bases = [&site] { return bases_now(site); },
             .frame = [this](PageRequest& visit) { return views.frame(visit); },
             .content = [this](PageRequest& visit) { return views.content(visit); },
             .partners = partners,
             .tags = tags,
             .unclaimed =
                 [&site] {
                     const std::string where = site.settings.text("site_unclaimed");
                     return where == "404" ? std::string() : where.substr(6);
                 }}),
      payments_(below.payments) {}

Origins Feature::origins_of(const std::vector<std::string>& wanted) const {
    Origins all;
    const json::Value enabled = site_.settings.get("payment_gateways");
    for (const auto& gateway : payments_.gateways.all()) {
        const payment::GatewayInfo& info = gateway->info();
        const bool is_used =
            wanted.empty() ? std::any_of(enabled.items().begin(), enabled.items().end(),
                                         [&](const json::Value& id) { return id.is_string() && id.text() == info.id; })
                           : std::find(wanted.begin(), wanted.end(), info.id) != wanted.end();
        if (!is_used)
            continue;
        add_origins(all, info.origins);
        add_origins(all, partners.origins(info.id));
    }
    return all;
}

void Feature::declare() {
    declare_hooks(site_.hooks);
    declare_site_templates(site_.settings);
    declare_former_bases(site_.settings);
    // A base at the address of a page would hide it, or be hidden. One that was stored before the page came stays.
    site_.settings.declare_together([this](const settings::SiteSettings::Get& get) -> Result<void> {
        for (const std::string_view key : base_settings)
            if (const json::Value word = get(key); word != site_.settings.get(key) && router.begins_with(word.text()))
                return invalid(std::string(key), "The server uses this address itself. Choose another one."_sentence);
        return {};
    });
    site_.settings.declare({.key = "home_page",
                            .type = api::choice({"home", "listing"}),
                            .initial = "home",
                            .help = "What the site's first page shows: a home page or the listing of trips.",
                            .group = "listing"});
    site_.settings.declare({.key = "site_unclaimed",
                            .type = api::text(60, 3),
                            .initial = "404",
                            .help = "What becomes of addresses outside of the site's pages: 404, or accel:@name, which"
                                    " hands them to that location of nginx.",
                            .group = "permalinks",
                            .also_checks = check_unclaimed});
}

void Feature::add_routes() {
    identity::dress_pages(
        {.render = [this](int status, const json::Value& model) { return pages.site_page(status, model); },
         .say =
             [this](const Sentence& sentence) { return texts::say(site_.settings.text("site_language"), sentence); }});
    partners.show_cards_with(
        [this](PageRequest& visit, const json::Value& trips) { return views.cards(trips, visit); });
    partners.surround_with([this](PageRequest& visit, View& view, const std::string& word) {
        add_account_menu(views, visit, view, word);
    });
    add_template_routes(site_.routes, site_.settings, theme);
    const auto add = [this](PageSpec page) { router.add(std::move(page)); };
    const auto shows = [this](View (Views::*view)(PageRequest&) const) {
        return [this, view](PageRequest& visit) { return (views.*view)(visit); };
    };
    const auto of_type = [this](View (Views::*view)(PageRequest&, Type) const, Type type) {
        return [this, view, type](PageRequest& visit) { return (views.*view)(visit, type); };
    };
    add({.path = "/", .type = "home", .keeping = Keeping::shared, .show = shows(&Views::home)});
    add({.path = "/{trip}", .type = "listing-trip", .keeping = Keeping::shared, .show = shows(&Views::listing)});
    add({.path = "/{trip}/{slug}", .type = "single-trip", .keeping = Keeping::shared, .show = shows(&Views::trip)});
    for (const auto& [base, kind, listing] : {std::tuple{"/{destination}", Type::destination, "listing-destination"},
                                              {"/{activity}", Type::activity, "listing-activity"},
                                              {"/{trip_category}", Type::trip_category, "listing-trip-category"}}) {
        add({.path = base, .type = listing, .keeping = Keeping::shared, .show = of_type(&Views::classes_of, kind)});
        add({.path = std::string(base) + "/{slug}",
             .type = "single-taxonomy",
             .keeping = Keeping::shared,
             .show = of_type(&Views::of_class, kind)});
    }
    const auto form = [this, &add](const char* path, const char* type, View (Views::*show)(PageRequest&) const,
                                   View (Views::*submit)(PageRequest&) const, Who who = Who::everyone,
                                   bool begins = false) {
        PageSpec page{.path = path, .type = type, .who = who, .begins = begins};
        page.show = [this, show](PageRequest& visit) { return (views.*show)(visit); };
        if (submit)
            page.submit = [this, submit](PageRequest& visit) { return (views.*submit)(visit); };
        add(std::move(page));
    };
    form("/{trip}/{slug}/enquiry", "enquiry", &Views::enquiry, &Views::enquiry_submit);
    form("/{book}", "error", &Views::book_start, nullptr);
    form("/{book}/{slug}", "booking", &Views::book, &Views::book_submit, Who::everyone, true);
    add({.path = "/{book}/{slug}/price",
         .type = "part-lines",
         .submit = [this](PageRequest& visit) { return views.book_price(visit); },
         .begins = true});
    form("/{book}/{slug}/details", "booking-details", &Views::book_details, &Views::book_details_submit);
    form("/{book}/{slug}/waitlist", "booking-waitlist", &Views::book_waitlist, &Views::book_waitlist_submit);
    form("/{book}/{slug}/pay", "booking-pay", &Views::book_pay, &Views::book_pay_submit);
    form("/{book}/confirmation/{reference}", "booking-confirmation", &Views::confirmation, &Views::confirmation_submit);
    form("/{book}/confirmation/{reference}/documents/{kind}", "booking-confirmation", &Views::confirmation, nullptr);
    form("/{account}/login", "login-page", &Views::login, &Views::login_submit);
    form("/{account}/register", "register", &Views::register_form, &Views::register_submit);
    form("/{account}/forgot", "forgot", &Views::forgot, &Views::forgot_submit);
    form("/{account}/find-booking", "find-booking", &Views::find_booking, &Views::find_booking_submit);
    form("/{account}/logout", "login-page", &Views::login, &Views::logout_submit);
    form("/{account}", "account-page", &Views::account, nullptr, Who::signed_in);
    form("/{account}/bookings/{id}", "account-booking", &Views::account_booking, &Views::account_booking_submit,
         Who::signed_in);
    form("/{account}/bookings/{id}/documents/{kind}", "account-booking", &Views::account_booking, nullptr,
         Who::signed_in);
    form("/{account}/profile", "account-profile", &Views::profile, &Views::profile_submit, Who::signed_in);
    form("/{account}/me", "me", &Views::me, nullptr);
    form("/{account}/reviews", "account-reviews", &Views::my_reviews, &Views::my_reviews_submit, Who::signed_in);
    form("/{trip}/{slug}/review", "review", &Views::review, &Views::review_submit);
    form("/{account}/enquiries", "account-enquiries", &Views::enquiries, nullptr, Who::signed_in);
    add({.path = choices_path,
         .type = "privacy-choices",
         .show = shows(&Views::privacy_choices),
         .submit = shows(&Views::privacy_choices_submit),
         .begins = true});
    add({.path = "/compare", .type = "compare", .keeping = Keeping::shared, .show = shows(&Views::compare)});
    add({.path = "/embed/{slug}", .type = "embed-trip", .keeping = Keeping::shared, .show = shows(&Views::embed)});
    add({.path = "/sitemap.xml", .type = "sitemap", .keeping = Keeping::shared, .show = shows(&Views::sitemap)});
    add({.path = "/robots.txt", .type = "robots", .keeping = Keeping::shared, .show = shows(&Views::robots)});
    add({.path = "/site.webmanifest", .type = "manifest", .keeping = Keeping::shared, .show = shows(&Views::manifest)});
}

}  // namespace svc::pages
