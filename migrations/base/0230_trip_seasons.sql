-- Travel dates of a trip with prices and seats of their own. None overlaps another: the application sees to it under
-- the lock of the trip's row.
CREATE TABLE svc_trip_seasons (
    trip_id BIGINT NOT NULL REFERENCES svc_trips (id) ON DELETE CASCADE,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL CHECK (first_day <= last_day),
    -- Of everybody alike; NULL: the trip's.
    regular_price_minor BIGINT CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0),
    -- Of dates that rules and open days offer; NULL: as the trip says.
    seats BIGINT CHECK (seats >= 1),
    note TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (trip_id, first_day)
);

-- A category that is missing has the trip's price.
CREATE TABLE svc_trip_season_prices (
    trip_id BIGINT NOT NULL,
    first_day TEXT NOT NULL,
    category_id BIGINT NOT NULL REFERENCES svc_classifications (id),
    regular_price_minor BIGINT NOT NULL CHECK (regular_price_minor >= 0),
    sale_price_minor BIGINT CHECK (sale_price_minor >= 0),
    PRIMARY KEY (trip_id, first_day, category_id),
    FOREIGN KEY (trip_id, first_day) REFERENCES svc_trip_seasons (trip_id, first_day) ON DELETE CASCADE
);
CREATE INDEX svc_trip_season_prices_category ON svc_trip_season_prices (category_id);
