// One mapping from violations of the database's rules to sentences.
#include "base/data/import_export/row_faults.hpp"

#include "shared/json/sentence.hpp"

namespace svc::import_export {

Sentence sentences_of(const Error& error) { return sentences_of(error, json::Value::object()); }

Sentence sentences_of(const Error& error, const json::Value& columns) {
    if (error.fields().empty())
        return error.message();
    Sentence all;
    for (const FieldError& each : error.fields()) {
        const std::string column = columns.text_or(each.field, each.field);
        const Sentence one = "{column}: {sentence}"_sentence
                                 .with("column", column == each.field ? column : column + " (" + each.field + ")")
                                 .with("sentence", each.sentence);
        all = all.empty() ? one : "{one} {next}"_sentence.with("one", all).with("next", one);
    }
    return all;
}

void keep_failure(json::Value& failures, std::int64_t line, const Sentence& problem) {
    constexpr std::size_t most_kept = 100;
    if (!failures.is_array())
        failures = json::Value::array();
    if (failures.size() < most_kept)
        failures.push(json::Value::object({{"line", line}, {"problem", json::to_json(problem)}}));
}

Error is_here_already(std::string_view key) {
    constexpr SentenceId sentence = "There is such a record already."_sentence;
    return key.empty() ? Error{errc::conflict, sentence} : invalid(std::string(key), sentence);
}

Result<void> attempt_record(store::Transaction& tx, std::string_view key,
                            const std::function<Result<void>()>& store_record) {
    try {
        return tx.attempt(store_record);
    } catch (const store::UniqueViolation&) {
        return is_here_already(key);
    } catch (const store::ConstraintViolation&) {
        return Error{errc::validation_error, "The database rejects the values of this record."_sentence};
    }
}

bool is_rejected(const std::function<void()>& write) {
    try {
        write();
        return false;
    } catch (const store::UniqueViolation&) {
        return true;
    } catch (const store::ConstraintViolation&) {
        return true;
    }
}

}  // namespace svc::import_export
