// Renders a record as JSON, takes what clients send, and declares both as schemas.
#include "shared/record/table.hpp"

namespace svc::record {
namespace {

api::Field input_of(const Column& column) {
    return {.name = column.name,
            .type = column.type,
            .help = column.help,
            .required = column.is(Mark::required),
            .also = column.mark.also,
            .otherwise = column.mark.otherwise};
}

json::Value shown(const Column& column, const void* record) {
    json::Value value = column.show ? column.show(record) : column.codec->json_of(column, record);
    const bool is_empty = value.is_string() && value.text().empty();
    return is_empty && column.is(Mark::null_if_empty) ? json::Value() : value;
}

}  // namespace

json::Value Table::to_json(const void* record) const {
    auto value = json::Value::object();
    for (const Column& column : columns_)
        if (column.is_shown())
            value.set(column.name, shown(column, record));
    return value;
}

api::Schema Table::create_schema() const {
    std::vector<api::Field> fields;
    for (const Column& column : columns_)
        if (column.is_written() && !column.is(Mark::update_only))
            fields.push_back(input_of(column));
    return api::Schema(std::move(fields)).named(layout_.component + "Create");
}

api::Schema Table::update_schema() const {
    std::vector<api::Field> fields;
    for (const Column& column : columns_)
        if (column.is_written() && !column.is(Mark::create_only))
            fields.push_back(input_of(column));
    if (has("row_version"))
        fields.push_back({.name = "row_version",
                          .type = api::integer(1).or_null(),
                          .help = "The version that was read; svc_conflict if the record changed since."});
    return api::Schema(std::move(fields)).partial().named(layout_.component + "Update");
}

api::Schema Table::answer_schema() const {
    std::vector<api::Field> fields;
    for (const Column& column : columns_)
        if (column.is_shown())
            fields.push_back({.name = column.name, .type = column.type, .help = column.help, .required = true});
    return api::Schema(std::move(fields)).named(layout_.component);
}

void Table::patch(void* record, const json::Value& body, bool is_new, Faults& faults) const {
    // Currencies first: amounts are read in them.
    for (const bool currencies : {true, false})
        for (const Column& column : columns_) {
            if (column.is_currency() != currencies)
                continue;
            if (!column.is_written() || column.is(is_new ? Mark::update_only : Mark::create_only))
                continue;
            const json::Value* given = body.find(column.name);
            if (!given)
                continue;
            if (column.take)
                column.take(record, *given, faults);
            else if (auto fault = column.codec->take(column, record, *given); !fault.empty())
                faults.at(column.name, std::move(fault));
        }
}

}  // namespace svc::record
