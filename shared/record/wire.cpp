// Renders a record as JSON, takes what clients send, and declares both as schemas.
#include "shared/record/wire.hpp"

#include <stdexcept>

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

Wire::Wire(const Table& table) : table_(table) {
    const auto reject = [&table](const Column& column, const std::string& sentence) {
        throw std::logic_error("Record " + table.layout().table + ": " + column.name + " " + sentence);
    };
    for (const Column& column : table.columns()) {
        const bool of_clients = column.is_of_clients(true) || column.is_of_clients(false);
        if (column.mark.writes == Writes::unsaid && !column.is(Mark::hidden))
            reject(column, "does not say who writes it: by_client, by_server or by_other.");
        if (of_clients && column.is(Mark::hidden))
            reject(column, "is hidden, so clients cannot write it.");
        if (of_clients && !column.codec && !column.take)
            reject(column, "cannot be read from a body, so clients cannot write it.");
        if (!of_clients && (column.is(Mark::required) || column.mark.otherwise || !column.mark.also.empty()))
            reject(column, "is required, has a default or another name for clients, who do not write it.");
    }
}

bool Wire::is_same(const void* one, const void* other) const {
    return table_.is_stored_alike(one, other) && to_json(one) == to_json(other);
}

json::Value Wire::to_json(const void* record) const {
    auto value = json::Value::object();
    for (const Column& column : table_.columns())
        if (column.is_shown())
            value.set(column.name, shown(column, record));
    return value;
}

api::Schema Wire::create_schema() const {
    std::vector<api::Field> fields;
    for (const Column& column : table_.columns())
        if (column.is_of_clients(true))
            fields.push_back(input_of(column));
    return api::Schema(std::move(fields)).named(table_.layout().component + "Create");
}

api::Schema Wire::update_schema() const {
    std::vector<api::Field> fields;
    for (const Column& column : table_.columns())
        if (column.is_of_clients(false))
            fields.push_back(input_of(column));
    if (table_.has("row_version"))
        fields.push_back({.name = "row_version",
                          .type = api::integer(1).or_null(),
                          .help = "The version that was read; svc_conflict if the record changed since."});
    return api::Schema(std::move(fields)).partial().named(table_.layout().component + "Update");
}

api::Schema Wire::answer_schema() const {
    std::vector<api::Field> fields;
    for (const Column& column : table_.columns())
        if (column.is_shown())
            fields.push_back({.name = column.name, .type = column.type, .help = column.help, .required = true});
    return api::Schema(std::move(fields)).named(table_.layout().component);
}

void Wire::patch(void* record, const json::Value& body, bool is_new, Faults& faults) const {
    // Currencies first: amounts are read in them.
    for (const bool currencies : {true, false})
        for (const Column& column : table_.columns()) {
            if (column.is_currency() != currencies)
                continue;
            if (!column.is_of_clients(is_new))
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
