// Classifications, coupons, trips and what belongs to them.
#include "base/data/wordpress_import/record_migration.hpp"

#include "base/data/import_export/row_faults.hpp"
#include "base/data/samples/giving_way.hpp"
#include "base/data/wordpress_import/stored.hpp"
#include "base/people/enquiries/enquiry.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

using catalog::classifications::Type;
using json::Value;

Instant made_at(const Value& fields, const Clock& clock) {
    return Instant::parse(fields.text_or("made_at")).value_or(clock.now());
}

}  // namespace

namespace stored {

Value fit_to_schema(const api::Schema& schema, const Value& fields, RecordMigration::Remarks& remarks) {
    auto fit = Value::object();
    for (const auto& [name, value] : fields.members()) {
        const api::Field* field = schema.find(name);
        if (!field)
            continue;
        Value kept = value;
        if (value.is_string() && field->type.shape == api::Shape::text)
            kept = text::first(value.text(), field->type.longest);
        if (const auto checked = field->type.check(kept, name, true))
            fit.set(name, std::move(kept));
        else
            remarks.push_back("A value was left out. " + import_export::sentences_of(checked.error()).english());
    }
    return fit;
}

std::int64_t class_of(store::Session& session, Type type, const std::string& slug) {
    return session.number("SELECT id FROM svc_classifications WHERE type = :type AND slug = :slug",
                          {{"type", catalog::classifications::name_of(type)}, {"slug", slug}});
}

std::int64_t trip_of(store::Session& session, const std::string& slug) {
    return slug.empty() ? 0 : session.number("SELECT id FROM svc_trips WHERE slug = :slug", {{"slug", slug}});
}

Error no_trip() { return invalid("trip", "The trip is not here. Migrate the trips first."_sentence); }

std::optional<Type> class_type(std::string_view kind) {
    return kind == "destinations"      ? std::optional(Type::destination)
           : kind == "activities"      ? std::optional(Type::activity)
           : kind == "trip_categories" ? std::optional(Type::trip_category)
           : kind == "attributes"      ? std::optional(Type::attribute)
                                       : std::nullopt;
}

}  // namespace stored

using stored::class_of, stored::class_type, stored::fit_to_schema, stored::no_trip;

Result<Outcome> RecordMigration::migrate_class(store::Transaction& tx, Type type, const Value& fields) const {
    const std::string slug = fields.text_or("slug", text::slug_of(fields.text_or("name"), 100));
    samples::free_slug_of_class(tx, std::string(catalog::classifications::name_of(type)), slug);
    if (class_of(tx, type, slug) > 0)
        return Outcome::skipped;
    Value body = fields;
    if (const auto parent = class_of(tx, type, fields.text_or("_parent")); parent > 0)
        body.set("parent_id", parent);
    auto made = lower_.classifications.service.create(tx, type, body);
    return made ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(made.error());
}

Result<Outcome> RecordMigration::migrate_coupon(store::Transaction& tx, const Value& fields) const {
    const auto& resource = lower_.discounts.service.resource();
    SVC_ASSIGN_OR_RETURN(const auto body, discounts::discount_record().create_schema().check(fields, true));
    if (tx.number("SELECT COUNT(*) FROM svc_discounts WHERE UPPER(code) = UPPER(:code)",
                  {{"code", body.text_or("code")}}) > 0)
        return Outcome::skipped;
    auto made = resource.create(tx, {}, body, {.user_id = std::nullopt, .now = site_.clock.now()});
    return made ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(made.error());
}

Result<Outcome> RecordMigration::migrate_enquiry(store::Transaction& tx, const Value& given, Remarks& remarks) const {
    const auto& record = enquiries::enquiry_record();
    Value fields = fit_to_schema(record.create_schema(), given, remarks);
    if (const auto trip = stored::trip_of(tx, given.text_or("trip")); trip > 0)
        fields.set("trip_id", trip);
    SVC_ASSIGN_OR_RETURN(const auto body, record.create_schema().check(fields, true));
    if (tx.number("SELECT COUNT(*) FROM svc_enquiries WHERE email_lower = :email AND message = :message",
                  {{"email", text::folded(body.text_or("customer_email"))}, {"message", body.text_or("message")}}) > 0)
        return Outcome::skipped;
    enquiries::Enquiry enquiry;
    Faults faults;
    record.patch(enquiry, body, true, faults);
    enquiry.source = "migration";
    enquiry.status = enquiries::Status::read;
    record.insert(tx, enquiry, {.user_id = std::nullopt, .now = made_at(given, site_.clock)});
    return Outcome::migrated;
}

