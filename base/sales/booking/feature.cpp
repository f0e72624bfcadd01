// Builds the services of bookings and registers their routes, jobs, hooks and settings.
#include "base/sales/booking/feature.hpp"

#include "base/sales/booking/cancellation/routes.hpp"
#include "base/sales/booking/checkout/access.hpp"
#include "base/sales/booking/checkout/repository.hpp"
#include "base/sales/booking/checkout/routes.hpp"
#include "base/sales/booking/desk/check_in.hpp"
#include "base/sales/booking/desk/file_routes.hpp"
#include "base/sales/booking/desk/later_service_routes.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/guest/routes.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/invoice_token.hpp"
#include "base/sales/booking/record/payment_plan.hpp"
#include "base/sales/booking/record/service_stock.hpp"
#include "base/sales/booking/settings.hpp"
#include "base/sales/booking/upkeep/jobs.hpp"

namespace svc::booking {
namespace {

// Recovery of abandoned bookings reads sessions for a week after their end.
constexpr std::chrono::hours sessions_kept{7 * 24};
// Longer than any session lasts.
constexpr std::chrono::hours unused_files_kept{25};

}  // namespace

Parts Feature::parts_of(const Site& site, const Needs& lower) {
    return {.store = site.store,
            .hooks = site.hooks,
            .settings = site.settings,
            .trips = lower.trips.service,
            .availability = lower.availability.services,
            .pricing = lower.pricing.service,
            .discounts = lower.discounts.service,
            .clock = site.clock,
            .keyring = *site.keyring,
            .module_enabled = site.module_enabled};
}

Feature::Feature(const Site& site, const Needs& lower)
    : svc::Feature(site),
      Services(parts_of(site, lower)),
      trip_counts(site.store, site.events, lower.trips.service),
      lower_(lower),
      buyers_({records, site.store, site.limits, site.clock}),
      links_(parts_of(site, lower), records, site.limits),
      of_customers_(lists, site.settings) {}

void Feature::connect() {
    lower_.trips.service.add_part(cancellation_terms_part());
    lower_.availability.services.followed_by(&departure_bookings);
    lower_.customers.booked_by(of_customers_);
    lower_.downloads.service.sell_to(buyers_);
    lower_.identity.service.when_signed_in([this](std::int64_t user_id, const std::string& verified_email) {
        guests.link_guest_bookings(user_id, verified_email);
    });
}

void Feature::declare() {
    declare_hooks(site_.hooks);
    site_.hooks.declare(services_short);
    site_.hooks.declare(check_in_allowed);
    site_.hooks.declare(payment_plan);
    booking::declare_settings(site_.settings, site_.hooks);
    trip_counts.listen();
    accounts_ = std::make_unique<RegisteredAccounts>(*lower_.identity.registration);
    ports.accounts = accounts_.get();
}

std::function<Result<std::optional<OpenSession>>(const api::Request&)> Feature::session_of_request() {
    return session_holder(sessions, site_.limits);
}

void Feature::add_routes() {
    const CheckoutRoutes checkout{
        .records = records,
        .forms = forms,
        .offers = offers,
        .sessions = sessions,
        .creator = creator,
        .store = site_.store,
        .settings = site_.settings,
        .keyring = *site_.keyring,
        .limits = site_.limits,
        .site_url = site_.installation.address,
        .pages = *ports.pages,
        .client_of = [this](const std::string& address) { return client_of(address); },
        .is_human = [this](
                        const std::string& token,
                        const std::string& address) { return lower_.identity.human.check("booking", token, address); },
        .may_make_account = [this](const std::string& token, const std::string& address) -> Result<void> {
            // A token is good once: where booking is protected it has been used.
            return ports.accounts ? ports.accounts->admit(token, address, lower_.identity.human.protects("booking"))
                                  : Result<void>{};
        }};
    add_checkout_routes(site_.routes, checkout);
    add_form_routes(site_.routes, checkout);
    add_cancellation_routes(site_.routes, site_.settings);
    add_link_routes(site_.routes, links_, records);
    add_verification_routes(site_.routes, {.guests = guests,
                                           .records = records,
                                           .verification = {*site_.keyring, site_.hooks},
                                           .settings = site_.settings,
                                           .limits = site_.limits,
                                           .site_url = site_.installation.address});
    const DeskRoutes staff{.records = records,
                           .desk = desk,
                           .lists = lists,
                           .removal = removal,
                           .creator = creator,
                           .settings = site_.settings};
    add_admin_routes(site_.routes, staff);
    add_edit_routes(site_.routes, staff);
    add_traveler_routes(site_.routes, staff);
    add_waiting_list_routes(site_.routes, staff);
    add_check_in_routes(site_.routes, records, CheckIns(site_.store, site_.hooks, site_.clock));
    const Ownership::Parts doors{records, site_.store, site_.limits, site_.clock};
    add_own_routes(site_.routes,
                   {.records = records,
                    .guests = guests,
                    .lists = lists,
                    .settings = site_.settings,
                    // Other signed-in callers get 404; staff have their own routes.
                    .reads = Ownership(doors, {}, errc::booking_not_found).permission("id"),
                    .cancels = Ownership(doors, "svc_change_booking_status").permission("id"),
                    .invoice_token = [this](const Booking& booking) {
                        return InvoiceTokens{*site_.keyring}.issue({0, booking.id, booking.email}, site_.clock.now());
                    }});
    const FileRoutes files{.records = records,
                           .forms = forms,
                           .sessions = sessions,
                           .store = site_.store,
                           .settings = site_.settings,
                           .keyring = *site_.keyring,
                           .limits = site_.limits,
                           .clock = site_.clock,
                           .later = std::make_shared<LaterAnswers>(parts_of(site_, lower_),
                                                                   LaterAnswers::Needs{.forms = forms, .desk = desk}),
                           .reads_own = Ownership(doors, {}, errc::booking_not_found).permission("id")};
    add_file_routes(site_.routes, files);
    add_later_answer_routes(site_.routes, files);
    add_later_service_routes(site_.routes, {.services = std::make_shared<LaterServices>(parts_of(site_, lower_), ports),
                                            .records = records,
                                            .reads = Ownership(doors, {}, errc::booking_not_found).permission("id"),
                                            .orders = Ownership(doors, "svc_edit_bookings").permission("id")});
}

// A proxy that does not forward its clients' addresses counts as no client.
std::string Feature::client_of(const std::string& address) const {
    const auto known = limits::Address::parse(address);
    return !known || site_.installation.trusted_proxies.contains(*known)
               ? std::string()
               : crypto::base64(site_.keyring->mac("booking-client", limits::network_of(address)));
}

void Feature::add_jobs() {
    site_.housekeeping.add("checkout_sessions", [](store::Transaction& tx, Instant now, int most) {
        return SessionRepository::remove_expired(tx, now.minus(sessions_kept), most);
    });
    site_.housekeeping.add("unused_form_files", [](store::Transaction& tx, Instant now, int most) {
        return form::FileRepository::remove_unused(tx, now.minus(unused_files_kept), most);
    });
    site_.housekeeping.add("form_files", [this](store::Transaction& tx, Instant now, int most) -> std::int64_t {
        const auto days = site_.settings.integer("form_file_days");
        if (days == 0)
            return 0;
        const Date today = site_.settings.zone().date_at(now);
        return form::FileRepository::remove_after_trip(tx, today.plus_days(-static_cast<std::int32_t>(days)), most,
                                                       Sealing(*site_.keyring));
    });
    booking::add_jobs(site_.jobs, upkeep);
    trip_counts.add_job(site_.jobs);
}

void Feature::start(bool with_jobs) {
    if (with_jobs)
        upkeep.note_expiry(site_.clock.now());
}

}  // namespace svc::booking
