-- 001: InnoDB and utf8mb4 for the tutorial's tables
--
-- Does:  turns `login` and `photos` into InnoDB tables, and `login.username` and `photos.title` from latin1 into
--        utf8mb4. UTF-8 that came through a latin1 connection becomes the characters it stands for; genuine latin1
--        text is converted. `login.pass` becomes bytes, as clients send them.
-- Locks: both tables, for reading too, from start to end: about 40 s for a million photos; requests wait or fail.
--        Stop the worker and PHP before. It needs free disk space of twice the larger table.
--
-- Afterwards the connection must be utf8mb4. On a server whose character_set_server is latin1, either change that
-- (PHP follows it, too) or set IREPORTER_DB_CHARSET=utf8mb4 for the worker, before either starts again.
--
-- How a row is read: bytes that are UTF-8 are taken for UTF-8, whatever the column says, since Latin text that
-- happens to be UTF-8 hardly exists. Bytes that are not are latin1. UTF-8 whose last character was cut off
-- at the column's end stays UTF-8; in place of that character stands U+FFFD, which clients have seen there so far.
--
-- What clients send as a password depends on the character set their connections had. It is the server's
-- character_set_server, unless `@ireporter_charset` says otherwise: through latin1, what is stored is what they
-- sent; through utf8mb4, latin1 text was converted on its way, and what they sent is its UTF-8, unless what is
-- stored is UTF-8 already. The iPhone's 20 bytes of SHA-1 may look like UTF-8 and are latin1 all the same.
--
-- Safe to run again, also after it was interrupted: a column that is half-way has a comment that says so.
-- Other columns stay as they are, as do widths, defaults and comments. Needs ALTER, LOCK TABLES and UPDATE.

SET SESSION sql_mode = 'STRICT_ALL_TABLES', SESSION lock_wait_timeout = 60;
SET @ireporter_charset = COALESCE(@ireporter_charset, @@GLOBAL.character_set_server);
SET @ireporter_utf8 = CONCAT(
    '^(?:[\\x00-\\x7F]|[\\xC2-\\xDF][\\x80-\\xBF]|\\xE0[\\xA0-\\xBF][\\x80-\\xBF]|\\xED[\\x80-\\x9F][\\x80-\\xBF]',
    '|[\\xE1-\\xEC\\xEE\\xEF][\\x80-\\xBF]{2}|\\xF0[\\x90-\\xBF][\\x80-\\xBF]{2}|[\\xF1-\\xF3][\\x80-\\xBF]{3}',
    '|\\xF4[\\x80-\\x8F][\\x80-\\xBF]{2})*+\\z'
);
-- The first bytes of a character whose last are missing.
SET @ireporter_cut = '(?:[\\xC2-\\xDF]|[\\xE0-\\xEF][\\x80-\\xBF]?|[\\xF0-\\xF4][\\x80-\\xBF]{0,2})\\z';
SET @ireporter_high = '[\\x80-\\xFF]';

LOCK TABLES login WRITE, photos WRITE;

