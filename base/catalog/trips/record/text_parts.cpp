// A trip's highlights and FAQs.
#include "base/catalog/trips/record/own_parts.hpp"
#include "base/catalog/trips/record/rows_part.hpp"
#include "base/platform/html/html.hpp"
#include "shared/api/named.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::trips {
namespace {

using json::Value;

constexpr std::size_t most_items = 200;

// Twice over the same rows: by their titles alone, and with all they hold. Written both, the second counts.
class Highlights : public Part {
  public:
    explicit Highlights(bool details) : details_(details) {}

    [[nodiscard]] std::string_view name() const override { return details_ ? "highlight_details" : "highlights"; }
    [[nodiscard]] api::Type body_type() const override { return answer_type(); }
    [[nodiscard]] api::Type answer_type() const override {
        using namespace api;
        using api::text;
        if (!details_)
            return list(api::text(255, 1), most_items);
        return list(object("HighlightDetail", {{.name = "title", .type = api::text(255, 1), .required = true},
                                               {.name = "description", .type = raw_text(5000).or_null()},
                                               {.name = "icon", .type = api::text(255).or_null()}}),
                    most_items);
    }
    [[nodiscard]] bool in_rows() const override { return !details_; }

    Result<void> write(store::Transaction& tx, const Trip& trip, const Value& value,
                       const Writing& /*writing*/) const override {
        tx.run("DELETE FROM svc_trip_highlights WHERE trip_id = :trip_id", {{"trip_id", trip.id}});
        for (std::size_t i = 0; i < value.size(); ++i) {
            const Value& given = value[i];
            tx.run(
                "INSERT INTO svc_trip_highlights (trip_id, sort_order, title, description, icon)"
                " VALUES (:trip_id, :sort_order, :title, :description, :icon)",
                {{"trip_id", trip.id},
                 {"sort_order", static_cast<std::int64_t>(i)},
                 {"title", details_ ? given["title"].text() : given.text()},
                 {"description", text::clean_lines(given.text_or("description"))},
                 {"icon", given.text_or("icon")}});
        }
        return {};
    }

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        ItemsByTrip by_trip(take);
        store::each_row_of(session,
                           SVC_BY_IDS("SELECT trip_id, title, description, icon FROM svc_trip_highlights WHERE",
                                      "trip_id", "ORDER BY trip_id, sort_order"),
                           trip_ids,
                           [&](std::int64_t trip_id, const std::string& title, const std::string& description,
                               const std::string& icon) {
                               by_trip.of(trip_id).push(
                                   details_
                                       ? Value::object({{"title", title}, {"description", description}, {"icon", icon}})
                                       : Value(title));
                           });
        by_trip.finish();
    }

  private:
    bool details_;
};

class Faqs : public Part {
  public:
    [[nodiscard]] std::string_view name() const override { return "faqs"; }
    [[nodiscard]] api::Type body_type() const override {
        using namespace api;
        using api::text;
        return list(object("FaqInput", {{.name = "question", .type = api::text(500, 1), .required = true},
                                        {.name = "answer", .type = api::html(64 * 1024), .required = true},
                                        {.name = "category", .type = api::text(100).or_null()},
                                        {.name = "is_featured", .type = boolean(), .otherwise = Value(false)},
                                        {.name = "is_public", .type = boolean(), .otherwise = Value(true)},
                                        {.name = "order",
                                         .type = integer(0, 1'000'000'000).or_null(),
                                         .help = "Position; defaults to its place in the list."}}),
                    most_items);
    }
    [[nodiscard]] api::Type answer_type() const override {
        using namespace api;
        using api::text;
        return list(object("Faq", {{.name = "question", .type = api::text(500)},
                                   {.name = "answer", .type = api::html(512 * 1024)},
                                   {.name = "category", .type = api::text(100)},
                                   {.name = "is_featured", .type = boolean()},
                                   {.name = "is_public", .type = boolean()},
                                   {.name = "order", .type = integer(0)}}));
    }
    [[nodiscard]] Value public_value(const Value& staff) const override {
        Value faqs = Value::array();
        for (const Value& faq : staff.items())
            if (faq["is_public"].boolean())
                faqs.push(faq);
        return faqs;
    }

    [[nodiscard]] Result<void> check(store::Session& /*session*/, const Trip& /*trip*/, const Value& value,
                                     const Writing& /*writing*/) const override {
        for (const std::size_t i : in_order(value))
            SVC_RETURN_IF_ERROR(clean_answer(value, i));
        return {};
    }

    Result<void> write(store::Transaction& tx, const Trip& trip, const Value& value,
                       const Writing& /*writing*/) const override {
        tx.run("DELETE FROM svc_trip_faqs WHERE trip_id = :trip_id", {{"trip_id", trip.id}});
        std::int64_t place = 0;
        for (const std::size_t i : in_order(value)) {
            const Value& given = value[i];
            SVC_ASSIGN_OR_RETURN(const auto answer, clean_answer(value, i));
            tx.run(
                "INSERT INTO svc_trip_faqs (trip_id, sort_order, question, answer, category, is_featured, is_public)"
                " VALUES (:trip_id, :sort_order, :question, :answer, :category, :is_featured, :is_public)",
                {{"trip_id", trip.id},
                 {"sort_order", place++},
                 {"question", given["question"].text()},
                 {"answer", answer},
                 {"category", given.text_or("category")},
                 {"is_featured", given["is_featured"].boolean()},
                 {"is_public", given["is_public"].boolean()}});
        }
        return {};
    }

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        ItemsByTrip by_trip(take);
        store::each_row_of(session,
                           SVC_BY_IDS("SELECT trip_id, question, answer, category, is_featured, is_public"
                                      " FROM svc_trip_faqs WHERE",
                                      "trip_id", "ORDER BY trip_id, sort_order"),
                           trip_ids,
                           [&](std::int64_t trip_id, const std::string& question, const std::string& answer,
                               const std::string& category, bool is_featured, bool is_public) {
                               Value& items = by_trip.of(trip_id);
                               items.push(Value::object({{"question", question},
                                                         {"answer", answer},
                                                         {"category", category},
                                                         {"is_featured", is_featured},
                                                         {"is_public", is_public},
                                                         {"order", static_cast<std::int64_t>(items.size())}}));
                           });
        by_trip.finish();
    }

  private:
    static Result<std::string> clean_answer(const Value& faqs, std::size_t i) {
        std::string answer = html::clean_html(text::clean_lines(faqs[i]["answer"].text()));
        if (answer.empty())
            return invalid("faqs." + std::to_string(i + 1) + ".answer", "This field is required."_sentence);
        return answer;
    }
};

}  // namespace

Parts text_parts() {
    return {std::make_shared<Highlights>(false), std::make_shared<Highlights>(true), std::make_shared<Faqs>()};
}

}  // namespace svc::catalog::trips
