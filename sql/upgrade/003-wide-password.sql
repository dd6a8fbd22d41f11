-- 003: room for password hashes
--
-- Does:  makes `login.pass` bytes, VARBINARY(255), so that hashes fit and passwords are compared as bytes. What is
--        stored keeps opening the same accounts. Needs none of the other files.
-- Locks: `login`, for reading too, from start to end: about 10 s for a million accounts.
--
-- What clients send as a password depends on the character set their connections had. It is the server's
-- character_set_server, unless `@ireporter_charset` says otherwise: through latin1, what is stored is what they
-- sent; through utf8mb4, latin1 text was converted on its way, and what they sent is its UTF-8, unless what is
-- stored is UTF-8 already.
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
    DECLARE width BIGINT;

    SELECT DATA_TYPE, COALESCE(CHARACTER_SET_NAME, 'binary'), CHARACTER_MAXIMUM_LENGTH, CONCAT(
            IF(IS_NULLABLE = 'YES', ' NULL', ' NOT NULL'), COALESCE(CONCAT(' DEFAULT ', COLUMN_DEFAULT), ''),
            ' COMMENT ', QUOTE(COLUMN_COMMENT))
        INTO kind, characters, width, attributes
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
        IF characters = 'latin1' AND @ireporter_charset LIKE 'utf8%' THEN
            -- First room for UTF-8, still as text: from here on it can be interrupted and run again.
            EXECUTE IMMEDIATE CONCAT('ALTER TABLE login MODIFY pass varchar(', GREATEST(255, width),
                ') CHARACTER SET latin1', attributes);
            UPDATE login SET pass = CONVERT(CAST(CONVERT(pass USING utf8mb4) AS BINARY) USING latin1)
                WHERE NOT CAST(pass AS BINARY) REGEXP @ireporter_utf8;
        END IF;
        EXECUTE IMMEDIATE CONCAT('ALTER TABLE login MODIFY pass varbinary(',
            GREATEST(255, IF(characters = 'latin1', 1, 4) * width), ')', attributes);
    ELSEIF kind IN ('binary', 'varbinary') AND width < 255 THEN
        SELECT 'login: pass wider' AS message;
        EXECUTE IMMEDIATE CONCAT('ALTER TABLE login MODIFY pass varbinary(255)', attributes);
    END IF;
END//
DELIMITER ;

UNLOCK TABLES;
