-- How many bookings hold a word that most of them hold is counted in an index that has the words: the bookings
-- themselves are wide, with their price and what was answered.
CREATE INDEX svc_bookings_searched ON svc_bookings (status, search);
