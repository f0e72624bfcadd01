// Kinds and references of fields: what the type states, then what the name means everywhere.
#include "shared/api/meaning.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace svc::api {
namespace {

constexpr std::array<std::string_view, 18> kind_names{"",      "html", "lines",   "secret",  "url",      "phone",
                                                      "color", "icon", "slug",    "country", "currency", "language",
                                                      "zone",  "day",  "picture", "money",   "time",     "percentage"};

struct Reference {
    std::string_view list, name;
};
// Singular names hold one id or a list of ids, plural ones only a list: `trips` may be a count, too.
constexpr Reference references[] = {
    {"trips", "trip_id"},
    {"bookings", "booking_id"},
    {"bookings", "existing_booking_id"},
    {"bookings", "recovered_booking_id"},
    {"customers", "customer_id"},
    {"users", "user_id"},
    {"users", "actor_id"},
    {"users", "guide_user_id"},
    {"users", "created_by"},
    {"users", "updated_by"},
    {"users", "checked_in_by"},
    {"users", "moderated_by"},
    {"users", "replied_by"},
    {"users", "responded_by"},
    {"users", "revoked_by"},
    {"users", "uploaded_by"},
    {"departures", "departure_id"},
    {"departures", "availability_id"},
    {"recurring-availability", "rule_id"},
    {"payments", "payment_id"},
    {"enquiries", "enquiry_id"},
    {"reviews", "existing_review_id"},
    {"travelers", "traveler_id"},
    {"traveler-categories", "category_id"},
    {"difficulty-levels", "difficulty_level"},
    {"items", "item_id"},
    {"item-types", "item_type_id"},
    {"item-types", "type_id"},
    {"attributes", "attribute_id"},
    {"additional-services", "service_id"},
    {"media", "attachment_id"},
    {"media", "featured_image"},
    {"media", "featured_image_id"},
    {"media", "image_id"},
    {"media", "seo_trip_meta_image"},
};
constexpr Reference references_of_lists[] = {
    {"trips", "trip_ids"},
    {"trips", "trips"},
    {"bookings", "booking_ids"},
    {"bookings", "affected_bookings"},
    {"destinations", "destinations"},
    {"activities", "activity_types"},
    {"trip-categories", "trip_category"},
    {"trip-categories", "categories"},
    {"traveler-categories", "applied_categories"},
    {"additional-services", "service_ids"},
    {"additional-services", "additional_services"},
    {"reviews", "testimonial_review_ids"},
    {"media", "gallery"},
};

struct Meaning {
    FieldKind kind;
    std::string_view name;
};
constexpr Meaning texts[] = {
    {FieldKind::secret, "password"},
    {FieldKind::secret, "new_password"},
    {FieldKind::secret, "current_password"},
    {FieldKind::secret, "confirm_password"},
    {FieldKind::secret, "account_password"},
    {FieldKind::secret, "account_password_confirm"},
    {FieldKind::secret, "smtp_password"},
    {FieldKind::secret, "passphrase"},
    {FieldKind::secret, "custom_secret"},
    {FieldKind::secret, "client_secret"},
    {FieldKind::secret, "google_calendar_client_secret"},
    {FieldKind::secret, "api_secret"},
    {FieldKind::secret, "ga4_api_secret"},
    {FieldKind::secret, "recaptcha_secret_key"},
    {FieldKind::secret, "token"},
    {FieldKind::secret, "recaptcha_token"},
    {FieldKind::url, "url"},
    {FieldKind::url, "payment_url"},
    {FieldKind::url, "return_url"},
    {FieldKind::url, "cancel_url"},
    {FieldKind::url, "thumbnail_url"},
    {FieldKind::url, "recaptcha_script_url"},
    {FieldKind::url, "recaptcha_verify_url"},
    {FieldKind::url, "license_store_url"},
    {FieldKind::url, "license_upgrade_url"},
    {FieldKind::url, "company_website"},
    {FieldKind::picture, "company_logo"},
    {FieldKind::phone, "phone"},
    {FieldKind::phone, "contact_phone"},
    {FieldKind::phone, "secondary_phone"},
    {FieldKind::phone, "emergency_phone"},
    {FieldKind::phone, "customer_phone"},
    {FieldKind::phone, "company_phone"},
    {FieldKind::color, "color"},
    {FieldKind::color, "frontend_primary_color"},
    {FieldKind::color, "frontend_accent_color"},
    {FieldKind::icon, "icon"},
    {FieldKind::slug, "slug"},
    {FieldKind::slug, "trip_slug"},
    {FieldKind::country, "country"},
    {FieldKind::country, "country_code"},
    {FieldKind::country, "contact_country"},
    {FieldKind::country, "customer_country"},
    {FieldKind::country, "company_country"},
    {FieldKind::country, "nationality"},
    {FieldKind::country, "contact_nationality"},
    {FieldKind::currency, "currency"},
    {FieldKind::currency, "preferred_currency"},
    {FieldKind::language, "locale"},
    {FieldKind::language, "preferred_language"},
    {FieldKind::zone, "time_zone"},
    {FieldKind::zone, "timezone"},
};
constexpr std::string_view pictures[] = {"featured_image", "featured_image_id", "image_id", "gallery",
                                         "seo_trip_meta_image"};

// Longer texts that keep their line breaks are written in lines.
constexpr std::size_t longest_line = 300;

bool is_id(const Type& type) {
    return type.shape == Shape::integer && (type.least == 0 || type.least == 1) && type.most == INT64_MAX;
}

template <std::size_t N>
std::string_view list_of(const Reference (&all)[N], std::string_view name) {
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](const Reference& one) { return one.name == name; });
    return found == std::end(all) ? std::string_view() : found->list;
}

}  // namespace

