-- What is true of the database at rest, whatever has happened. Each statement answers the rows that break it.

-- Seats taken are the sum of the live seat links.
SELECT d.id, d.booked_count FROM svc_departures d
 WHERE d.booked_count <> COALESCE((SELECT SUM(l.seats) FROM svc_booking_departures l
                                    WHERE l.departure_id = d.id AND l.released_at IS NULL), 0);

-- Nobody holds a seat that is not there, unless staff said that one departure may be overbooked.
SELECT id, booked_count, capacity FROM svc_departures
 WHERE booked_count < 0 OR (booked_count > capacity AND capacity_override = 0);

-- A departure's status is what its last day and its seats say.
SELECT id, status FROM svc_departures
 WHERE (status = 'full' AND booked_count < capacity) OR (status = 'upcoming' AND booked_count >= capacity);

-- A booking holds seats exactly while its status does, for as many as it has travelers, or for fewer where some
-- categories take none; a guest who has not proven the address in time holds none.
SELECT b.id, b.status FROM svc_bookings b
  LEFT JOIN svc_booking_departures l ON l.booking_id = b.id AND l.released_at IS NULL
 WHERE (b.status IN ('pending', 'pending_verification', 'confirmed', 'processing', 'completed', 'on-hold')
        AND ((l.id IS NULL AND b.status <> 'pending_verification') OR l.seats > b.travelers_count
             OR (l.seats < b.travelers_count
                 AND NOT EXISTS (SELECT 1 FROM svc_settings s WHERE s.key = 'seat_hold_categories_excluded'))))
    OR (b.status IN ('waitlist', 'cancelled', 'failed', 'refunded', 'trash') AND l.id IS NOT NULL);

-- Who waits is in a waitlist, once, and holds no seat; who does not wait is in none.
SELECT b.id, b.status FROM svc_bookings b
 WHERE (b.status = 'waitlist')
    <> EXISTS (SELECT 1 FROM svc_waitlist w WHERE w.booking_id = b.id AND w.ended_at IS NULL);

-- A departure knows how many seats are waited for.
SELECT d.id, d.waiting_seats FROM svc_departures d
 WHERE d.waiting_seats <> (SELECT COALESCE(SUM(w.seats), 0) FROM svc_waitlist w
                            WHERE w.departure_id = d.id AND w.ended_at IS NULL);

-- No more are named than travel, and one of them at most is the lead.
SELECT t.booking_id FROM svc_booking_travelers t JOIN svc_bookings b ON b.id = t.booking_id
 GROUP BY t.booking_id, b.travelers_count HAVING COUNT(*) > b.travelers_count OR SUM(t.is_lead) > 1;

-- One live seat link a booking.
SELECT booking_id FROM svc_booking_departures WHERE released_at IS NULL GROUP BY booking_id HAVING COUNT(*) > 1;

-- The amount paid is the sum of the completed payments without what went back.
SELECT b.id, b.amount_paid_minor FROM svc_bookings b
 WHERE b.amount_paid_minor <> COALESCE((SELECT SUM(p.amount_minor - p.refunded_minor) FROM svc_payments p
                                         WHERE p.booking_id = b.id AND p.status = 'completed'), 0);

-- Payment status and sums agree.
SELECT id, payment_status FROM svc_bookings
 WHERE (payment_status = 'paid') <> (amount_paid_minor >= total_minor
                                      AND NOT (payment_status = 'refunded' AND amount_paid_minor = 0))
    OR (payment_status = 'partial') <> (amount_paid_minor > 0 AND amount_paid_minor < total_minor);

-- What went back of a payment is the sum of its completed refunds, and all of it makes the payment refunded.
SELECT p.id, p.refunded_minor FROM svc_payments p
 WHERE p.refunded_minor <> COALESCE((SELECT SUM(r.amount_minor) FROM svc_refunds r
                                      WHERE r.payment_id = p.id AND r.status = 'completed'), 0)
    OR (p.status = 'refunded') <> (p.refunded_minor = p.amount_minor);

-- A charge that succeeded has its payment, in its booking.
SELECT i.id FROM svc_payment_intents i
 WHERE i.status = 'succeeded'
   AND NOT EXISTS (SELECT 1 FROM svc_payments p WHERE p.intent_id = i.id AND p.booking_id = i.booking_id);

-- A payment's currency is its booking's.
SELECT p.id FROM svc_payments p JOIN svc_bookings b ON b.id = p.booking_id WHERE p.currency <> b.currency;

-- Every booking told the world of its making, once; but those of the samples, of which nobody is told.
SELECT b.id FROM svc_bookings b
  LEFT JOIN (SELECT subject_id, COUNT(*) AS told FROM svc_domain_events WHERE name = 'svc_booking_created'
              GROUP BY subject_id) e ON e.subject_id = b.id
 WHERE COALESCE(e.told, 0) <> 1
   AND NOT EXISTS (SELECT 1 FROM svc_sample_sales s WHERE s.kind = 'booking' AND s.row_id = b.id);

