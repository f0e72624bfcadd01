// The features with facts of tables, lowest first.
#include "base/feature/facts.hpp"

#include "base/catalog/classifications/facts.hpp"
#include "base/catalog/downloads/facts.hpp"
#include "base/catalog/itineraries/facts.hpp"
#include "base/catalog/trips/facts.hpp"
#include "base/data/import_export/facts.hpp"
#include "base/messaging/facts.hpp"
#include "base/modules/facts.hpp"
#include "base/people/customers/facts.hpp"
#include "base/people/enquiries/facts.hpp"
#include "base/people/identity/facts.hpp"
#include "base/people/reviews/facts.hpp"
#include "base/platform/limits/facts.hpp"
#include "base/sales/availability/facts.hpp"
#include "base/sales/booking/facts.hpp"
#include "base/sales/discounts/facts.hpp"
#include "base/sales/payment/facts.hpp"
#include "base/settings/facts.hpp"

namespace svc::facts {

const Facts& of_base() {
    static const Facts facts = [] {
        std::vector<Table> all;
        for (auto* const of_feature :
             {limits::table_facts, settings::table_facts, modules::table_facts, identity::table_facts,
              customers::table_facts, catalog::classifications::table_facts, catalog::trips::table_facts,
              catalog::itineraries::table_facts, catalog::downloads::table_facts, availability::table_facts,
              discounts::table_facts, booking::table_facts, payment::table_facts, enquiries::table_facts,
              reviews::table_facts, messaging::table_facts, import_export::table_facts})
            for (Table& table : of_feature())
                all.push_back(std::move(table));
        return Facts(std::move(all));
    }();
    return facts;
}

}  // namespace svc::facts
