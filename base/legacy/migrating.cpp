// Stages an export and migrates it in batches.
#include "base/legacy/migrating.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/platform/csv/csv.hpp"
#include "base/platform/store/changes.hpp"
#include "base/transfer/file_pieces.hpp"
#include "shared/core/text.hpp"

namespace svc::legacy {
namespace {

using catalog::classifications::Type;
using json::Value;
using tools::Task;

constexpr std::size_t rows_at_once = 100, longest_row = 4 << 20;
constexpr json::Limits staged_limits{.depth = 16, .elements = 20'000, .text = 4 << 20};

// Appends lines to the files of their kinds, a megabyte at a time.
class Stage {
  public:
    explicit Stage(std::function<std::string(std::string_view)> file_of) : file_of_(std::move(file_of)) {}
    Result<void> add(const std::string& kind, const Value& fields) {
        Lines& of = kinds_[kind];
        fields.dump_to(of.text);
        of.text += '\n';
        ++of.total;
        return of.text.size() > (1U << 20U) ? flush(kind, of) : Result<void>();
    }
    Result<Value> finish() {
        auto totals = Value::object();
        for (auto& [kind, of] : kinds_) {
            if (auto written = flush(kind, of); !written)
                return written.error();
            totals.set(kind, of.total);
        }
        return totals;
    }

  private:
    struct Lines {
        std::string text;
        std::int64_t bytes = 0, total = 0;
    };
    Result<void> flush(const std::string& kind, Lines& of) {
        auto written = transfer::append_at(file_of_(kind), of.bytes, of.text);
        of.bytes += static_cast<std::int64_t>(of.text.size());
        of.text.clear();
        return written;
    }
    std::function<std::string(std::string_view)> file_of_;
    std::map<std::string, Lines> kinds_;
};

Type type_of(std::string_view kind) {
    return kind == "destinations" ? Type::destination : kind == "activities" ? Type::activity : Type::trip_category;
}

// Texts that no field holds are made to fit: a former installation had other rules.
Value fitted(const api::Schema& schema, const Value& fields) {
    auto fit = Value::object();
    for (const auto& [name, value] : fields.members()) {
        const api::Field* field = schema.find(name);
        if (!field)
            continue;
        Value kept = value;
        if (value.is_string() && field->type.shape == api::Shape::text)
            kept = text::first(value.text(), field->type.longest);
        if (field->type.check(kept, name, true))
            fit.set(name, std::move(kept));
    }
    return fit;
}

}  // namespace

std::string Migrating::file_of(std::string_view kind) const {
    return tasks_.path_of("legacy." + std::string(kind) + ".jsonl");
}

void Migrating::clear() const {
    std::error_code ignored;
    for (const std::string_view kind : kind_names)
        std::filesystem::remove(file_of(kind), ignored);
    std::filesystem::remove(tasks_.path_of("legacy.json"), ignored);
}

Value Migrating::staged_totals() const {
    std::ifstream file(tasks_.path_of("legacy.json"));
    const auto totals = json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
    return totals && totals->is_object() ? *totals : Value::object();
}

Result<void> Migrating::keep_totals(const Value& totals) const {
    return transfer::append_at(tasks_.path_of("legacy.json"), 0, totals.dump());
}

Result<Value> Migrating::stage(const std::string& path) const {
    clear();
    Stage stage([this](std::string_view kind) { return file_of(kind); });
    if (auto read = read_wxr(path,
                             [&](const Item& item) -> Result<void> {
                                 const auto one = staged(item);
                                 return one ? stage.add(one->kind, one->fields) : Result<void>();
                             });
        !read) {
        clear();
        return read.error();
    }
    auto totals = stage.finish();
    if (!totals)
        return totals;
    if (auto kept = keep_totals(*totals); !kept)
        return kept.error();
    return totals;
}

Result<Value> Migrating::stage_table(const std::string& path, const std::string& kind) const {
    std::ifstream file(path, std::ios::binary);
    const std::string text = csv::in_utf8(std::string{std::istreambuf_iterator<char>(file), {}});
    std::error_code ignored;
    std::filesystem::remove(file_of(kind), ignored);
    Stage stage([this](std::string_view name) { return file_of(name); });
    std::vector<std::string> columns;
    if (auto read = csv::read(text, csv::separator_of(text),
                              [&](std::size_t, const csv::Row& cells) -> Result<void> {
                                  if (columns.empty()) {
                                      for (const std::string& cell : cells)
                                          columns.push_back(text::folded(text::clean(cell)));
                                      return {};
                                  }
                                  auto fields = Value::object();
                                  for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
                                      if (!cells[i].empty() && !columns[i].empty())
                                          fields.set(columns[i], cells[i]);
                                  return stage.add(kind, fields);
                              });
        !read)
        return read.error();
    auto fresh = stage.finish();
    if (!fresh)
        return fresh;
    Value totals = staged_totals();
    totals.set(kind, fresh->maybe_integer(kind).value_or(0));
    if (auto kept = keep_totals(totals); !kept)
        return kept.error();
    return totals;
}

Result<Migrating::Came> Migrating::take_class(store::Transaction& tx, std::string_view kind,
                                              const Value& fields) const {
    const Type type = type_of(kind);
    const std::string slug = fields.text_or("slug", text::slug_of(fields.text_or("name"), 100));
    if (tx.number("SELECT COUNT(*) FROM svc_classifications WHERE type = :type AND slug = :slug",
                  {{"type", catalog::classifications::name_of(type)}, {"slug", slug}}) > 0)
        return Came::skipped;
    auto made = lower_.classifications.service.create(tx, type, fields);
    return made ? Result<Came>(Came::migrated) : Result<Came>(made.error());
}

Result<Migrating::Came> Migrating::take_coupon(store::Transaction& tx, const Value& fields) const {
    const auto& resource = lower_.discounts.service.resource();
    const auto body = discounts::discount_record().create_schema().check(fields, true);
    if (!body)
        return body.error();
    if (tx.number("SELECT COUNT(*) FROM svc_discounts WHERE UPPER(code) = UPPER(:code)",
                  {{"code", body->text_or("code")}}) > 0)
        return Came::skipped;
    auto made = resource.create(tx, {}, *body, {.user_id = std::nullopt, .now = site_.clock.now()});
    return made ? Result<Came>(Came::migrated) : Result<Came>(made.error());
}

Result<Migrating::Came> Migrating::take_enquiry(store::Transaction& tx, const Value& fields) const {
    const auto& record = enquiries::enquiry_record();
    const auto body = record.create_schema().check(fields, true);
    if (!body)
        return body.error();
    if (tx.number("SELECT COUNT(*) FROM svc_enquiries WHERE email_lower = :email AND message = :message",
                  {{"email", text::folded(body->text_or("customer_email"))}, {"message", body->text_or("message")}}) >
        0)
        return Came::skipped;
    enquiries::Enquiry enquiry;
    Faults faults;
    record.patch(&enquiry, *body, true, faults);
    enquiry.source = "migration";
    enquiry.status = enquiries::Status::read;
    record.insert(tx, enquiry, {.user_id = std::nullopt, .now = site_.clock.now()});
    return Came::migrated;
}

// Trips, customers and dates go through the rules of staff's input.
Result<Migrating::Came> Migrating::take_by_rules(store::Transaction& tx, std::string_view kind, Value fields,
                                                 bool force) const {
    const auto& by = *lower_.csv.named(kind == "tour_dates" ? "departures" : kind);
    for (const auto& [member, type] : {std::pair{"destinations", Type::destination},
                                       {"activity_types", Type::activity},
                                       {"trip_category", Type::trip_category}}) {
        const Value* slugs = fields.find(member);
        if (!slugs || !slugs->is_array())
            continue;
        auto ids = Value::array();
        for (const Value& slug : slugs->items())
            if (const auto id = tx.number("SELECT id FROM svc_classifications WHERE type = :type AND slug = :slug",
                                          {{"type", catalog::classifications::name_of(type)}, {"slug", slug.text()}});
                id > 0)
                ids.push(id);
        fields.set(member, std::move(ids));
    }
    const auto body = by.whole.check(fitted(by.whole, fields), true);
    if (!body)
        return body.error();
    if (const auto id = by.find(tx, *body)) {
        if (!force)
            return Came::skipped;
        auto done = by.update(tx, *id, *body);
        return done ? Result<Came>(Came::migrated) : Result<Came>(done.error());
    }
    auto made = by.create(tx, *body);
    return made ? Result<Came>(Came::migrated) : Result<Came>(made.error());
}

Result<Migrating::Came> Migrating::take(store::Transaction& tx, std::string_view kind, const Value& fields,
                                        bool force) const {
    if (kind == "destinations" || kind == "activities" || kind == "trip_categories")
        return take_class(tx, kind, fields);
    if (kind == "coupons")
        return take_coupon(tx, fields);
    if (kind == "enquiries")
        return take_enquiry(tx, fields);
    return take_by_rules(tx, kind, fields, force);
}

Result<bool> Migrating::step(Task& task) const {
    if (!task.state.find("kind")) {
        const Value totals = staged_totals();
        for (const std::string& kind : task.data_types)
            task.total += totals.maybe_integer(kind).value_or(0);
        task.state = Value::object({{"kind", 0}, {"at", 0}, {"line", 0}, {"errors_bytes", 0}});
    }
    const auto at = static_cast<std::size_t>(task.state["kind"].integer());
    if (at >= task.data_types.size()) {
        static_cast<void>(caches_.clear({}));
        auto told = site_.store.write([&](store::Transaction& tx) -> Result<void> {
            store::touch(tx, caches::changes_channel);
            tasks_.save(tx, task);
            return {};
        });
        return told ? Result<bool>(false) : Result<bool>(told.error());
    }
    const std::string kind = task.data_types[at];
    const auto lines = transfer::lines_at(file_of(kind), task.state["at"].integer(), rows_at_once, longest_row);
    const bool force = task.options.maybe_boolean("force").value_or(false);
    const bool dry = task.options.maybe_boolean("dry_run").value_or(false);
    const Task before = task;
    std::int64_t migrated = 0, skipped = 0, failed = 0;
    std::string errors;
    bool rolled_back = false;
    const auto close = [&](store::Transaction& tx) -> Result<void> {
        task = before;
        task.processed += static_cast<std::int64_t>(lines.lines.size());
        task.errors += failed;
        Value of = task.stats[kind].is_object() ? task.stats[kind] : Value::object();
        for (const auto& [name, count] : {std::pair{"total", static_cast<std::int64_t>(lines.lines.size())},
                                          {"migrated", migrated},
                                          {"skipped", skipped},
                                          {"failed", failed}})
            of.set(name, of.maybe_integer(name).value_or(0) + count);
        task.stats.set(kind, std::move(of));
        task.state.set("kind", static_cast<std::int64_t>(at) + (lines.is_end ? 1 : 0));
        task.state.set("at", lines.is_end ? 0 : lines.next);
        task.state.set(
            "line", lines.is_end ? 0 : before.state["line"].integer() + static_cast<std::int64_t>(lines.lines.size()));
        if (!errors.empty()) {
            task.errors_file = task.key + ".errors.csv";
            const auto from = before.state["errors_bytes"].integer();
            const std::string text = (before.errors == 0 ? "kind,record,problem\r\n" : "") + errors;
            if (auto written = transfer::append_at(tasks_.path_of(task.errors_file), from, text); !written)
                return written;
            task.state.set("errors_bytes", from + static_cast<std::int64_t>(text.size()));
        }
        tasks_.save(tx, task);
        return {};
    };
    auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        migrated = skipped = failed = 0;
        errors.clear();
        std::int64_t line = before.state["line"].integer();
        for (const std::string& text : lines.lines) {
            ++line;
            std::string problem;
            try {
                auto done = tx.attempt([&]() -> Result<void> {
                    const auto fields = json::parse(text, staged_limits);
                    if (!fields || !fields->is_object())
                        return Error{errc::validation_error, "The record cannot be read."};
                    const auto came = take(tx, kind, *fields, force);
                    if (!came)
                        return came.error();
                    ++(*came == Came::migrated ? migrated : skipped);
                    return {};
                });
                if (!done) {
                    problem = done.error().message();
                    for (const FieldError& each : done.error().fields())
                        problem += " " + each.field + ": " + each.sentence;
                }
            } catch (const store::ConstraintViolation&) {
                problem = "The database rejects the values of this record.";
            } catch (const store::UniqueViolation&) {
                problem = "There is such a record already.";
            }
            if (problem.empty())
                continue;
            ++failed;
            std::replace(problem.begin(), problem.end(), '"', '\'');
            errors += kind + "," + std::to_string(line) + ",\"" + problem + "\"\r\n";
        }
        if (dry) {
            rolled_back = true;
            return errc::conflict;
        }
        return close(tx);
    });
    if (rolled_back)
        written = site_.store.write(close);
    if (!written) {
        task = before;
        return written.error();
    }
    return true;
}

}  // namespace svc::legacy
