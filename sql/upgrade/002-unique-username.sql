-- 002: one account a name
--
-- Does:  gives `login.username` a unique index, which makes logging in quick and two registrations of one name at the
--        same moment harmless. If a name has several rows, it lists them, changes nothing and stops.
-- Locks: `login`, for writing: about 5 s for a million accounts.
--
-- Which names are the same the column's collation decides: letter case, accents and trailing spaces do not matter.
-- What to do with those that are listed is yours to decide, since each may be somebody's: rename or delete all but
-- one. Until then each row goes on being logged in to by its own password.
--
-- Safe to run again. Needs ALTER and INDEX.

SET SESSION sql_mode = 'STRICT_ALL_TABLES', SESSION lock_wait_timeout = 60;

DELIMITER //
BEGIN NOT ATOMIC
    DECLARE names BIGINT DEFAULT 0;
    DECLARE remark VARCHAR(128) CHARACTER SET utf8mb4;

    IF NOT EXISTS (
        SELECT 1 FROM information_schema.STATISTICS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login' AND NON_UNIQUE = 0
        GROUP BY INDEX_NAME
        HAVING COUNT(*) = 1 AND MAX(COLUMN_NAME = 'username' AND SUB_PART IS NULL) = 1
    ) THEN
        SELECT COUNT(*) INTO names FROM (
            SELECT 1 FROM login WHERE username IS NOT NULL GROUP BY username HAVING COUNT(*) > 1
        ) AS duplicates;
        IF names > 0 THEN
            SELECT CONCAT('"', MIN(username), '": users ', GROUP_CONCAT(IdUser ORDER BY IdUser SEPARATOR ', '))
                AS message
                FROM login WHERE username IS NOT NULL GROUP BY username HAVING COUNT(*) > 1
                ORDER BY MIN(IdUser) LIMIT 100;
            SET remark = CONCAT(names, IF(names = 1, ' name has', ' names have'),
                ' several rows in login (listed above): rename or delete all but one of each');
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = remark;
        END IF;
        SELECT 'login: unique index on username' AS message;
        ALTER TABLE login ADD UNIQUE KEY unique_username (username);
    END IF;
END//
DELIMITER ;
