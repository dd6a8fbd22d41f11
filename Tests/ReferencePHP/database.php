<?php
// The database, as the tutorial's backend talks to it. Where it is comes from the environment (php-fpm's env[…], or
// nginx's fastcgi_param):
//
//   REFERENCE_DB_SOCKET    the server's unix socket; PHP's mysqli.default_socket unless set
//   REFERENCE_DB_NAME      iReport unless set
//   REFERENCE_DB_USER      root unless set
//   REFERENCE_DB_PASSWORD  empty unless set
//   REFERENCE_DB_THROWS    1: errors end the script, as with PHP 8.1 and later; otherwise they become the
//                          tutorial's messages, as with PHP 5 to 8.0

function setting(string $name, string $default): string
{
    $value = getenv("REFERENCE_$name");
    return $value === false || $value === '' ? $default : $value;
}

function database(): mysqli
{
    static $connection = null;
    if ($connection === null) {
        $throws = setting('DB_THROWS', '0') === '1';
        mysqli_report($throws ? MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT : MYSQLI_REPORT_OFF);
        $connection = mysqli_init();
        // No character set is asked for: the driver takes the server's own.
        $connection->real_connect(
            'localhost',
            setting('DB_USER', 'root'),
            setting('DB_PASSWORD', ''),
            setting('DB_NAME', 'iReport'),
            0,
            setting('DB_SOCKET', '') ?: null
        );
    }
    return $connection;
}

// The rows of a statement, or null when the database refuses. Each value is decoded once more before it is
// quoted: this is the second decoding of the contract. Numbers are quoted like text.
function rows(string $statement, ...$values): ?array
{
    $quoted = [];
    foreach ($values as $value) {
        $quoted[] = "'" . database()->real_escape_string(urldecode($value)) . "'";
    }
    $result = database()->query(vsprintf($statement, $quoted));
    if ($result === false) {
        return null;
    }
    return $result === true ? [] : $result->fetch_all(MYSQLI_ASSOC);
}
