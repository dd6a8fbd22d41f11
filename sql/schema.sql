-- The tables of a new installation. MariaDB 10.5 or later.
--
--     mariadb mydatabase < sql/schema.sql
--
-- Running it again changes nothing, and tables that exist already stay as they are: an installation of the
-- tutorial keeps its MyISAM tables, and the worker serves those as well.
--
-- Names and widths are the tutorial's, so its PHP works on these tables too. What differs:
--   * InnoDB, so that a failed upload leaves no row and a crash loses nothing that was acknowledged.
--   * utf8mb4, so that every title and name can be stored. The collation compares names as the old one did,
--     without regard to case, accents and trailing spaces (it is a PAD SPACE collation), and unlike
--     utf8mb4_general_ci and utf8mb4_unicode_ci it tells one emoji from another.
--   * Names are unique, which settles two registrations of one name at the same moment.
--   * Passwords are bytes, compared as such, and the column has room for a hash.
--   * The photos of one user can be found without reading all of them.

CREATE TABLE IF NOT EXISTS login (
    IdUser   int            NOT NULL AUTO_INCREMENT,
    username varchar(45)    NOT NULL,
    pass     varbinary(255) NOT NULL,
    PRIMARY KEY (IdUser),
    UNIQUE KEY username (username)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- No foreign key: a photo whose user is gone is left out of the stream, not deleted.
CREATE TABLE IF NOT EXISTS photos (
    IdPhoto int          NOT NULL AUTO_INCREMENT,
    title   varchar(100) NOT NULL,
    IdUser  int          NOT NULL,
    PRIMARY KEY (IdPhoto),
    KEY IdUser (IdUser)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- Sessions of IREPORTER_SESSION_STORE=database: `id` is the SHA-256 of the session's id, `used` is Unix time.
CREATE TABLE IF NOT EXISTS sessions (
    id   binary(32)   NOT NULL,
    data mediumblob   NOT NULL,
    used int unsigned NOT NULL,
    PRIMARY KEY (id),
    KEY used (used)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;