-- Each time that a booking was cancelled told the world, once; but a return from the trash, of which it was told before,
-- and samples.
SELECT b.id FROM svc_bookings b
  LEFT JOIN (SELECT subject_id, COUNT(*) AS told FROM svc_domain_events WHERE name = 'svc_booking_cancelled'
              GROUP BY subject_id) e ON e.subject_id = b.id
  LEFT JOIN (SELECT booking_id, COUNT(*) AS times FROM svc_booking_status_log
              WHERE to_status = 'cancelled' AND from_status NOT IN ('', 'trash') GROUP BY booking_id) l ON l.booking_id = b.id
 WHERE COALESCE(e.told, 0) <> COALESCE(l.times, 0)
   AND NOT EXISTS (SELECT 1 FROM svc_sample_sales s WHERE s.kind = 'booking' AND s.row_id = b.id);

-- Every completed payment told the world, once.
SELECT p.id FROM svc_payments p WHERE p.status = 'completed' AND p.completed_event_at IS NULL;

-- The lines of a booking add up to its total: exclusive tax is a line, inclusive tax is inside the others.
SELECT b.id, b.total_minor FROM svc_bookings b
 WHERE b.total_minor <> COALESCE((SELECT SUM(l.amount_minor) FROM svc_booking_lines l WHERE l.booking_id = b.id
                                     AND NOT (l.kind = 'tax' AND b.tax_inclusive = 1)), 0);

-- What counts as a use of a discount is a booking that was not given up.
SELECT r.id FROM svc_discount_redemptions r JOIN svc_bookings b ON b.id = r.booking_id
 WHERE r.status = 'active' AND b.status IN ('cancelled', 'failed', 'refunded', 'trash');

-- A converted session has its booking, and no other session has the same one.
SELECT id FROM svc_booking_sessions WHERE (status = 'converted') <> (booking_id IS NOT NULL);
SELECT booking_id FROM svc_booking_sessions WHERE booking_id IS NOT NULL GROUP BY booking_id HAVING COUNT(*) > 1;

-- What lists tell as the number of bookings is their number: what is kept and what was changed since, by status in all, by
-- payment status, by trip, by day and by hour.
SELECT 'all', c.word, c.number, c.status, SUM(c.bookings) FROM (
    SELECT word, number, status, bookings FROM svc_booking_tallies WHERE kind = 'all' UNION ALL
    SELECT '', 0, status, bookings FROM svc_booking_count_changes UNION ALL
    SELECT '', 0, status, -1 FROM svc_bookings) c
 GROUP BY c.word, c.number, c.status HAVING SUM(c.bookings) <> 0;
SELECT 'payment', c.word, c.number, c.status, SUM(c.bookings) FROM (
    SELECT word, number, status, bookings FROM svc_booking_tallies WHERE kind = 'payment' UNION ALL
    SELECT payment_status, 0, status, bookings FROM svc_booking_count_changes UNION ALL
    SELECT payment_status, 0, status, -1 FROM svc_bookings) c
 GROUP BY c.word, c.number, c.status HAVING SUM(c.bookings) <> 0;
SELECT 'trip', c.word, c.number, c.status, SUM(c.bookings) FROM (
    SELECT word, number, status, bookings FROM svc_booking_tallies WHERE kind = 'trip' UNION ALL
    SELECT '', trip_id, status, bookings FROM svc_booking_count_changes UNION ALL
    SELECT '', trip_id, status, -1 FROM svc_bookings) c
 GROUP BY c.word, c.number, c.status HAVING SUM(c.bookings) <> 0;
SELECT 'day', c.word, c.number, c.status, SUM(c.bookings) FROM (
    SELECT word, number, status, bookings FROM svc_booking_tallies WHERE kind = 'day' UNION ALL
    SELECT '', hour / 24, status, bookings FROM svc_booking_count_changes UNION ALL
    SELECT '', created_at / 86400000000, status, -1 FROM svc_bookings) c
 GROUP BY c.word, c.number, c.status HAVING SUM(c.bookings) <> 0;
SELECT 'hour', c.word, c.number, c.status, SUM(c.bookings) FROM (
    SELECT word, number, status, bookings FROM svc_booking_tallies WHERE kind = 'hour' UNION ALL
    SELECT '', hour, status, bookings FROM svc_booking_count_changes UNION ALL
    SELECT '', created_at / 3600000000, status, -1 FROM svc_bookings) c
 GROUP BY c.word, c.number, c.status HAVING SUM(c.bookings) <> 0;

-- No number was issued beyond its counter.
SELECT d.series, d.number FROM svc_issued_documents d
 WHERE NOT EXISTS (SELECT 1 FROM svc_number_series s WHERE s.series = d.series AND d.position <= s.last);

-- A trip counts its approved reviews.
SELECT t.id, t.reviews_count FROM svc_trips t
 WHERE t.reviews_count <> (SELECT COUNT(*) FROM svc_reviews r WHERE r.trip_id = t.id AND r.status = 'approved');

-- Tallies count the rows that there are.
SELECT t.name, t.status FROM svc_row_tallies t GROUP BY t.name, t.status
HAVING SUM(t.records) <> CASE t.name WHEN 'svc_customers' THEN (SELECT COUNT(*) FROM svc_customers r WHERE r.status = t.status)
                                     WHEN 'svc_enquiries' THEN (SELECT COUNT(*) FROM svc_enquiries r WHERE r.status = t.status)
                                     ELSE (SELECT COUNT(*) FROM svc_reviews r WHERE r.status = t.status) END;
