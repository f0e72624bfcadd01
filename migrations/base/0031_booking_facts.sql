-- What of a price is told beside its sums, and the forms that bookings were asked by, each text once.
CREATE TABLE svc_booking_forms (
    id {{id}},
    digest TEXT NOT NULL UNIQUE,
    form TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
ALTER TABLE svc_bookings ADD COLUMN form_id BIGINT REFERENCES svc_booking_forms (id);
ALTER TABLE svc_bookings ADD COLUMN coupon_code TEXT NOT NULL DEFAULT '';
-- Of all taxes together, in parts per million.
ALTER TABLE svc_bookings ADD COLUMN tax_rate_ppm BIGINT NOT NULL DEFAULT 0;
UPDATE svc_bookings SET coupon_code = COALESCE((SELECT d.code FROM svc_discount_redemptions r
    JOIN svc_discounts d ON d.id = r.discount_id WHERE r.booking_id = svc_bookings.id AND r.is_coupon = 1), '');
-- sqlite: UPDATE svc_bookings SET tax_rate_ppm = COALESCE((SELECT SUM(CAST(ROUND(json_extract(t.value, '$.rate') * 10000) AS INTEGER)) FROM json_each(svc_bookings.quote, '$.tax_calculation.tax_breakdown') t), 0);
-- postgresql: UPDATE svc_bookings SET tax_rate_ppm = COALESCE((SELECT SUM(CAST(ROUND(CAST(t ->> 'rate' AS NUMERIC) * 10000) AS BIGINT)) FROM json_array_elements(CAST(quote AS JSON) -> 'tax_calculation' -> 'tax_breakdown') t), 0);
