-- Until when an unpaid booking is to be paid, fixed as it becomes payable, and the day on which the rest of its price
-- is due. Bookings from before have neither: their deadline follows from booking_expiry_hours.
ALTER TABLE svc_bookings ADD COLUMN pay_by BIGINT;
ALTER TABLE svc_bookings ADD COLUMN rest_on TEXT;
