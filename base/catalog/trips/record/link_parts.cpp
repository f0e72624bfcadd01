// Links of a trip to its classifications.
#include <algorithm>

#include "base/catalog/trips/record/own_parts.hpp"
#include "base/catalog/trips/record/rows_part.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::catalog::trips {
namespace {

using json::Value;

constexpr std::size_t most_links = 100;

api::Schema link_members() {
    using namespace api;
    using api::text;
    return {{.name = "id", .type = id(), .required = true},
            {.name = "name", .type = text(255)},
            {.name = "slug", .type = text(220)},
            sometimes_sent({.name = "country_code", .type = text(2), .help = "Country code of a destination, if set."}),
            {.name = "status", .type = choice({"draft", "publish", "trash"})}};
}

std::string country_of(const std::string& details) {
    if (details.find("country_code") == std::string::npos)
        return {};
    const auto known = json::parse(details);
    return known ? known->text_or("country_code") : std::string();
}

struct Link {
    std::int64_t id = 0;
    std::size_t place = 0;                // in the list that was sent
    std::int64_t order = 0;               // as sent, else its position
    std::optional<bool> is_primary = {};  // as sent
};

class Links : public Part {
  public:
    Links(std::string_view name, std::string_view type, SentenceId noun) : name_(name), type_(type), noun_(noun) {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] api::Type body_type() const override { return api::list(api::anything(), most_links); }
    [[nodiscard]] api::Type answer_type() const override {
        return api::list(api::object("TripLink", link_members().plus({{.name = "is_primary", .type = api::boolean()},
                                                                      {.name = "order", .type = api::integer(0)}})));
    }
    [[nodiscard]] bool in_rows() const override { return true; }

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override;
    [[nodiscard]] Value public_value(const Value& staff) const override;
    [[nodiscard]] Result<void> check(store::Session& session, const Trip& trip, const Value& value,
                                     const Writing& writing) const override {
        const auto links = checked_links(session, trip, value, writing);
        return links ? Result<void>{} : links.error();
    }
    Result<void> write(store::Transaction& tx, const Trip& trip, const Value& value,
                       const Writing& writing) const override;

  private:
    [[nodiscard]] Result<std::vector<Link>> checked_links(store::Session& session, const Trip& trip, const Value& value,
                                                          const Writing& writing) const;
    // In their order; the first link is the primary one unless another is sent.
    [[nodiscard]] Result<std::vector<Link>> links_of(const Value& value) const;
    // Rejects ids that do not exist in this type, or leaves them out and reports them. Existing links of `own` stay
    // valid in the trash.
    Result<void> look_up(store::Session& session, const Trip& own, std::vector<Link>& links,
                         const Writing& writing) const;
    [[nodiscard]] std::string at(std::size_t index) const {
        return std::string(name_) + "." + std::to_string(index + 1);
    }

