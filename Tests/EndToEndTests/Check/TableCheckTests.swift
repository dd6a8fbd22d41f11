import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of tables that cannot be used, and of text that clients see mangled.
@Suite(.serialized) struct TableCheckTests {
    @Test(arguments: broken.filter(\.isPossible))
    func brokenSetUpIsNamedWithItsCure(_ setup: BrokenSetup) throws {
        try setup.run()
    }

    private static let broken = [
        BrokenSetup(
            name: "missing table",
            apply: {
                try $0.sql("DROP TABLE photos")
            },
            findings: {
                """
                database
                  problem  there is no table photos
                           -> is \($0.database) the tutorial's database (IREPORTER_DB_NAME)? For a new one: \
                mariadb \($0.database) < sql/schema.sql
                """
            }
        ),
        BrokenSetup(
            name: "no tables at all",
            schema: .empty,
            apply: { _ in },
            findings: {
                """
                database
                  problem  there is no table login
                           -> is \($0.database) the tutorial's database (IREPORTER_DB_NAME)? For a new one: \
                mariadb \($0.database) < sql/schema.sql
                  problem  there is no table photos
                           -> is \($0.database) the tutorial's database (IREPORTER_DB_NAME)? For a new one: \
                mariadb \($0.database) < sql/schema.sql
                """
            }
        ),
        BrokenSetup(
            name: "missing column",
            apply: {
                try $0.sql("ALTER TABLE login CHANGE pass password VARCHAR(255)")
            },
            findings: { _ in
                """
                database
                  problem  the table login has no column pass
                           -> compare it with sql/schema.sql, and rename or add the column
                """
            }
        ),
        BrokenSetup(
            name: "somebody else's column without a default",
            apply: {
                try $0.sql("ALTER TABLE photos ADD place VARCHAR(20) NOT NULL")
            },
            findings: { _ in
                """
                database
                  problem  photos.place must be filled and has no default, so no row can be added
                           -> ALTER TABLE photos ALTER place SET DEFAULT …, or let it be NULL
                """
            }
        ),
        BrokenSetup(
            name: "column too narrow for hashes",
            schema: .legacy,
            apply: { _ in },
            findings: { _ in
                """
                database
                  problem  login.pass is varchar(45), too narrow for 128 characters
                           -> ireporter migrate --only 3, or by hand sql/upgrade/003-wide-password.sql; or \
                IREPORTER_PASSWORDS=plain as long as PHP is in use
                """
            }
        ),
        BrokenSetup(
            name: "column too narrow for the iPhone's passwords",
            apply: {
                try $0.sql("ALTER TABLE login MODIFY pass VARCHAR(20)")
                $0.environment["IREPORTER_PASSWORDS"] = "plain"
            },
            findings: { _ in
                """
                database
                  problem  login.pass is varchar(20), too narrow for 40 characters
                           -> ireporter migrate --only 3, or by hand sql/upgrade/003-wide-password.sql
                """
            }
        ),
        BrokenSetup(
            name: "numbers that do not count",
            apply: {
                try $0.sql("ALTER TABLE photos MODIFY IdPhoto INT NOT NULL")
            },
            findings: { _ in
                """
                database
                  problem  photos.IdPhoto does not count by itself
                           -> ALTER TABLE photos MODIFY IdPhoto INT NOT NULL AUTO_INCREMENT
                """
            }
        ),
        BrokenSetup(
            name: "titles encoded twice",
            apply: {
                try $0.sql("SET NAMES utf8mb4; INSERT INTO photos (title, IdUser) VALUES ('grÃ¼n', 1), ('grün', 1)")
            },
            findings: { _ in
                """
                database
                  problem  photos.title: 1 of the newest 2 reach clients mangled, as in "Ã¼" for "ü"
                           -> set IREPORTER_DB_CHARSET=latin1, as PHP had it, or ireporter migrate, which \
                repairs them
                """
            }
        ),
        BrokenSetup(
            name: "names that are no UTF-8",
            apply: {
                try $0.sql("SET NAMES utf8mb4; INSERT INTO login (username, pass) VALUES ('grün', 'x')")
                $0.environment["IREPORTER_DB_CHARSET"] = "latin1"
            },
            findings: { _ in
                """
                database
                  problem  login.username: 1 of the newest 1 are no UTF-8; clients see U+FFFD in them
                           -> set IREPORTER_DB_CHARSET=utf8mb4, which converts them on the way, or ireporter \
                migrate
                """
            }
        ),
    ]
}