Result<Outcome> RecordMigration::migrate_review(store::Transaction& tx, const Value& given, Remarks& remarks) const {
    const auto trip = stored::trip_of(tx, given.text_or("trip"));
    if (trip == 0)
        return no_trip();
    Value fields = fit_to_schema(reviews_.create_schema(), given, remarks);
    fields.set("trip_id", trip);
    SVC_ASSIGN_OR_RETURN(const auto body, reviews_.create_schema().check(fields, true));
    const Instant made = made_at(given, site_.clock);
    if (tx.number("SELECT COUNT(*) FROM svc_reviews WHERE trip_id = :trip AND email_lower = :email AND content = "
                  ":content",
                  {{"trip", trip},
                   {"email", text::folded(body.text_or("author_email"))},
                   {"content", body.text_or("content")}}) > 0)
        return Outcome::skipped;
    reviews::Review review;
    Faults faults;
    reviews_.patch(review, body, true, faults);
    reviews_.insert(tx, review, {.user_id = std::nullopt, .now = made});
    reviews::rate_anew(tx, trip);
    return Outcome::migrated;
}

Result<Outcome> RecordMigration::change_trip(store::Transaction& tx, std::int64_t id, const Value& change) const {
    const auto& trips = *lower_.csv.named("trips");
    SVC_ASSIGN_OR_RETURN(const auto body, trips.whole.partial().check(change, true));
    auto done = trips.update(tx, id, body);
    return done ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(done.error());
}

Result<Outcome> RecordMigration::migrate_days(store::Transaction& tx, const Value& fields, bool force) const {
    const auto trip = stored::trip_of(tx, fields.text_or("trip"));
    if (trip == 0)
        return no_trip();
    if (!force && tx.number("SELECT COUNT(*) FROM svc_itinerary_days WHERE trip_id = :trip", {{"trip", trip}}) > 0)
        return Outcome::skipped;
    return change_trip(tx, trip, Value::object({{"itinerary_days", fields["days"]}}));
}

// Trips and customers.
Result<Outcome> RecordMigration::migrate_by_rules(store::Transaction& tx, std::string_view kind, Value fields,
                                                  bool force, Remarks& remarks) const {
    const auto& csv_kind = *lower_.csv.named(kind);
    for (const auto& [member, type] : {std::pair{"destinations", Type::destination},
                                       {"activity_types", Type::activity},
                                       {"trip_category", Type::trip_category}}) {
        const Value* slugs = fields.find(member);
        if (!slugs || !slugs->is_array())
            continue;
        auto ids = Value::array();
        for (const Value& slug : slugs->items())
            if (const auto id = class_of(tx, type, slug.text()); id > 0)
                ids.push(id);
        fields.set(member, std::move(ids));
    }
    if (const Value* attributes = fields.find("_attributes"); attributes && attributes->is_object()) {
        auto values = Value::object();
        for (const auto& [slug, value] : attributes->members())
            if (const auto id = class_of(tx, Type::attribute, slug); id > 0)
                values.set(std::to_string(id), value);
        fields.set("attributes", std::move(values));
    }
    // Prices that are none per person come with their trip, which must never be sold without them.
    if (const Value* prices = fields.find("_prices"); prices && prices->is_array() && prices->size() > 0) {
        auto types = Value::array();
        for (const Value& price : prices->items()) {
            SVC_ASSIGN_OR_RETURN(auto type, category_price(tx, price));
            types.push(std::move(type));
        }
        fields.set("pricing_type", "traveler_based");
        fields.set("price_types", std::move(types));
    }
    SVC_ASSIGN_OR_RETURN(const auto body, csv_kind.whole.check(fit_to_schema(csv_kind.whole, fields, remarks), true));
    if (kind == "trips")
        samples::free_slug_of_trip(tx, body.text_or("slug"), body.text_or("title"));
    if (const auto id = csv_kind.find(tx, body)) {
        if (!force)
            return Outcome::skipped;
        auto done = csv_kind.update(tx, *id, body);
        return done ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(done.error());
    }
    auto made = csv_kind.create(tx, body);
    return made ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(made.error());
}

Result<Outcome> RecordMigration::migrate(store::Transaction& tx, std::string_view kind, const Value& fields,
                                         const Options& options, Remarks& remarks) const {
    if (const auto type = class_type(kind))
        return migrate_class(tx, *type, fields);
    if (kind == "coupons")
        return migrate_coupon(tx, fields);
    if (kind == "enquiries")
        return migrate_enquiry(tx, fields, remarks);
    if (kind == "reviews")
        return migrate_review(tx, fields, remarks);
    if (kind == "traveler_categories")
        return migrate_category_price(tx, fields, options.force);
    if (kind == "itinerary")
        return migrate_days(tx, fields, options.force);
    if (kind == "tour_dates")
        return migrate_date(tx, fields, options.force, remarks);
    if (kind == "bookings")
        return migrate_booking(tx, fields, options.task_id);
    if (kind == "payments")
        return migrate_payment(tx, fields);
    return migrate_by_rules(tx, kind, fields, options.force, remarks);
}

}  // namespace svc::wordpress_import
