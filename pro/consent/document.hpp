// A signed consent on paper: the text, the answers, the signature, and a page that proves how it was signed.
#pragma once

#include "pro/consent/signed.hpp"

namespace svc::pro::consent {

// As svc.documents/1 takes it. `with_health` false: answers about health are masked. Equal copies give equal bytes.
json::Value document_of(const Copy& copy, bool with_health, const Zone& zone, const Look& look);

// The member ("signature_data" or "initials_data") whose picture nobody can show, for which the document is refused:
// its chunks are whole and its pixels are not. Null: it is refused for something else.
const char* unreadable_picture(const Error& error, const json::Value& document, const Marks& marks);

// "Consent-SVC-7K3M9Q2P-2.pdf": the traveler's number, 0 for the contact.
std::string file_name_of(const SignedConsent& row);

}  // namespace svc::pro::consent