    std::string_view name_, type_;
    SentenceId noun_;
};

void Links::read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const {
    ItemsByTrip by_trip(take);
    store::each_row_of(
        session,
        SVC_BY_IDS("SELECT l.trip_id, c.id, c.name, c.slug, c.status, l.relationship_type, c.details"
                   " FROM svc_trip_classifications l JOIN svc_classifications c ON c.id = l.classification_id"
                   " WHERE l.type = :type AND",
                   "l.trip_id", "ORDER BY l.trip_id, l.sort_order, c.id"),
        trip_ids,
        [&](std::int64_t trip_id, std::int64_t id, const std::string& name, const std::string& slug,
            const std::string& status, const std::string& relation, const std::string& details) {
            Value& links = by_trip.of(trip_id);
            links.push(Value::object({{"id", id},
                                      {"name", name},
                                      {"slug", slug},
                                      {"status", status},
                                      {"is_primary", relation == "primary"},
                                      {"order", static_cast<std::int64_t>(links.size())}}));
            if (auto code = country_of(details); !code.empty())
                links.items().back().set("country_code", std::move(code));
        },
        {{"type", type_}});
    by_trip.finish();
}

Value Links::public_value(const Value& staff) const {
    Value links = Value::array();
    for (const Value& link : staff.items())
        if (link.text_or("status") == "publish")
            links.push(link);
    return links;
}

Result<std::vector<Link>> Links::links_of(const Value& value) const {
    std::vector<Link> links;
    if (value.is_null())
        return links;
    const auto shape = api::object({{.name = "id", .type = api::id(), .required = true},
                                    {.name = "is_primary", .type = api::boolean().or_null()},
                                    {.name = "order", .type = api::integer(0, 1'000'000'000).or_null()}});
    bool has_primary = false;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const Value& item = value[i];
        SVC_ASSIGN_OR_RETURN(auto clean, item.is_object() ? shape.check(item, at(i)) : api::id().check(item, at(i)));
        Link link{.place = i, .order = static_cast<std::int64_t>(i)};
        link.id = clean.is_object() ? clean["id"].integer() : clean.integer();
        if (clean.is_object()) {
            link.is_primary = clean.maybe_boolean("is_primary");
            link.order = clean.maybe_integer("order").value_or(link.order);
        }
        if (link.is_primary.value_or(false) && has_primary)
            return invalid(at(i), "Choose only one primary item."_sentence);
        has_primary = has_primary || link.is_primary.value_or(false);
        if (std::any_of(links.begin(), links.end(), [&](const Link& other) { return other.id == link.id; }))
            return invalid(at(i), "This item is listed twice."_sentence);
        links.push_back(link);
    }
    std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.order < b.order; });
    if (!links.empty() && !has_primary && !links.front().is_primary)
        links.front().is_primary = true;
    return links;
}

Result<void> Links::look_up(store::Session& session, const Trip& own, std::vector<Link>& links,
                            const Writing& writing) const {
    std::vector<std::int64_t> ids, known;
    for (const Link& link : links)
        ids.push_back(link.id);
    store::each_row_of(
        session,
        SVC_BY_IDS("SELECT id FROM svc_classifications WHERE type = :type AND (status <> 'trash' OR EXISTS (SELECT 1"
                   " FROM svc_trip_classifications l WHERE l.trip_id = :own AND l.classification_id ="
                   " svc_classifications.id)) AND",
                   "id", ""),
        ids, [&](std::int64_t id) { known.push_back(id); }, {{"type", type_}, {"own", own.id}});
    std::vector<Link> remaining;
    Error faults{errc::validation_error, "This {noun} does not exist."_sentence.with("noun", noun_)};
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (std::find(known.begin(), known.end(), links[i].id) != known.end())
            remaining.push_back(links[i]);
        else if (writing.lenient && writing.left_out)
            writing.left_out->push_back(std::string(name_) + "." + std::to_string(links[i].id));
        else if (!writing.lenient)
            faults.at(at(links[i].place), faults.message());
    }
    if (!faults.fields().empty())
        return faults;
    links = std::move(remaining);
    return {};
}

Result<std::vector<Link>> Links::checked_links(store::Session& session, const Trip& trip, const Value& value,
                                               const Writing& writing) const {
    auto links = links_of(value);
    if (!links)
        return links;
    SVC_RETURN_IF_ERROR(look_up(session, writing.own(trip), *links, writing));
    return links;
}

Result<void> Links::write(store::Transaction& tx, const Trip& trip, const Value& value, const Writing& writing) const {
    SVC_ASSIGN_OR_RETURN(const auto links, checked_links(tx, trip, value, writing));
    tx.run("DELETE FROM svc_trip_classifications WHERE trip_id = :trip_id AND type = :type",
           {{"trip_id", trip.id}, {"type", type_}});
    std::int64_t order = 0;
    for (const Link& link : links)
        tx.run(
            "INSERT INTO svc_trip_classifications (trip_id, classification_id, type, relationship_type, sort_order,"
            " is_featured, is_active) VALUES (:trip_id, :id, :type, :relation, :sort_order, 0, 1)",
            {{"trip_id", trip.id},
             {"id", link.id},
             {"type", type_},
             {"relation", link.is_primary.value_or(false) ? "primary" : "secondary"},
             {"sort_order", order++}});
    return {};
}

class Difficulty : public ReadOnlyPart {
  public:
    [[nodiscard]] std::string_view name() const override { return "difficulty"; }
    [[nodiscard]] api::Type answer_type() const override {
        return api::object("TripSingleLink", link_members()).or_null();
    }
    [[nodiscard]] Value none() const override { return {}; }
    [[nodiscard]] Value public_value(const Value& staff) const override {
        return staff.text_or("status") == "publish" ? staff : Value();
    }
    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        store::each_row_of(
            session,
            SVC_BY_IDS("SELECT t.id, c.id, c.name, c.slug, c.status FROM svc_trips t"
                       " JOIN svc_classifications c ON c.id = t.difficulty_level_id WHERE",
                       "t.id", ""),
            trip_ids,
            [&](std::int64_t trip_id, std::int64_t id, const std::string& name, const std::string& slug,
                const std::string& status) {
                take(trip_id, Value::object({{"id", id}, {"name", name}, {"slug", slug}, {"status", status}}));
            });
    }
};

}  // namespace

Parts link_parts() {
    return {std::make_shared<Links>("destinations", "destination", "destination"_sentence),
            std::make_shared<Links>("activity_types", "activity", "activity"_sentence),
            std::make_shared<Links>("trip_category", "trip_category", "trip category"_sentence)};
}

std::shared_ptr<const Part> difficulty_part() { return std::make_shared<Difficulty>(); }

Parts own_parts(const Pictures& pictures, const Parts& of_others) {
    Parts all = link_parts();
    all.push_back(difficulty_part());
    for (const Parts& more : {text_parts(), picture_parts(pictures), of_others})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace svc::catalog::trips
