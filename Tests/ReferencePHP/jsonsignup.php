<?php
// Makes an account of the pair. Passwords are compared as PHP compares, so that 1e1 equals 10.

require __DIR__ . '/pair.php';

if (!($_POST['username'] ?? '')) {
    answer('Invalid Username.');
}
if (($_POST['password'] ?? null) != ($_POST['c_password'] ?? null)) {
    answer('Passwords does not match.');
}
$password = md5($_POST['password'] ?? '');
answer(touches('INSERT INTO users (username, password) VALUES (?, ?)', $_POST['username'], $password)
    ? null : 'Username Exist.');
