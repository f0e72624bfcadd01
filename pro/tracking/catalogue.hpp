// The partners who count visits, and what is reported to them: one row for each event, with both partners' names.
// Modules facebook_pixel and google_analytics.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

namespace svc::pro::tracking {

struct Partner {
    std::string_view key;       // in the tables, and in payment.api_bases
    std::string_view module;    // slug
    std::string_view name;      // in sentences
    std::string_view own_host;  // scheme and host of its interface
    // Keys of settings.
    std::string_view id_setting, secret_setting, server_setting;
    std::string_view parameters_setting;  // what events tell besides: see parameters.hpp
    std::string_view job;
    bool needs_marketing;          // the visitor's consent that it needs: marketing, or else analytics
    std::chrono::hours takes_for;  // it refuses events that are older
};

inline constexpr Partner meta{.key = "meta",
                              .module = "facebook_pixel",
                              .name = "Meta",
                              .own_host = "https://graph.facebook.com",
                              .id_setting = "facebook_pixel_id",
                              .secret_setting = "facebook_access_token",
                              .server_setting = "fb_use_conversions_api",
                              .parameters_setting = "fb_parameter_mapping",
                              .job = "facebook_pixel_events",
                              .needs_marketing = true,
                              .takes_for = std::chrono::hours(24 * 7)};
inline constexpr Partner google{.key = "google",
                                .module = "google_analytics",
                                .name = "Google",
                                .own_host = "https://www.google-analytics.com",
                                .id_setting = "ga4_measurement_id",
                                .secret_setting = "ga4_api_secret",
                                .server_setting = "ga4_use_measurement_protocol",
                                .parameters_setting = "ga4_custom_dimensions",
                                .job = "google_analytics_events",
                                .needs_marketing = false,
                                .takes_for = std::chrono::hours(72)};

struct EventKind {
    std::string_view key;                           // ours
    std::string_view google, meta;                  // the partners' names
    std::string_view google_setting, meta_setting;  // whether it is reported
    bool by_browser, by_server;                     // who reports it; both: by one event id
    std::string_view help;
};

// In the order of a visit.
std::span<const EventKind> event_kinds();
// Null: no such event.
const EventKind* find_event(std::string_view key);

// Whether this server reports it to the partner. Google knows a purchase again by its id and nothing else: what
// browsers report too would count twice there.
bool is_by_server(const EventKind& kind, const Partner& partner);
std::string_view name_at(const EventKind& kind, const Partner& partner);
std::string_view setting_at(const EventKind& kind, const Partner& partner);

namespace events {
inline constexpr std::string_view add_to_cart = "add_to_cart", add_payment_info = "add_payment_info",
                                  purchase = "purchase", refund = "refund";
}

}  // namespace svc::pro::tracking
