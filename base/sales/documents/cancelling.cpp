// What a document says about cancelling: what its customer agreed to, with the days and amounts of the booking.
#include "base/sales/documents/document.hpp"

namespace svc::documents {

void add_cancelling(Blocks& blocks, const Material& material) {
    const auto& cancellation = material.cancellation;
    if (!cancellation || !material.money)
        return;
    Blocks section;
    for (std::string& sentence : booking::dated_sentences(cancellation->agreed.terms, cancellation->booking.fare,
                                                          {.locale = material.words.locale, .look = material.look}))
        section.emplace_back(pdf::Paragraph{.text = std::move(sentence), .listed = true});
    const std::string& policy = cancellation->agreed.policy;
    if (policy.find('<') == std::string::npos && !policy.empty())
        section.emplace_back(pdf::Paragraph{.text = policy});
    else
        for (Paragraph& one : paragraphs_of(policy))
            section.emplace_back(pdf::Paragraph{.text = std::move(one.text), .listed = one.is_item});
    add_section(blocks, material.words.say_text("If you have to cancel"), std::move(section));
}

}  // namespace svc::documents
