<?php
// Says whether an account of the pair has this password.

require __DIR__ . '/pair.php';

if (!($_POST['username'] ?? '') || !($_POST['password'] ?? '')) {
    answer('Invalid Username/Password.');
}
$password = md5($_POST['password']);
answer(touches('SELECT id FROM users WHERE username = ? AND password = ?', $_POST['username'], $password)
    ? null : 'Invalid Username/Password');
