-- 004: the table of sessions
--
-- Does:  creates `sessions`, in which IREPORTER_SESSION_STORE=database keeps them. Without that setting it stays empty.
-- Locks: nothing.
--
-- Safe to run again. Needs CREATE.

DELIMITER //
BEGIN NOT ATOMIC
    DECLARE is_ours BOOLEAN;

    CREATE TABLE IF NOT EXISTS sessions (
        id   binary(32)   NOT NULL COMMENT 'SHA-256 of the session''s id',
        data mediumblob   NOT NULL,
        used int unsigned NOT NULL COMMENT 'Unix time',
        PRIMARY KEY (id),
        KEY used (used)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

    SELECT COUNT(*) = 3 INTO is_ours FROM information_schema.COLUMNS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sessions'
            AND (COLUMN_NAME, DATA_TYPE) IN (('id', 'binary'), ('data', 'mediumblob'), ('used', 'int'));
    IF NOT is_ours THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'there is another table of the name sessions: rename it';
    END IF;
END//
DELIMITER ;
