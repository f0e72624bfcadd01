// Cancellation terms as people read them, in whole sentences of their language.
#pragma once

#include <string>
#include <vector>

#include "base/sales/booking/cancellation/terms.hpp"
#include "base/settings/values/look.hpp"

namespace svc::booking {

struct CancellationReader {
    std::string locale = "en";
    settings::Look look = {};
};

// Of a trip, whose departure is not chosen: "Cancelling is free until 14 days before departure.", one for each row.
std::vector<std::string> sentences_of(const CancellationTerms& terms, const CancellationReader& reader);
// Of a booking, with days and amounts: "Until Thu, 3 December 2026, cancelling costs USD 120."
std::vector<std::string> dated_sentences(const CancellationTerms& terms, const CancellationFare& fare,
                                         const CancellationReader& reader);
// "Free cancellation until Thu, 15 December 2026"; empty where that day is over, or there is none.
std::string free_sentence(const CancellationTerms& terms, Date departs, Date today, const CancellationReader& reader);

// What cancelling costs now, and what would come back of the money that was paid; without the decision, which is
// staff's.
struct CancellationBill {
    Money total, fee, paid, returned;
};
std::string fee_sentence(const CancellationBill& bill, const CancellationReader& reader);
std::string return_sentence(const CancellationBill& bill, const CancellationReader& reader);

}  // namespace svc::booking
