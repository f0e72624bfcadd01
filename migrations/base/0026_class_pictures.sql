-- Pictures of classifications: one that stands for it, and more in their order.
ALTER TABLE svc_classifications ADD COLUMN featured_image_id BIGINT REFERENCES svc_media (id);
CREATE INDEX svc_classifications_image ON svc_classifications (featured_image_id) WHERE featured_image_id IS NOT NULL;

CREATE TABLE svc_classification_gallery (
    classification_id BIGINT NOT NULL REFERENCES svc_classifications (id) ON DELETE CASCADE,
    sort_order BIGINT NOT NULL CHECK (sort_order >= 0),
    media_id BIGINT NOT NULL REFERENCES svc_media (id),
    PRIMARY KEY (classification_id, sort_order)
);
CREATE INDEX svc_classification_gallery_media ON svc_classification_gallery (media_id);
