// Maps columns and reads cells.
#include "base/data/import_export/csv_table.hpp"

#include <algorithm>

#include "base/data/import_export/csv_headings.hpp"
#include "shared/core/text.hpp"
#include "shared/json/sentence.hpp"

namespace svc::import_export {
namespace {

using json::Value;

// What people write at an amount, the longer ones first.
std::vector<std::string> signs_of(Currency currency) {
    struct Of {
        std::string_view code;
        std::vector<std::string> signs;
    };
    static const std::vector<Of> all{{"USD", {"US$", "$"}},
                                     {"EUR", {"\u20AC", "Euro"}},
                                     {"GBP", {"\u00A3"}},
                                     {"CHF", {"SFr.", "Fr.", "Fr"}},
                                     {"JPY", {"\u00A5", "\uFFE5"}},
                                     {"CNY", {"\u00A5", "\uFFE5"}},
                                     {"CZK", {"K\u010D"}},
                                     {"PLN", {"z\u0142"}},
                                     {"HUF", {"Ft"}},
                                     {"SEK", {"kr.", "kr"}},
                                     {"NOK", {"kr.", "kr"}},
                                     {"DKK", {"kr.", "kr"}},
                                     {"INR", {"\u20B9", "Rs.", "Rs"}},
                                     {"NPR", {"Rs.", "Rs"}},
                                     {"LKR", {"Rs.", "Rs"}},
                                     {"THB", {"\u0E3F"}},
                                     {"TRY", {"\u20BA"}},
                                     {"UAH", {"\u20B4"}},
                                     {"RUB", {"\u20BD"}},
                                     {"KRW", {"\u20A9"}},
                                     {"VND", {"\u20AB"}},
                                     {"ILS", {"\u20AA"}},
                                     {"PHP", {"\u20B1"}},
                                     {"BRL", {"R$"}},
                                     {"AUD", {"A$", "$"}},
                                     {"CAD", {"C$", "CA$", "$"}},
                                     {"NZD", {"NZ$", "$"}},
                                     {"SGD", {"S$", "$"}},
                                     {"HKD", {"HK$", "$"}},
                                     {"MXN", {"MX$", "$"}},
                                     {"ARS", {"$"}},
                                     {"CLP", {"$"}},
                                     {"COP", {"$"}},
                                     {"ZAR", {"R"}},
                                     {"IDR", {"Rp"}}};
    std::vector<std::string> signs{std::string(currency.code())};
    for (const Of& of : all)
        if (of.code == currency.code())
            signs.insert(signs.end(), of.signs.begin(), of.signs.end());
    return signs;
}

char first_of(const std::string& text, char otherwise) { return text.size() == 1 ? text.front() : otherwise; }

// A spreadsheet program makes numbers of them, and short ones of long numbers.
bool is_number_by_name(std::string_view name) {
    return name.find("phone") != std::string_view::npos || name.find("postal") != std::string_view::npos ||
           name.find("zip") != std::string_view::npos || name.find("passport") != std::string_view::npos;
}

}  // namespace

CsvTable::CsvTable(const CsvKind& kind, const settings::SiteSettings& settings, const Value& options)
    : kind_(kind),
      origin_{.encoding = options.text_or("encoding"),
              .language = settings.text("site_language"),
              .country = settings.text("company_country")},
      amounts_{.decimal = first_of(settings.text("decimal_separator"), '.'),
               .thousands = first_of(settings.text("thousand_separator"), ','),
               .signs = signs_of(settings.currency()),
               .has_three_decimals = settings.currency().exponent() == 3},
      days_(csv::DayForm::any),
      zone_(settings.zone()) {
    const std::string form = options.text_or("date_form");
    const auto chosen = std::find(std::begin(csv::day_form_names), std::end(csv::day_form_names), form);
    days_ = chosen == std::end(csv::day_form_names) || form == "any"
                ? csv::day_form_of(settings.text("date_format"))
                : static_cast<csv::DayForm>(chosen - std::begin(csv::day_form_names));
}

std::vector<std::string> CsvTable::names_of(const csv::Row& cells) {
    std::vector<std::string> names;
    for (const std::string& cell : cells)
        names.push_back(text::clean(cell));
    return names;
}

Result<void> CsvTable::take_head(const csv::Row& cells, const Value& mapping) {
    columns_ = names_of(cells);
    fields_.clear();
    for (std::size_t at = 0; at < columns_.size(); ++at) {
        const std::string& column = columns_[at];
        const Value* name = mapping.find(column);
        const bool is_second = std::find(columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(at),
                                         column) != columns_.begin() + static_cast<std::ptrdiff_t>(at);
        if (!name || !name->is_string() || name->text().empty() || is_second) {
            fields_.push_back(nullptr);
            continue;
        }
        const api::Field* field = field_like(kind_.fields, name->text());
        if (!field)
            return invalid("mapping",
                           "The column ''{column}'' is mapped to ''{name}'', which is no field of {name2}."_sentence
                               .with("column", column)
                               .with("name", name->text())
                               .with("name2", kind_.name));
        const auto same = std::find(fields_.begin(), fields_.end(), field);
        if (same != fields_.end())
            return invalid(
                "mapping",
                "The columns ''{columns}'' and ''{column}'' are both mapped to ''{name}''. Map one of them."_sentence
                    .with("columns", columns_[static_cast<std::size_t>(same - fields_.begin())])
                    .with("column", column)
                    .with("name", field->name));
        fields_.push_back(field);
    }
    return {};
}

std::string CsvTable::in_our_notation(const api::Field& field, const std::string& cell) const {
    switch (field.type.shape) {
        case api::Shape::decimal: {
            csv::Amounts form = amounts_;
            form.has_three_decimals = form.has_three_decimals || field.type.most < 1000;  // coordinates, percents
            return csv::amount(cell, form);
        }
        case api::Shape::integer: {
            std::string number = csv::amount(cell, amounts_);
            const auto point = number.find('.');
            if (point != std::string::npos && number.find_first_not_of('0', point + 1) == std::string::npos)
                number.resize(point);
            return number;
        }
        case api::Shape::date:
            return csv::day(cell, days_);
        case api::Shape::instant: {
            // A day and a clock time are the site's.
            const auto gap = cell.find(' ');
            const auto date = Date::parse(csv::day(cell.substr(0, gap), days_));
            const auto time =
                gap == std::string::npos ? std::nullopt : ClockTime::parse(csv::clock_time(cell.substr(gap + 1)));
            return date && time ? zone_.instant_of(*date, *time).text() : cell;
        }
        case api::Shape::time:
            return csv::clock_time(cell);
        case api::Shape::boolean:
            return csv::truth(cell);
        default:
            return cell;
    }
}

Value CsvTable::line(std::size_t number, const csv::Row& cells) const {
    auto fields = Value::object(), faults = Value::object();
    for (std::size_t i = 0; i < std::min(cells.size(), columns_.size()); ++i) {
        const api::Field* field = fields_[i];
        if (!field || cells[i].empty())
            continue;
        const std::string cell = csv::plain(cells[i]);
        if (is_number_by_name(field->name) && csv::is_shortened(cell))
            faults.set(
                field->name,
                json::to_json(kind_.names_row.empty()
                                  ? "A spreadsheet program has shortened this number to {cell}. Format the"
                                    " column as text there, and type the number again."_sentence.with("cell", cell)
                                  : Sentence("A spreadsheet program has shortened this number. Format the"
                                             " column as text there, and type the number again."_sentence)));
        fields.set(field->name, in_our_notation(*field, cell));
    }
    auto line = Value::object({{"line", static_cast<std::int64_t>(number)}, {"fields", std::move(fields)}});
    if (faults.size() > 0)
        line.set("faults", std::move(faults));
    return line;
}

Value CsvTable::columns_by_field() const {
    auto columns = Value::object();
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (fields_[i])
            columns.set(fields_[i]->name, columns_[i]);
    return columns;
}

void CsvTable::count_ignored(const csv::Row& cells) {
    for (std::size_t i = 0; kind_.leaves_the_rest && i < std::min(cells.size(), columns_.size()); ++i)
        if (!cells[i].empty() && !fields_[i])
            ignored_.set(columns_[i], ignored_.maybe_integer(columns_[i]).value_or(0) + 1);
}

}  // namespace svc::import_export
