// Travelers from rows of a table: their answers, by the reference of the booking and the traveler's id. Seats, money,
// categories and the number of travelers are the program's own and are left as they are.
#include "base/data/import_export/csv_kinds.hpp"
#include "base/platform/csv/cells.hpp"
#include "base/sales/booking/desk/traveler_columns.hpp"
#include "base/sales/booking/form/form.hpp"
#include "shared/api/rename_fields.hpp"
#include "shared/store/in_pages.hpp"
#include "shared/store/read_rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::import_export {
namespace {

using json::Value;

const char* const part_name = "booking_travelers";
constexpr std::int64_t most_renewed = 200;

// What the answers that an import replaced are sealed for.
std::string place_of(std::int64_t traveler_id) {
    return "svc_task_rows/" + std::string(part_name) + "/" + std::to_string(traveler_id) + "/before";
}

std::int64_t booking_of(store::Session& session, std::int64_t traveler_id) {
    return session.number("SELECT booking_id FROM svc_booking_travelers WHERE id = :id", {{"id", traveler_id}});
}

// How a cell of such a field is read; the form checks the text.
api::Type notation_of(const std::string& type) {
    return type == "date" ? api::date() : type == "checkbox" ? api::boolean() : api::raw_text(10'000);
}

const booking::Actor& importer() {
    static const booking::Actor actor{.kind = "admin", .through = "import"};
    return actor;
}

struct ColumnAnswer {
    std::string id, type;
};
using ColumnAnswers = std::map<std::string, ColumnAnswer>;  // by the name of the column

// Fills in the answers of the form, which have a column each.
api::Schema schema_of(const Value& form, ColumnAnswers& answers) {
    std::vector<api::Field> fields{{.name = "booking_reference",
                                    .type = api::text(40, 1),
                                    .help = "Reference of the booking.",
                                    .required = true,
                                    .also = {"reference"}},
                                   {.name = "traveler_id",
                                    .type = api::id(),
                                    .help = "The traveler's id, as files of travelers have it.",
                                    .required = true}};
    for (const auto& [id, type] : booking::form::answers_of_travelers(form)) {
        const std::string column = booking::column_of_answer(id);
        if (answers.emplace(column, ColumnAnswer{id, type}).second)
            fields.push_back({.name = column, .type = notation_of(type)});
    }
    return api::Schema(std::move(fields));
}

Result<std::int64_t> refuse_new(store::Transaction& tx, const Value& body) {
    const bool is_booked = tx.number("SELECT COUNT(*) FROM svc_bookings WHERE reference = :reference",
                                     {{"reference", body.text_or("booking_reference")}}) > 0;
    return is_booked ? invalid("traveler_id",
                               "The booking has no traveler with this id. An import creates no travelers."_sentence)
                     : invalid("booking_reference",
                               "There is no booking with this reference. An import creates no bookings."_sentence);
}

Value traveler_row(store::Session& session, std::int64_t id, const booking::Desk& desk, const ColumnAnswers& answers) {
    const auto reference =
        store::value<std::string>(session,
                                  "SELECT b.reference FROM svc_booking_travelers r JOIN svc_bookings b ON"
                                  " b.id = r.booking_id WHERE r.id = :id",
                                  {{"id", id}});
    if (!reference)
        return {};
    auto shown = Value::object({{"booking_reference", *reference}, {"traveler_id", id}});
    const Value stored = desk.answers_of(session, id);
    for (const auto& [column, answer] : answers)
        if (const Value* value = stored.find(answer.id); value && !value->is_null()) {
            const std::string text = value->is_string() ? value->text() : value->dump();
            shown.set(column, answer.type == "checkbox" ? csv::truth(text) : text);
        }
    return shown;
}

}  // namespace

CsvKind CsvKinds::travelers_kind(const Value& form) {
    const auto answers = std::make_shared<ColumnAnswers>();
    const api::Schema schema = schema_of(form, *answers);
    auto& desk = bookings_.desk;
    return {
        .name = "travelers",
        .part = part_name,
        .fields = schema,
        .whole = schema,
        .key = "traveler_id",
        .list = "/travelers",
        .edits = "svc_edit_bookings",
        .leaves_the_rest = true,
        .find = [](store::Session& session, const Value& body) -> std::optional<std::int64_t> {
            return store::value<std::int64_t>(
                session,
                "SELECT r.id FROM svc_booking_travelers r JOIN svc_bookings b ON b.id = r.booking_id"
                " WHERE r.id = :id AND b.reference = :reference",
                {{"id", body.maybe_integer("traveler_id").value_or(0)},
                 {"reference", body.text_or("booking_reference")}});
        },
        .create = refuse_new,
        .update = [&desk, answers](store::Transaction& tx, std::int64_t id, const Value& body) -> Result<void> {
            auto given = Value::object();
            for (const auto& [column, value] : body.members())
                if (const auto answer = answers->find(column); answer != answers->end())
                    given.set(answer->second.id, value);
            auto done = desk.edit_answers(tx, booking_of(tx, id), id, given, importer());
            return done ? Result<void>() : Result<void>(api::rename_fields(done.error(), [&](const std::string& field) {
                return given.find(field) ? booking::column_of_answer(field) : field;
            }));
        },
        .show = [&desk, answers](store::Session& session,
                                 std::int64_t id) { return traveler_row(session, id, desk, *answers); },
        .row = schema.changed([](api::Field& field) {
            if (field.type.shape == api::Shape::date || field.type.shape == api::Shape::boolean)
                field.type = api::raw_text(10'000);
        }),
        .names_row = {"booking_reference", "traveler_id"},
        .before =
            [this, &desk](store::Session& session, std::int64_t id) {
                return site_.keyring->seal(desk.answers_of(session, id).dump(), place_of(id));
            },
        .restore = [this, &desk](store::Transaction& tx, std::int64_t id, const std::string& before) -> Result<void> {
            SVC_ASSIGN_OR_RETURN(const auto text, site_.keyring->open(before, place_of(id)));
            SVC_ASSIGN_OR_RETURN(const auto former, json::parse(text));
            return desk.restore_answers(tx, booking_of(tx, id), id, former, importer());
        }};
}

Result<std::int64_t> CsvKinds::renew_sealed() const {
    struct Sealed {
        std::int64_t task_id = 0, traveler_id = 0;
        std::string old_id, before;
    };
    const auto tasks = site_.store.reading<std::vector<std::int64_t>>([](store::Session& session) {
        return store::numbers(session,
                              "SELECT DISTINCT task_id FROM svc_task_rows WHERE entity = :entity AND before IS NOT NULL"
                              " ORDER BY task_id",
                              {{"entity", part_name}});
    });
    std::int64_t count = 0;
    for (const std::int64_t task_id : tasks) {
        const auto some = store::in_pages(site_.store, [&](store::Transaction& tx, std::int64_t& last) {
            std::int64_t renewed = 0;
            for (const Sealed& row : store::all_rows(
                     tx,
                     "SELECT old_id, new_id, before FROM svc_task_rows WHERE task_id = :task AND entity = :entity AND"
                     " before IS NOT NULL AND new_id > :last ORDER BY new_id LIMIT :most",
                     {{"task", task_id}, {"entity", part_name}, {"last", last}, {"most", most_renewed}},
                     [&](const std::string&old_id, std::int64_t id, const std::string&before) {
                         return Sealed{task_id, id, old_id, before};
                     })) {
                last = row.traveler_id;
                if (const auto text = site_.keyring->renewed(row.before, place_of(row.traveler_id)))
                    renewed += tx.run(
                        "UPDATE svc_task_rows SET before = :text WHERE task_id = :task AND entity = :entity AND"
                        " old_id = :old AND before = :before",
                        {{"text", *text},
                         {"task", row.task_id},
                         {"entity", part_name},
                         {"old", row.old_id},
                         {"before", row.before}});
            }
            return renewed;
        });
        if (!some)
            return some.error();
        count += *some;
    }
    return count;
}

}  // namespace svc::import_export