std::string_view name_of(FieldKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

FieldKind kind_named(std::string_view name) {
    const auto found = std::find(kind_names.begin(), kind_names.end(), name);
    return found == kind_names.end() ? FieldKind::none : static_cast<FieldKind>(found - kind_names.begin());
}

std::string_view referred_by(std::string_view name, const Type& type) {
    if (!type.refers.empty())
        return type.refers;
    if (is_id(type))
        return list_of(references, name);
    if (type.shape != Shape::list || !(is_id(*type.item) || type.item->shape == Shape::anything))
        return {};
    const std::string_view list = list_of(references_of_lists, name);
    return list.empty() ? list_of(references, name) : list;
}

FieldKind kind_of(std::string_view name, const Type& type) {
    if (type.kind != FieldKind::none)
        return type.kind;
    if (!referred_by(name, type).empty())
        return std::find(std::begin(pictures), std::end(pictures), name) == std::end(pictures) ? FieldKind::none
                                                                                               : FieldKind::picture;
    if (type.shape != Shape::text)
        return type.shape == Shape::time ? FieldKind::time : FieldKind::none;
    const auto found =
        std::find_if(std::begin(texts), std::end(texts), [&](const Meaning& one) { return one.name == name; });
    if (found != std::end(texts))
        return found->kind;
    return type.raw && type.longest > longest_line ? FieldKind::lines : FieldKind::none;
}

std::shared_ptr<const NextStatuses> next_statuses(
    std::span<const std::string_view> all, const std::function<bool(std::string_view from, std::string_view to)>& may) {
    NextStatuses next;
    for (const std::string_view from : all) {
        std::vector<std::string> following;
        for (const std::string_view to : all)
            if (from != to && may(from, to))
                following.emplace_back(to);
        next.emplace_back(from, std::move(following));
    }
    return std::make_shared<const NextStatuses>(std::move(next));
}

json::Value to_json(const NextStatuses& next) {
    auto all = json::Value::object();
    for (const auto& [status, following] : next)
        all.set(status, json::array_of(following));
    return all;
}

void add_meaning(std::string_view name, const Type& type, json::Value& schema) {
    if (const FieldKind kind = kind_of(name, type); kind != FieldKind::none)
        schema.set("x-kind", name_of(kind));
    if (const std::string_view list = referred_by(name, type); !list.empty())
        schema.set("x-refers-to", list);
    if (type.next)
        schema.set("x-next", to_json(*type.next));
}

}  // namespace svc::api
