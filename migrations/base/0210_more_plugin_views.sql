-- More of what plugins read, one view for each of its rows in shared/plugin/CAPABILITIES.md; see 0110_plugin_views.sql.
CREATE VIEW svc_departure_v1 AS
SELECT id, trip_id, start_date, end_date, start_time, arrival_time, return_date, capacity, booked_count, waiting_seats,
    status, sale_state, guide_user_id, currency, regular_price_minor, sale_price_minor, cutoff_date, cutoff_hours,
    from_location, to_location, pickup_location, dropoff_location, created_at, updated_at, deleted_at
FROM svc_departures;

CREATE VIEW svc_customer_v1 AS
SELECT id, user_id, email, first_name, last_name, phone, country, preferred_language, status, source, newsletter_optin,
    newsletter_optin_at, marketing_optin, marketing_optin_at, created_at, updated_at, erased_at
FROM svc_customers;

-- Answers about health and papers are sealed beside `fields`; of a row from before there was sealing nothing is shown.
CREATE VIEW svc_traveler_v1 AS
SELECT id, booking_id, traveler_index, is_lead, category_id, CASE WHEN sealed IS NULL THEN '{}' ELSE fields END AS fields
FROM svc_booking_travelers;

-- The form half filled in is sealed: has_draft is 1 where there is one.
CREATE VIEW svc_checkout_v1 AS
SELECT id, user_id, trip_id, travel_date, departure_time, travelers, traveler_counts, payment_method, payment_gateway,
    coupon_code, country, services, CASE WHEN form_data = '' THEN 0 ELSE 1 END AS has_draft, status, booking_id,
    created_at, expires_at
FROM svc_booking_sessions;

CREATE VIEW svc_trip_v2 AS
SELECT id, title, slug, status, trip_type, duration_days, duration_nights, duration_hours, pricing_type, currency,
    regular_price_minor, discounted_price_minor, sale_price_minor, starting_location, ending_location,
    featured_image_id, is_featured, created_at, updated_at, deleted_at
FROM svc_trips;

CREATE VIEW svc_enquiry_v1 AS
SELECT id, trip_id, customer_id, booking_id, user_id, name, email, phone, message, travel_date, travelers_count, status,
    source, locale, responded_at, created_at, updated_at, deleted_at
FROM svc_enquiries;
