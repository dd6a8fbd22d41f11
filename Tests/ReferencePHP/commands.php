<?php
// The five commands with the answers of the original, faults included.

function refuse(string $message): never
{
    echo json_encode(['error' => $message]);
    exit;
}

// No account is too poor, and two requests at the same moment can both make one.
function register($name, $password): void
{
    if (rows('SELECT IdUser FROM login WHERE username = %s LIMIT 1', $name)) {
        refuse('Username already exists');
    }
    if (rows('INSERT INTO login (username, pass) VALUES (%s, %s)', $name, $password) === null) {
        refuse('Registration failed');
    }
    login($name, $password);
}

// The column's collation compares the password as well: its case does not count, nor do trailing spaces.
function login($name, $password): void
{
    $found = rows('SELECT IdUser, username FROM login WHERE username = %s AND pass = %s LIMIT 1', $name, $password);
    if (!$found) {
        refuse('Authorization failed');
    }
    $_SESSION['IdUser'] = $found[0]['IdUser'];
    echo json_encode(['result' => $found]);
}

// The row comes first and stays, whatever happens to the file. No file at all counts as a file without an error.
function upload($title): void
{
    $user = $_SESSION['IdUser'] ?? null;
    if (!$user) {
        refuse('Authorization required');
    }
    $file = $_FILES['file'] ?? ['error' => 0, 'tmp_name' => ''];
    if ($file['error'] !== 0) {
        refuse('Upload malfunction');
    }
    if (rows('INSERT INTO photos (IdUser, title) VALUES (%s, %s)', (string) (int) $user, $title) === null) {
        refuse('Upload database problem.Database error');
    }
    $path = 'upload/' . database()->insert_id;
    if (!move_uploaded_file($file['tmp_name'], "$path.jpg")) {
        refuse('Upload on server problem');
    }
    squash("$path.jpg", "$path-thumb.jpg", (int) setting('THUMB_SIDE', '90'));
    echo json_encode(['successful' => 1]);
}

function stream(int $photo): void
{
    $select = 'SELECT IdPhoto, title, login.IdUser, username FROM photos JOIN login ON login.IdUser = photos.IdUser';
    $list = $photo === 0
        ? rows("$select ORDER BY IdPhoto DESC LIMIT 50")
        : rows("$select WHERE IdPhoto = %s", (string) $photo);
    if ($list === null) {
        refuse('Photo stream is broken');
    }
    echo json_encode(['result' => $list]);
}

function logout(): void
{
    $_SESSION = [];
    session_destroy();
}

// A square of the whole photo, neither turned upright nor kept in proportion. What is no JPEG ends the script, and
// row and file stay.
function squash(string $from, string $to, int $side): void
{
    $photo = imagecreatefromjpeg($from);
    $square = imagecreatetruecolor($side, $side);
    imagecopyresized($square, $photo, 0, 0, 0, 0, $side, $side, imagesx($photo), imagesy($photo));
    imagejpeg($square, $to, 85);
}
