import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of an nginx that does not go with the worker.
@Suite(.serialized) struct NginxCheckTests {
    @Test(arguments: broken.filter(\.isPossible))
    func brokenSetUpIsNamedWithItsCure(_ setup: BrokenSetup) throws {
        try setup.run()
    }

    @Test func connectionsThatAreNotKeptGetAdvice() throws {
        let setup = try CheckSetup(.current)
        setup.nginx = setup.nginx.replacing("fastcgi_keep_conn on", with: "fastcgi_keep_conn off")
        let (status, output) = try setup.check()
        #expect(status == 0)
        for name in ["", "index.php", "jsonsignup.php", "jsonlogin2.php"] {
            let advice = """
                  advice   /iReporter/\(name): nginx makes a new connection for each request
                           -> fastcgi_keep_conn on, and keepalive 32 in the upstream

                """
            #expect(output.contains(advice), "\(output)")
        }
    }

    private static let broken = [
        BrokenSetup(
            name: "limit that is too small",
            apply: {
                $0.nginx = $0.nginx.replacing("client_max_body_size 21m", with: "client_max_body_size 2m")
            },
            findings: { _ in
                """
                nginx
                  problem  /iReporter/: client_max_body_size 2m is less than IREPORTER_MAX_BODY_BYTES (20971520)
                           -> client_max_body_size 21m; else nginx refuses larger photos by itself
                  problem  /iReporter/index.php: client_max_body_size 2m is less than \
                IREPORTER_MAX_BODY_BYTES (20971520)
                           -> client_max_body_size 21m; else nginx refuses larger photos by itself
                  problem  /iReporter/jsonsignup.php: client_max_body_size 2m is less than \
                IREPORTER_MAX_BODY_BYTES (20971520)
                           -> client_max_body_size 21m; else nginx refuses larger photos by itself
                  problem  /iReporter/jsonlogin2.php: client_max_body_size 2m is less than \
                IREPORTER_MAX_BODY_BYTES (20971520)
                           -> client_max_body_size 21m; else nginx refuses larger photos by itself
                """
            }
        ),
        BrokenSetup(
            name: "bodies that are not taken in first",
            apply: {
                $0.nginx = $0.nginx.replacing("request_buffering on", with: "request_buffering off")
            },
            findings: { _ in
                """
                nginx
                  problem  /iReporter/: fastcgi_request_buffering is off, so a slow phone occupies a thread \
                of the worker
                           -> fastcgi_request_buffering on
                  problem  /iReporter/index.php: fastcgi_request_buffering is off, so a slow phone occupies a \
                thread of the worker
                           -> fastcgi_request_buffering on
                  problem  /iReporter/jsonsignup.php: fastcgi_request_buffering is off, so a slow phone \
                occupies a thread of the worker
                           -> fastcgi_request_buffering on
                  problem  /iReporter/jsonlogin2.php: fastcgi_request_buffering is off, so a slow phone \
                occupies a thread of the worker
                           -> fastcgi_request_buffering on
                """
            }
        ),
        BrokenSetup(
            name: "errors in HTML",
            apply: {
                $0.nginx = $0.nginx.replacing("error_page 413", with: "error_page 418")
            },
            findings: { _ in
                """
                nginx
                  problem  /iReporter/: nginx answers 413 in HTML, which the apps take for a broken network
                           -> error_page as in snippets/ireporter.conf
                  problem  /iReporter/index.php: nginx answers 413 in HTML, which the apps take for a broken \
                network
                           -> error_page as in snippets/ireporter.conf
                  problem  /iReporter/jsonsignup.php: nginx answers 413 in HTML, which the apps take for a \
                broken network
                           -> error_page as in snippets/ireporter.conf
                  problem  /iReporter/jsonlogin2.php: nginx answers 413 in HTML, which the apps take for a \
                broken network
                           -> error_page as in snippets/ireporter.conf
                """
            }
        ),
        BrokenSetup(
            name: "address that the worker is not told",
            apply: {
                $0.nginx = $0.nginx.replacing("fastcgi_param REMOTE_ADDR $remote_addr;", with: "")
            },
            findings: { _ in
                """
                nginx
                  problem  /iReporter/: the worker is not told REMOTE_ADDR
                           -> fastcgi_param REMOTE_ADDR …, as in snippets/ireporter.conf; a location's own \
                fastcgi_param lines replace the inherited ones
                  problem  /iReporter/index.php: the worker is not told REMOTE_ADDR
                           -> fastcgi_param REMOTE_ADDR …, as in snippets/ireporter.conf; a location's own \
                fastcgi_param lines replace the inherited ones
                  problem  /iReporter/jsonsignup.php: the worker is not told REMOTE_ADDR
                           -> fastcgi_param REMOTE_ADDR …, as in snippets/ireporter.conf; a location's own \
                fastcgi_param lines replace the inherited ones
                  problem  /iReporter/jsonlogin2.php: the worker is not told REMOTE_ADDR
                           -> fastcgi_param REMOTE_ADDR …, as in snippets/ireporter.conf; a location's own \
                fastcgi_param lines replace the inherited ones
                """
            }
        ),
        BrokenSetup(
            name: "another socket",
            apply: {
                $0.nginx = $0.nginx.replacing($0.folder.path("s"), with: "/run/php/php8.2-fpm.sock")
            },
            findings: {
                """
                nginx
                  problem  no fastcgi_pass leads to unix:\($0.folder.path)/s: it leads to \
                unix:/run/php/php8.2-fpm.sock
                           -> compare the server line of ireporter-upstream.conf with IREPORTER_LISTEN, and \
                include snippets/ireporter.conf in the server block
                """
            }
        ),
        BrokenSetup(
            name: "another upload folder",
            apply: {
                $0.nginx = $0.nginx.replacing($0.folder.path("upload"), with: "/var/www/html/iReporter/upload")
            },
            findings: {
                """
                nginx
                  problem  no alias or root leads to the upload folder \($0.folder.path)/upload
                           -> edit the folder in snippets/ireporter.conf (three times) or IREPORTER_UPLOAD_DIR
                """
            }
        ),
        BrokenSetup(
            name: "file that is not there",
            needsRoot: true,
            apply: {
                $0.nginx = "http { include /nonexistent.conf; }"
            },
            findings: { _ in
                """
                nginx
                  problem  cannot read /nonexistent.conf: No such file or directory
                           -> give the main file, as in --nginx /etc/nginx/nginx.conf
                """
            }
        ),
        BrokenSetup(
            name: "file that breaks off",
            needsRoot: true,
            apply: {
                $0.nginx = "http { server {"
            },
            findings: {
                """
                nginx
                  problem  \($0.folder.path)/nginx.conf: it ends in the middle of a directive or block
                           -> give the main file, as in --nginx /etc/nginx/nginx.conf
                """
            }
        ),
    ]
}
