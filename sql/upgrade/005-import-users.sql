-- 005: the accounts of the sign-up/log-in pair
--
-- Does:  copies the accounts of the table `users` (jsonsignup.php, jsonlogin2.php) to `login`, where each keeps its
--        name and, as $md5$ and the hexadecimal MD5, its password, which is hashed anew when its owner next logs in.
--        Lists the accounts that it leaves out, because `login` has the name already, or because name or password is
--        none. `users` stays as it is. Without such a table it does nothing.
-- Locks: `login`, for writing to the same names, in one transaction: a minute or two for a million accounts. Widens
--        `login.username` before, if a name is longer.
--
-- Where `login` is utf8mb4, names that latin1 connections stored as UTF-8 become what they mean. If connections still
-- are latin1, it says what to set, since names beyond ASCII would not be found through them; they are the server's
-- character_set_server, unless `@ireporter_charset` says otherwise.
--
-- Safe to run again, to fetch accounts that were added meanwhile. Apply 003 before. Needs ALTER, SELECT, INSERT and
-- CREATE TEMPORARY TABLES.

SET SESSION sql_mode = 'STRICT_ALL_TABLES', SESSION lock_wait_timeout = 60;
SET @ireporter_charset = COALESCE(@ireporter_charset, @@GLOBAL.character_set_server);
SET @ireporter_utf8 = CONCAT(
    '^(?:[\\x00-\\x7F]|[\\xC2-\\xDF][\\x80-\\xBF]|\\xE0[\\xA0-\\xBF][\\x80-\\xBF]|\\xED[\\x80-\\x9F][\\x80-\\xBF]',
    '|[\\xE1-\\xEC\\xEE\\xEF][\\x80-\\xBF]{2}|\\xF0[\\x90-\\xBF][\\x80-\\xBF]{2}|[\\xF1-\\xF3][\\x80-\\xBF]{3}',
    '|\\xF4[\\x80-\\x8F][\\x80-\\xBF]{2})*+\\z'
);

DELIMITER //
BEGIN NOT ATOMIC
    DECLARE characters, sort_order, login_characters, attributes VARCHAR(4096) CHARACTER SET utf8mb4;
    DECLARE width, login_width, password_width BIGINT;
    DECLARE remark VARCHAR(128) CHARACTER SET utf8mb4;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    IF (SELECT COUNT(*) = 3 FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'users'
        AND COLUMN_NAME IN ('id', 'username', 'password')) THEN
        SELECT CHARACTER_MAXIMUM_LENGTH INTO password_width FROM information_schema.COLUMNS
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login' AND COLUMN_NAME = 'pass';
        IF password_width < 128 THEN
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'login.pass is too narrow: apply 003-wide-password.sql first';
        END IF;
        SELECT CHARACTER_SET_NAME INTO characters FROM information_schema.COLUMNS
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'users' AND COLUMN_NAME = 'username';
        SELECT CHARACTER_SET_NAME, COLLATION_NAME, CHARACTER_MAXIMUM_LENGTH, CONCAT(
                IF(IS_NULLABLE = 'YES', ' NULL', ' NOT NULL'), COALESCE(CONCAT(' DEFAULT ', COLUMN_DEFAULT), ''),
                ' COMMENT ', QUOTE(COLUMN_COMMENT))
            INTO login_characters, sort_order, login_width, attributes
            FROM information_schema.COLUMNS
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'login' AND COLUMN_NAME = 'username';

        -- Each account with its name as `login` will have it.
        EXECUTE IMMEDIATE CONCAT(
            'CREATE OR REPLACE TEMPORARY TABLE ireporter_import (PRIMARY KEY (id), KEY (username)) ENGINE=InnoDB ',
            'AS SELECT id, ',
            IF(characters = 'latin1' AND login_characters = 'utf8mb4',
                'IF(CAST(username AS BINARY) REGEXP @ireporter_utf8, CONVERT(CAST(username AS BINARY) USING utf8mb4), '
                'CONVERT(username USING utf8mb4))',
                CONCAT('CONVERT(username USING ', login_characters, ')')),
            ' COLLATE ', sort_order, ' AS username, LOWER(CONVERT(password USING latin1)) AS password, ',
            'CAST(NULL AS CHAR(64)) AS problem FROM users');
        UPDATE ireporter_import SET problem = 'it has no name' WHERE COALESCE(username, '') = '';
        UPDATE ireporter_import SET problem = 'its password is no MD5'
            WHERE problem IS NULL AND COALESCE(password, '') NOT REGEXP '^[0-9a-f]{32}\\z';
        UPDATE ireporter_import JOIN login USING (username)
            SET problem = IF(pass = CONCAT('$md5$', password), 'it is there already', 'login has the name already')
            WHERE problem IS NULL;
        CREATE OR REPLACE TEMPORARY TABLE ireporter_first (PRIMARY KEY (id)) ENGINE=InnoDB AS
            SELECT MIN(id) AS id FROM ireporter_import WHERE problem IS NULL GROUP BY username;
        UPDATE ireporter_import LEFT JOIN ireporter_first USING (id)
            SET problem = 'an earlier account has the name already'
            WHERE problem IS NULL AND ireporter_first.id IS NULL;

        SELECT MAX(CHAR_LENGTH(username)) INTO width FROM ireporter_import WHERE problem IS NULL;
        IF width > login_width THEN
            SELECT CONCAT('login: username ', GREATEST(50, width), ' wide') AS message;
            EXECUTE IMMEDIATE CONCAT('ALTER TABLE login MODIFY username varchar(', GREATEST(50, width),
                ') CHARACTER SET ', login_characters, ' COLLATE ', sort_order, attributes);
        END IF;

        START TRANSACTION;
        INSERT INTO login (username, pass)
            SELECT username, CONCAT('$md5$', password) FROM ireporter_import WHERE problem IS NULL ORDER BY id;
        SELECT CONCAT('users: imported ', ROW_COUNT()) AS message;
        COMMIT;
        IF login_characters LIKE 'utf8%' AND @ireporter_charset NOT LIKE 'utf8%' AND EXISTS (
            SELECT 1 FROM ireporter_import WHERE CAST(username AS BINARY) REGEXP '[\\x80-\\xFF]') THEN
            SELECT CONCAT('connections are ', @ireporter_charset, ': set IREPORTER_DB_CHARSET=utf8mb4, ',
                'or names beyond ASCII cannot log in') AS message;
        END IF;
        SELECT CONCAT('users: ', COUNT(*), ' left out, since ', problem) AS message FROM ireporter_import
            WHERE problem IS NOT NULL GROUP BY problem;
        SELECT CONCAT('users: left out ', id, ', "', COALESCE(username, ''), '": ', problem) AS message
            FROM ireporter_import WHERE problem IS NOT NULL AND problem <> 'it is there already' ORDER BY id LIMIT 100;
        DROP TEMPORARY TABLE ireporter_import, ireporter_first;
    ELSE
        SELECT 'users: no such table, or none of the pair: nothing to import' AS message;
    END IF;
END//
DELIMITER ;
