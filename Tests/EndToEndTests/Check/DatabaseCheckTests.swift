import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of a database that cannot be used.
@Suite(.serialized) struct DatabaseCheckTests {
    @Test(arguments: broken.filter(\.isPossible))
    func brokenSetUpIsNamedWithItsCure(_ setup: BrokenSetup) throws {
        try setup.run()
    }

    private static let broken = [
        BrokenSetup(
            name: "wrong password",
            apply: {
                try $0.account("someone", rights: "ALL")
                $0.environment["IREPORTER_DB_PASSWORD"] = "wrong"
            },
            findings: { _ in
                """
                database
                  problem  the database does not answer: Access denied for user 'someone'@'localhost' (using \
                password: YES) (1045)
                           -> compare IREPORTER_DB_USER and IREPORTER_DB_PASSWORD (or the option file) with \
                the account in MariaDB; ALTER USER … IDENTIFIED BY … sets its password
                """
            }
        ),
        BrokenSetup(
            name: "no such database",
            apply: {
                $0.environment["IREPORTER_DB_NAME"] = "elsewhere"
            },
            findings: { _ in
                """
                database
                  problem  the database does not answer: Unknown database 'elsewhere' (1049)
                           -> set IREPORTER_DB_NAME to the tutorial's database, or create it: CREATE DATABASE \
                elsewhere, then mariadb elsewhere < sql/schema.sql
                """
            }
        ),
        BrokenSetup(
            name: "account without rights on the database",
            apply: {
                try $0.account("stranger", rights: "SELECT")
                $0.environment["IREPORTER_DB_NAME"] = "mysql"
            },
            findings: { _ in
                """
                database
                  problem  the database does not answer: Access denied for user 'stranger'@'localhost' to \
                database 'mysql' (1044)
                           -> in MariaDB: GRANT SELECT, INSERT, UPDATE, DELETE ON mysql.* TO the account
                """
            }
        ),
        BrokenSetup(
            name: "no server on the socket",
            apply: {
                $0.environment["IREPORTER_DB_SOCKET"] = "/nonexistent"
            },
            findings: { _ in
                """
                database
                  problem  the database does not answer: Can't connect to local server through socket \
                '/nonexistent' (2) (2002)
                           -> is MariaDB running, and is IREPORTER_DB_SOCKET its socket? (mariadb -e 'SELECT \
                @@socket' tells)
                """
            }
        ),
        BrokenSetup(
            name: "no server on the port",
            apply: {
                $0.environment["IREPORTER_DB_HOST"] = "127.0.0.1"
                $0.environment["IREPORTER_DB_PORT"] = "1"
            },
            findings: { _ in
                """
                database
                  problem  the database does not answer: Can't connect to server on '127.0.0.1' (115) (2002)
                           -> is MariaDB running and reachable, and are IREPORTER_DB_HOST and \
                IREPORTER_DB_PORT right?
                """
            }
        ),
        BrokenSetup(
            name: "option file that is not there",
            apply: {
                $0.environment["IREPORTER_DB_OPTION_FILE"] = "/nonexistent.cnf"
            },
            findings: { _ in
                """
                database
                  problem  the database does not answer: The option file /nonexistent.cnf cannot be read (5005)
                           -> IREPORTER_DB_OPTION_FILE must name a file that the worker's user can read
                """
            }
        ),
        BrokenSetup(
            name: "account that may only read",
            apply: {
                try $0.account("reader", rights: "SELECT")
            },
            findings: {
                """
                database
                  problem  the account lacks INSERT on login, UPDATE on login, DELETE on login, INSERT on \
                photos, UPDATE on photos, DELETE on photos
                           -> in MariaDB: GRANT SELECT, INSERT, UPDATE, DELETE ON \($0.database).* TO the \
                account
                """
            }
        ),
        BrokenSetup(
            name: "more threads than connections",
            apply: {
                $0.environment["IREPORTER_WORKERS"] = "1000"
                $0.environment["IREPORTER_HEAVY_WORKERS"] = "16"
            },
            findings: { _ in
                """
                database
                  problem  the server takes 151 connections, the worker's threads need 1017
                           -> raise max_connections, or lower IREPORTER_WORKERS and IREPORTER_HEAVY_WORKERS
                """
            }
        ),
    ]
}