DELIMITER //
BEGIN NOT ATOMIC
    DECLARE kind, characters, attributes, target, alteration, password_type VARCHAR(4096) CHARACTER SET utf8mb4;
    DECLARE remark, password_attributes VARCHAR(4096) CHARACTER SET utf8mb4;
    DECLARE password_place VARCHAR(128) CHARACTER SET utf8mb4;
    DECLARE width, password_width BIGINT;
    DECLARE password_changes BOOLEAN DEFAULT FALSE;
    DECLARE password_characters VARCHAR(64) CHARACTER SET utf8mb4;
    DECLARE stage ENUM('text', 'half-way', 'done');
    DECLARE was_innodb, has_changed BOOLEAN DEFAULT FALSE;

    -- Which form of the password column is the last, and whether what it holds can be told from here.
    SELECT DATA_TYPE, COALESCE(CHARACTER_SET_NAME, 'binary'), CHARACTER_MAXIMUM_LENGTH, CONCAT(
            IF(IS_NULLABLE = 'YES', ' NULL', ' NOT NULL'), COALESCE(CONCAT(' DEFAULT ', COLUMN_DEFAULT), ''),
            ' COMMENT ', QUOTE(COLUMN_COMMENT)), COALESCE(CONCAT(' AFTER `', (
                SELECT COLUMN_NAME FROM information_schema.COLUMNS before_it
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login'
                    AND before_it.ORDINAL_POSITION = COLUMNS.ORDINAL_POSITION - 1), '`'), ' FIRST')
        INTO password_type, password_characters, password_width, password_attributes, password_place
        FROM information_schema.COLUMNS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login' AND COLUMN_NAME = 'pass';
    IF password_type NOT IN ('char', 'varchar') THEN
        SET password_type = NULL;
    ELSEIF NOT (password_characters = 'latin1' AND @ireporter_charset IN ('latin1', 'utf8', 'utf8mb3', 'utf8mb4')
            OR password_characters LIKE 'utf8%' AND @ireporter_charset LIKE 'utf8%')
        AND EXISTS (SELECT 1 FROM login WHERE CAST(pass AS BINARY) REGEXP @ireporter_high) THEN
        SET remark = CONCAT('nothing was changed: login.pass is ', password_characters, ', connections are ',
            @ireporter_charset, ': convert its values by hand');
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = remark;
    ELSE
        SET password_width = GREATEST(255, IF(password_characters = 'latin1', 3, 4) * password_width);
        SET password_changes = password_characters = 'latin1' AND @ireporter_charset LIKE 'utf8%';
    END IF;

    FOR place IN (
        SELECT 'login' AS name, 'username' AS text, 'IdUser' AS id UNION ALL SELECT 'photos', 'title', 'IdPhoto'
    ) DO
        SELECT ENGINE = 'InnoDB' INTO was_innodb FROM information_schema.TABLES
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = place.name;
        SET kind = NULL;
        SELECT DATA_TYPE, COALESCE(CHARACTER_SET_NAME, 'binary'), CHARACTER_MAXIMUM_LENGTH, COLUMN_COMMENT, CONCAT(
                IF(IS_NULLABLE = 'YES', ' NULL', ' NOT NULL'), COALESCE(CONCAT(' DEFAULT ', COLUMN_DEFAULT), ''))
            INTO kind, characters, width, remark, attributes
            FROM information_schema.COLUMNS
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = place.name AND COLUMN_NAME = place.text;
        IF kind IS NULL THEN
            SET remark = CONCAT('there is no column ', place.name, '.', place.text);
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = remark;
        END IF;

        IF remark LIKE 'ireporter-001 %' THEN
            SET stage = 'half-way', target = SUBSTRING_INDEX(SUBSTRING_INDEX(remark, ' ', 2), ' ', -1);
            SET remark = SUBSTRING(remark, LENGTH('ireporter-001 ') + CHAR_LENGTH(target) + 2);
        ELSEIF characters IN ('utf8mb4', 'binary') THEN
            SET stage = 'done', target = NULL;
        ELSE
            SET stage = 'text', target = IF(kind LIKE '%text', 'mediumtext', CONCAT('varchar(', width, ')'));
        END IF;

        -- A unique index would stop the conversion when it is half done, so look before it begins.
        IF stage <> 'done' AND EXISTS (
            SELECT 1 FROM information_schema.STATISTICS
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = place.name AND COLUMN_NAME = place.text
                AND NON_UNIQUE = 0
        ) THEN
            SET @ireporter_duplicates = 0;
            SET @ireporter_query = CONCAT(
                ' FROM ', place.name, ' WHERE ', place.text, ' IS NOT NULL GROUP BY ',
                'IF(CAST(', place.text, ' AS BINARY) REGEXP @ireporter_utf8, CONVERT(CAST(', place.text,
                ' AS BINARY) USING utf8mb4), CONVERT(', place.text, ' USING utf8mb4)) ',
                'COLLATE utf8mb4_unicode_520_ci HAVING COUNT(*) > 1');
            EXECUTE IMMEDIATE CONCAT('SELECT COUNT(*) INTO @ireporter_duplicates FROM (SELECT 1',
                @ireporter_query, ') names');
            IF @ireporter_duplicates > 0 THEN
                EXECUTE IMMEDIATE CONCAT('SELECT CONCAT(''', place.text, ' of rows '', GROUP_CONCAT(', place.id,
                    ' ORDER BY ', place.id, ' SEPARATOR '', '')) AS message', @ireporter_query, ' LIMIT 100');
                SET remark = CONCAT('in utf8mb4 rows of ', place.name,
                    ' listed above have the same ', place.text, ', which a unique index forbids: rename them');
                SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = remark;
            END IF;
        END IF;

        SET alteration = '';
        IF stage = 'text' AND characters = 'latin1' THEN
            SET alteration = CONCAT(', MODIFY ', place.text, ' ',
                IF(kind LIKE '%text', 'mediumblob', CONCAT('varbinary(', 4 * width, ')')), attributes,
                ' COMMENT ', QUOTE(CONCAT('ireporter-001 ', target, ' ', remark)));
            SET stage = 'half-way';
        END IF;
        IF place.name = 'login' AND password_changes THEN
            -- Beside the old one, so that each value is told from what was stored, however often this is run.
            SET alteration = CONCAT(alteration, ', ADD COLUMN IF NOT EXISTS ireporter_pass varbinary(',
                password_width, ')');
        END IF;
        IF alteration <> '' OR NOT was_innodb THEN
            SELECT CONCAT(place.name, ': to InnoDB') AS message;
            EXECUTE IMMEDIATE CONCAT('ALTER TABLE ', place.name, ' ENGINE=InnoDB ROW_FORMAT=DYNAMIC', alteration);
        END IF;

        SET alteration = '';
        IF stage = 'half-way' THEN
            EXECUTE IMMEDIATE CONCAT('SELECT COUNT(*) INTO @ireporter_high_rows FROM ', place.name,
                ' WHERE ', place.text, ' REGEXP @ireporter_high');
            EXECUTE IMMEDIATE CONCAT('UPDATE ', place.name, ' SET ', place.text, ' = CONCAT(REGEXP_REPLACE(',
                place.text, ', @ireporter_cut, ''''), X''EFBFBD'') WHERE NOT ', place.text,
                ' REGEXP @ireporter_utf8 AND REGEXP_REPLACE(', place.text,
                ', @ireporter_cut, '''') REGEXP @ireporter_utf8 AND REGEXP_REPLACE(', place.text,
                ', @ireporter_cut, '''') REGEXP @ireporter_high');
            SET @ireporter_cut_rows = ROW_COUNT();
            EXECUTE IMMEDIATE CONCAT('UPDATE ', place.name, ' SET ', place.text, ' = CAST(CONVERT(CONVERT(',
                place.text, ' USING latin1) USING utf8mb4) AS BINARY) WHERE NOT ', place.text,
                ' REGEXP @ireporter_utf8');
            SET @ireporter_latin1_rows = ROW_COUNT();
            SELECT CONCAT(place.name, '.', place.text, ': beyond ASCII ', @ireporter_high_rows,
                '; converted from latin1 ', @ireporter_latin1_rows, ', cut off at the end ', @ireporter_cut_rows,
                ', the rest is UTF-8') AS message;
        END IF;
        IF stage <> 'done' THEN
            SET alteration = CONCAT(', MODIFY ', place.text, ' ', target,
                ' CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci', attributes, ' COMMENT ', QUOTE(remark));
        END IF;
        IF place.name = 'login' AND password_type IS NOT NULL THEN
            IF password_changes THEN
                EXECUTE IMMEDIATE 'UPDATE login SET ireporter_pass = IF(
                    CAST(pass AS BINARY) REGEXP @ireporter_utf8 AND LENGTH(pass) <> 20,
                    CAST(pass AS BINARY), CAST(CONVERT(pass USING utf8mb4) AS BINARY))';
                SET alteration = CONCAT(alteration, ', DROP COLUMN pass, CHANGE COLUMN ireporter_pass pass varbinary(',
                    password_width, ')', password_attributes, password_place);
            ELSE
                SET alteration = CONCAT(alteration, ', DROP COLUMN IF EXISTS ireporter_pass, MODIFY pass varbinary(',
                    password_width, ')', password_attributes);
            END IF;
        END IF;
        IF alteration <> '' THEN
            SELECT CONCAT(place.name, ': to utf8mb4') AS message;
            EXECUTE IMMEDIATE CONCAT('ALTER TABLE ', place.name,
                ' DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci', alteration);
            SET has_changed = has_changed OR stage = 'half-way';
        END IF;
    END FOR;

    IF has_changed AND @ireporter_charset NOT LIKE 'utf8%' THEN
        SELECT CONCAT('connections are ', @ireporter_charset, ': set IREPORTER_DB_CHARSET=utf8mb4, or the server''s ',
            'character_set_server, before the worker or PHP starts again') AS message;
    END IF;
END//
DELIMITER ;

UNLOCK TABLES;
