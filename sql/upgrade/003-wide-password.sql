-- 003: room for password hashes
--
-- Does:  makes `login.pass` bytes, VARBINARY(255), so that hashes fit and passwords are compared as bytes. What is
--        stored keeps opening the same accounts. Needs none of the other files.
-- Locks: `login`, for reading too, from start to end: about 10 s for a million accounts.
--
-- What clients send as a password depends on the character set their connections had. It is the server's
-- character_set_server, unless `@ireporter_charset` says otherwise: through latin1, what is stored is what they
-- sent; through utf8mb4, latin1 text was converted on its way, and what they sent is its UTF-8, unless what is
-- stored is UTF-8 already. The iPhone's 20 bytes of SHA-1 may look like UTF-8 and are latin1 all the same.
--
-- PHP that compares passwords with a query goes on working. Safe to run again, also after it was interrupted.
-- Needs ALTER, LOCK TABLES and UPDATE.

SET SESSION sql_mode = 'STRICT_ALL_TABLES', SESSION lock_wait_timeout = 60;
SET @ireporter_charset = COALESCE(@ireporter_charset, @@GLOBAL.character_set_server);
SET @ireporter_utf8 = CONCAT(
    '^(?:[\\x00-\\x7F]|[\\xC2-\\xDF][\\x80-\\xBF]|\\xE0[\\xA0-\\xBF][\\x80-\\xBF]|\\xED[\\x80-\\x9F][\\x80-\\xBF]',
    '|[\\xE1-\\xEC\\xEE\\xEF][\\x80-\\xBF]{2}|\\xF0[\\x90-\\xBF][\\x80-\\xBF]{2}|[\\xF1-\\xF3][\\x80-\\xBF]{3}',
    '|\\xF4[\\x80-\\x8F][\\x80-\\xBF]{2})*+\\z'
);

LOCK TABLES login WRITE;

DELIMITER //
BEGIN NOT ATOMIC
    DECLARE kind, characters, attributes, remark VARCHAR(4096) CHARACTER SET utf8mb4;
    DECLARE place VARCHAR(128) CHARACTER SET utf8mb4;
    DECLARE width BIGINT;

    SELECT DATA_TYPE, COALESCE(CHARACTER_SET_NAME, 'binary'), CHARACTER_MAXIMUM_LENGTH, CONCAT(
            IF(IS_NULLABLE = 'YES', ' NULL', ' NOT NULL'), COALESCE(CONCAT(' DEFAULT ', COLUMN_DEFAULT), ''),
            ' COMMENT ', QUOTE(COLUMN_COMMENT)), COALESCE(CONCAT(' AFTER `', (
                SELECT COLUMN_NAME FROM information_schema.COLUMNS before_it
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login'
                    AND before_it.ORDINAL_POSITION = COLUMNS.ORDINAL_POSITION - 1), '`'), ' FIRST')
        INTO kind, characters, width, attributes, place
        FROM information_schema.COLUMNS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login' AND COLUMN_NAME = 'pass';

    IF kind IN ('char', 'varchar') THEN
        IF NOT (characters = 'latin1' AND @ireporter_charset IN ('latin1', 'utf8', 'utf8mb3', 'utf8mb4')
                OR characters LIKE 'utf8%' AND @ireporter_charset LIKE 'utf8%')
            AND EXISTS (SELECT 1 FROM login WHERE CAST(pass AS BINARY) REGEXP '[\\x80-\\xFF]') THEN
            SET remark = CONCAT('nothing was changed: login.pass is ', characters, ', connections are ',
                @ireporter_charset, ': convert its values by hand');
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = remark;
        END IF;
        SELECT 'login: pass to bytes' AS message;
        SET width = GREATEST(255, IF(characters = 'latin1', 3, 4) * width);
        IF characters = 'latin1' AND @ireporter_charset LIKE 'utf8%' THEN
            -- Beside the old one, so that each value is told from what was stored, however often this is run.
            EXECUTE IMMEDIATE CONCAT('ALTER TABLE login ADD COLUMN IF NOT EXISTS ireporter_pass varbinary(', width,
                ')');
            EXECUTE IMMEDIATE 'UPDATE login SET ireporter_pass = IF(
                CAST(pass AS BINARY) REGEXP @ireporter_utf8 AND LENGTH(pass) <> 20,
                CAST(pass AS BINARY), CAST(CONVERT(pass USING utf8mb4) AS BINARY))';
            EXECUTE IMMEDIATE CONCAT('ALTER TABLE login DROP COLUMN pass, CHANGE COLUMN ireporter_pass pass varbinary(',
                width, ')', attributes, place);
        ELSE
            EXECUTE IMMEDIATE CONCAT('ALTER TABLE login DROP COLUMN IF EXISTS ireporter_pass, MODIFY pass varbinary(',
                width, ')', attributes);
        END IF;
    ELSEIF kind IN ('binary', 'varbinary') AND width < 255 THEN
        SELECT 'login: pass wider' AS message;
        EXECUTE IMMEDIATE CONCAT('ALTER TABLE login MODIFY pass varbinary(255)', attributes);
    END IF;
END//
DELIMITER ;

UNLOCK TABLES;
