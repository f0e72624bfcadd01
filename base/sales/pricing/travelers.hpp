// The price of the travelers, before and after discounts: steps 3 to 7 of the pipeline.
#pragma once

#include "base/sales/pricing/listeners.hpp"
#include "base/sales/pricing/quote.hpp"

namespace svc::pricing {

// The travelers priced in one way: by dynamic prices or without them, with discounts or without.
struct Way {
    std::vector<Line> lines;  // of the travelers
    Money base, subtotal;
    std::optional<Applied> group, coupon;
    std::optional<Error> coupon_error;
    bool code_set_aside = false;  // the code is good, and this price does without it

    [[nodiscard]] Money left() const;
};

using Groups = std::vector<std::shared_ptr<const discounts::Discount>>;

// The price of a trip's travelers by each of two prices; see Stacking.
class Travelers {
  public:
    Travelers(const catalog::trips::Trip& trip, const Request& request, const Terms& terms, const Groups& groups,
              const Listeners& listeners)
        : trip_(trip), request_(request), terms_(terms), groups_(groups), listeners_(listeners) {}

    // The errors of category_lines.
    Result<Way> priced();
    // The lines before dynamic prices; after priced().
    [[nodiscard]] const std::vector<Line>& list_price_lines() const { return listed_; }

  private:
    Result<std::vector<Line>> lines(bool dynamic) const;
    [[nodiscard]] Money unit_price(const catalog::trips::PricePair& listed, std::int64_t category_id,
                                   bool dynamic) const;
    [[nodiscard]] Way way(std::vector<Line> lines, bool discounts) const;
    void take_group(Way& way) const;
    void take_coupon(Way& way) const;
    [[nodiscard]] std::optional<Error> coupon_fault(const Way& way, const Money& rest) const;
    void let_stack(Way& way) const;

    const catalog::trips::Trip& trip_;
    const Request& request_;
    const Terms& terms_;
    const Groups& groups_;
    const Listeners& listeners_;
    std::vector<Line> listed_;
};

// Scales the lines to a sum that a listener changed, so that they add up to the charged amount.
void spread(std::vector<Line>& lines, const Money& sum);
Money sum_of(const std::vector<Line>& lines, Currency currency);

}  // namespace svc::pricing
