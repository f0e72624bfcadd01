-- Answers about health and papers, sealed (base/sales/booking/sealing.hpp); no longer among the plain ones beside them. NULL:
-- written before there was sealing, the plain ones may hold some; empty: there are none.
ALTER TABLE svc_booking_travelers ADD COLUMN sealed TEXT;
ALTER TABLE svc_bookings ADD COLUMN contact_sealed TEXT;
ALTER TABLE svc_bookings ADD COLUMN emergency_sealed TEXT;
-- What is still to be sealed. Empty from then on.
CREATE INDEX svc_booking_travelers_unsealed ON svc_booking_travelers (id) WHERE sealed IS NULL;
CREATE INDEX svc_bookings_unsealed ON svc_bookings (id) WHERE contact_sealed IS NULL;
