// Departures as a member of their trip. They are written by routes of their own.
#include "base/availability/trip_part.hpp"

#include "base/availability/departure_wire.hpp"
#include "base/availability/repository.hpp"

namespace svc::availability {
namespace {

constexpr std::int64_t most_told = 1000;

class DatesPart final : public catalog::trips::Part {
  public:
    DatesPart(const settings::Settings& settings, const Clock& clock) : settings_(settings), clock_(clock) {}

    [[nodiscard]] std::string_view name() const override { return "availability_dates"; }
    [[nodiscard]] bool is_written() const override { return false; }
    [[nodiscard]] bool is_content() const override { return false; }
    [[nodiscard]] api::Type written() const override { return answered(); }
    [[nodiscard]] api::Type answered() const override { return api::list(sale_answer(), most_told); }

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        const Date today = settings_.zone().date_at(clock_.now());
        for (const std::int64_t id : trip_ids) {
            auto dates = json::Value::array();
            for (const Departure& departure :
                 rows::list(session, {.trip_id = id, .from = today, .limit = most_told, .today = today}))
                dates.push(to_sale_json(departure));
            take(id, std::move(dates));
        }
    }

    Result<void> write(store::Transaction& /*tx*/, const catalog::trips::Trip& /*trip*/, const json::Value& /*value*/,
                       const Writing& /*writing*/) const override {
        return {};
    }

  private:
    const settings::Settings& settings_;
    const Clock& clock_;
};

}  // namespace

std::shared_ptr<const catalog::trips::Part> make_dates_part(const settings::Settings& settings, const Clock& clock) {
    return std::make_shared<DatesPart>(settings, clock);
}

}  // namespace svc::availability
