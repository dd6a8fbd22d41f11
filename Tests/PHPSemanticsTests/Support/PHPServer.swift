/// PHP's built-in web server, as a prelude of a script for ``PHP``.
enum PHPServer {
    /// A prelude that starts the server on a free port, and declares `post($type, $body, $headers)`, which returns what
    /// `script` answers.
    ///
    /// The server ends with the script that started it, by signal 9, since Foundation's processes begin with others
    /// blocked.
    /// - Parameters:
    ///   - script: what answers every request.
    ///   - options: settings as `name=value`.
    static func prelude(script: String, options: [String] = []) -> String {
        let settings = (["display_errors=0", "log_errors=0", "default_charset="] + options).map { "'-d', '\($0)', " }
        return #"""
            file_put_contents('index.php', <<<'SCRIPT'
            \#(script)
            SCRIPT);
            $server = proc_open(
                [PHP_BINARY, '-n', \#(settings.joined()) '-S', '127.0.0.1:0', 'index.php'],
                [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', 'log', 'w']], $pipes);
            register_shutdown_function(fn() => proc_terminate($server, 9));
            for ($i = 0; $i < 1000 && !preg_match('~\((http://.*)\) started~', file_get_contents('log'), $match); $i++)
                usleep(10_000);
            function post(string $type, string $body, string $headers = ''): string {
                return file_get_contents($GLOBALS['match'][1], false, stream_context_create(['http' => [
                    'method' => 'POST', 'header' => "{$headers}Content-Type: $type", 'content' => $body,
                ]]));
            }
            """#
    }
}
