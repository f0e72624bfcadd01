// The built-in texts of e-mails about enquiries and reviews.
#pragma once

#include <string_view>

namespace svc::messaging::texts {

inline constexpr std::string_view enquiry_admin =
    R"(<p>{{ customer_name }} has sent an enquiry.</p>
<table>
<tr><td>From</td><td>{{ customer_name }}, {{ customer_email }}</td></tr>
<tr><td>Phone</td><td>{{ customer_phone }}</td></tr>
<tr><td>Trip</td><td>{{ trip_name }}</td></tr>
<tr><td>Date</td><td>{{ enquiry_date }}</td></tr>
</table>
<p style="white-space: pre-line">{{ message }}</p>
<p><a href="{{ admin_url }}">Enquiry {{ enquiry_id }}</a></p>
)";

inline constexpr std::string_view enquiry_received =
    R"(<p>Dear {{ customer_name }},</p>
<p>Thank you for your enquiry. We will answer by e-mail.</p>
<p>You wrote on {{ enquiry_date }}:</p>
<p style="white-space: pre-line">{{ message }}</p>
<p>{{ site_name }}</p>
)";

inline constexpr std::string_view enquiry_response =
    R"(<p>Dear {{ customer_name }},</p>
<p style="white-space: pre-line">{{ response }}</p>
<p>{{ site_name }}</p>
<hr>
<p>You wrote on {{ enquiry_date }}:</p>
<p style="white-space: pre-line">{{ original_message }}</p>
)";

inline constexpr std::string_view review_request =
    R"(<p>Dear {{ customer_name }},</p>
<p>We hope you enjoyed {{ trip_name }}. How was it? Other travelers read what you write.</p>
<p><a href="{{ review_url }}">Write a review</a></p>
<p>{{ site_name }}</p>
)";

}  // namespace svc::messaging::texts
