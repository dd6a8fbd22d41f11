<?php
// A backend that keeps the contract the way the tutorial's original does, with its faults: what the contract suite
// and the worker are measured with. Never to be put on the internet.

require __DIR__ . '/database.php';
require __DIR__ . '/commands.php';

session_start();
header('Content-Type: application/json');
database();

switch ($_POST['command'] ?? null) {
    case 'register':
        register($_POST['username'] ?? '', $_POST['password'] ?? '');
        break;
    case 'login':
        login($_POST['username'] ?? '', $_POST['password'] ?? '');
        break;
    case 'upload':
        upload($_POST['title'] ?? '');
        break;
    case 'stream':
        stream((int) ($_POST['IdPhoto'] ?? 0));
        break;
    case 'logout':
        logout();
        break;
}
