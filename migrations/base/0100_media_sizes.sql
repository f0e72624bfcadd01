-- Public copies of pictures: upright, without EXIF, in several widths. `upright` is 1 where width, height and small copy
-- are of the picture as it is meant to stand; `has_public_copy` where others than its owners get another file than was
-- uploaded. The job media_sizes makes `sizes`, the widths of the copies ("320,640"), and brings older rows upright.
ALTER TABLE svc_media ADD COLUMN upright BIGINT NOT NULL DEFAULT 0 CHECK (upright IN (0, 1));
ALTER TABLE svc_media ADD COLUMN has_public_copy BIGINT NOT NULL DEFAULT 0 CHECK (has_public_copy IN (0, 1));
ALTER TABLE svc_media ADD COLUMN sizes TEXT NOT NULL DEFAULT '';
ALTER TABLE svc_media ADD COLUMN sizes_made_at BIGINT;
-- How often making them was begun: a picture that fails each time is left alone.
ALTER TABLE svc_media ADD COLUMN size_tries BIGINT NOT NULL DEFAULT 0;
CREATE INDEX svc_media_without_sizes ON svc_media (id) WHERE sizes_made_at IS NULL AND width IS NOT NULL;
