-- What travelers say of trips. author_key names who wrote it, of reviews that visitors and accounts wrote themselves:
-- one per person and trip. What staff enter has none.
CREATE TABLE svc_reviews (
    id {{id}},
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    user_id BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    customer_id BIGINT REFERENCES svc_customers(id) ON DELETE SET NULL,
    booking_id BIGINT REFERENCES svc_bookings(id) ON DELETE SET NULL,
    author_key TEXT,
    author_name TEXT NOT NULL,
    author_email TEXT NOT NULL DEFAULT '',
    email_lower TEXT NOT NULL DEFAULT '',
    author_location TEXT,
    rating BIGINT NOT NULL CHECK (rating BETWEEN 1 AND 5),
    title TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'spam', 'trash')),
    status_before_trash TEXT,
    helpful_count BIGINT NOT NULL DEFAULT 0 CHECK (helpful_count >= 0),
    is_featured BIGINT NOT NULL DEFAULT 0 CHECK (is_featured IN (0, 1)),
    reply TEXT,
    replied_at BIGINT,
    replied_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    moderated_at BIGINT,
    moderated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    ip_hash TEXT NOT NULL DEFAULT '',
    search TEXT NOT NULL,
    row_version BIGINT NOT NULL DEFAULT 1,
    deleted_at BIGINT,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX svc_reviews_author ON svc_reviews (trip_id, author_key) WHERE author_key IS NOT NULL;
CREATE INDEX svc_reviews_created ON svc_reviews (created_at, id);
CREATE INDEX svc_reviews_status ON svc_reviews (status, created_at, id, rating);
CREATE INDEX svc_reviews_rated ON svc_reviews (rating, id);
CREATE INDEX svc_reviews_of_trip ON svc_reviews (trip_id, status, rating, created_at, id);
CREATE INDEX svc_reviews_shown ON svc_reviews (trip_id, status, created_at, id);
CREATE INDEX svc_reviews_user ON svc_reviews (user_id);
CREATE INDEX svc_reviews_customer ON svc_reviews (customer_id);
CREATE INDEX svc_reviews_booking ON svc_reviews (booking_id);
CREATE INDEX svc_reviews_email ON svc_reviews (email_lower) WHERE email_lower <> '';
CREATE INDEX svc_reviews_ip ON svc_reviews (created_at) WHERE ip_hash <> '';
-- Bookings whose customer was asked for a review, or found to have written one.
CREATE TABLE svc_review_requests (
    booking_id BIGINT PRIMARY KEY REFERENCES svc_bookings(id) ON DELETE CASCADE,
    sent_at BIGINT NOT NULL
);
CREATE INDEX svc_bookings_completed ON svc_bookings (completed_at) WHERE completed_at IS NOT NULL;
