-- Bookings that staff took up before their guests had proven the address: their seats were given back after two days.
UPDATE svc_booking_departures SET hold_kind = 'firm', hold_expires_at = NULL
WHERE released_at IS NULL AND hold_kind = 'soft'
  AND booking_id IN (SELECT id FROM svc_bookings WHERE status NOT IN ('pending_verification', 'trash'));
