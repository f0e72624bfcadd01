// Documents of a booking that customers print: invoice, voucher, itinerary; and what they are made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/booking/booking.hpp"
#include "base/catalog/trips/trip.hpp"
#include "base/payment/payment.hpp"
#include "base/platform/pdf/pdf.hpp"
#include "base/settings/look.hpp"

namespace svc::documents {

enum class Kind : std::uint8_t { invoice, voucher, itinerary };

std::string file_name(Kind kind, std::string_view reference);  // "Invoice #SVC-1A2B3C4D.pdf"

using settings::Look;

struct Company {
    std::string name = {}, address = {}, email = {}, phone = {}, website = {}, vat_number = {};
};

// All that a document says, read at one moment.
struct Material {
    booking::Booking booking;
    std::vector<booking::Traveler> travelers = {};
    std::vector<booking::Line> lines = {};
    std::vector<payment::Payment> payments = {};       // oldest first
    std::optional<payment::Payment> payment = {};      // what the invoice is of; empty: pro forma
    std::optional<catalog::trips::Trip> trip = {};     // empty when it was removed for good
    json::Value trip_members = json::Value::object();  // of its parts: destinations, days, highlights
    json::Value contact = {};                          // what else the form asked of who booked, by field
    json::Value emergency = {};                        // who is to be called: name, phone, relationship
    Company company = {};
    Look look = {};
    std::vector<std::string> instructions = {};  // how to pay what is open, offline
    std::string verification_code = {};
    Date today = {};
};

std::vector<pdf::Block> invoice(const Material& material);
std::vector<pdf::Block> voucher(const Material& material);
std::vector<pdf::Block> itinerary(const Material& material);

// What a customer may have printed: of a booking that stands.
bool stands(const booking::Booking& booking);

// Pieces that several documents have.
std::string status_label(std::string_view status);              // "On hold"
std::vector<std::string> paragraphs_of(std::string_view html);  // plain, one a block
pdf::Facts travel_facts(const Material& material);
pdf::Table sums(const Material& material);  // from the subtotal to the balance

}  // namespace svc::documents
