<?php
// What the sign-up and log-in pair share.

require __DIR__ . '/database.php';

header('Content-Type: application/json');

function answer(?string $message): never
{
    echo json_encode(['success' => $message === null ? 1 : 0] + ($message === null ? [] : ['error_message' => $message]),
        JSON_UNESCAPED_SLASHES);
    exit;
}

// Whether a statement with text parameters touched or found a row.
function touches(string $statement, string ...$values): bool
{
    $prepared = database()->prepare($statement);
    $prepared->execute($values);
    $prepared->store_result();
    return $prepared->affected_rows > 0;
}

if (!$_POST) {
    answer('Invalid Data.');
}
